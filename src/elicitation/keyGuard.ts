/** How long a surface that has just appeared takes no key that could settle something: it may be meant for something else (ms). */
export const KEY_GUARD = 500;

/** Whether a surface has been there for long enough that a key pressed now is meant for it. */
export class KeyGuard {
	#since: number | undefined;

	/** The surface is there, or has just got the focus. @param now milliseconds of a clock that never goes back */
	appeared(now: number): void {
		this.#since = now;
	}

	/** @param at when the key was pressed, by the same clock */
	takesKeys(at: number): boolean {
		return this.#since !== undefined && at - this.#since >= KEY_GUARD;
	}
}
