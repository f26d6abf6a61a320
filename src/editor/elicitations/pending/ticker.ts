/** So often an age is written anew (milliseconds): seconds while there are any, minutes after that. */
const SOON = 5_000;
const LATER = 30_000;

const MINUTE = 60_000;

/** Keeps the ages on the surfaces true. It runs only while something is pending. */
export class Ticker {
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param youngest when the youngest thing that is pending has come; undefined when there is none
	 * @param tick writes the ages anew
	 */
	constructor(
		private readonly youngest: () => number | undefined,
		private readonly tick: () => void,
	) {}

	/** Something else was drawn, ages included. */
	restart(): void {
		clearTimeout(this.#timer);
		const since = this.youngest();
		if (since !== undefined) {
			this.#timer = setTimeout(
				() => {
					this.tick();
					this.restart();
				},
				Date.now() - since < MINUTE ? SOON : LATER,
			);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}
}
