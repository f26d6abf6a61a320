/** Delay before the first restart, doubled for each further one (ms). */
const FIRST_PAUSE = 1_000;

/** Max restarts in a row. */
export const MAX_RESTARTS = 5;

/** The count is reset once a server has run this long (ms). */
const STABLE_AFTER = 60_000;

/** Restarts a server that exited unexpectedly, with increasing delays and up to a limit. */
export class Restarts {
	#attempts = 0;
	#upAt: number | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly restart: () => void) {}

	/** The server is running. */
	up(): void {
		this.#upAt = performance.now();
	}

	/** The server has exited unexpectedly, or a restart has failed. Returns false if the limit is reached. */
	down(): boolean {
		if (this.#upAt !== undefined && performance.now() - this.#upAt >= STABLE_AFTER) {
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

	/** The user has started or stopped the server: cancels a pending restart and resets the count. */
	reset(): void {
		clearTimeout(this.#timer);
		this.#attempts = 0;
	}
}
