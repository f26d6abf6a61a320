/** How long a new surface ignores keys that could settle something (ms). They may be meant for another surface. */
export const KEY_GUARD = 500;

/** Decides whether a key press is meant for a surface that has just appeared. */
export class KeyGuard {
	#since: number | undefined;

	/**
	 * The surface has appeared or received focus.
	 * @param now monotonic time (ms)
	 */
	appeared(now: number): void {
		this.#since = now;
	}

	/** @param at when the key was pressed, on the same clock */
	takesKeys(at: number): boolean {
		return this.#since !== undefined && at - this.#since >= KEY_GUARD;
	}
}
