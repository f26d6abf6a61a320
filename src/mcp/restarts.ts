/** The first pause before a server is restarted; each further one is twice as long (milliseconds). */
const FIRST_PAUSE = 1_000;

/** So often in a row a server is restarted before it is left alone. */
export const MAX_RESTARTS = 5;

/** A server that has run this long counts as sound again (milliseconds). */
const STABLE_AFTER = 60_000;

/** When a server that ended by itself is started again: after growing pauses, and not for ever. */
export class Restarts {
	#attempts = 0;
	#upAt: number | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly restart: () => void) {}

	/** The server is up. */
	up(): void {
		this.#upAt = Date.now();
	}

	/** The server has ended by itself, or its restart has failed. False when it is left alone from now on. */
	down(): boolean {
		if (this.#upAt !== undefined && Date.now() - this.#upAt >= STABLE_AFTER) {
			this.#attempts = 0;
		}
		this.#upAt = undefined;
		if (this.#attempts >= MAX_RESTARTS) {
			return false;
		}
		const pause = FIRST_PAUSE * 2 ** this.#attempts;
		this.#attempts++;
		this.#timer = setTimeout(this.restart, pause);
		return true;
	}

	/** The user starts or stops it: what was on its way is off, and it begins anew. */
	reset(): void {
		clearTimeout(this.#timer);
		this.#attempts = 0;
	}
}
