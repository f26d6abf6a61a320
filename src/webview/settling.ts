const pause = 1000;

/**
 * JSON is wrong most of the time while it is being typed. What is wrong with it is said after a pause, or when it is left;
 * that nothing is wrong any more is said at once.
 */
export class Settling {
	#settled = true;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(element: HTMLElement, paused: () => void) {
		element.addEventListener('input', () => {
			this.#settled = false;
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => {
				this.#settled = true;
				paused();
			}, pause);
		});
	}

	/** True while the user is not in the middle of typing. */
	get isSettled(): boolean {
		return this.#settled;
	}

	/** Waits no longer. */
	settle(): void {
		clearTimeout(this.#timer);
		this.#settled = true;
	}
}
