/** Delay before the first restart, doubled for each further one (ms). */
const FIRST_PAUSE = 1_000;

/** Max restarts in a row. */
export const MAX_RESTARTS = 5;

/** The count is reset once a server has run this long (ms). */
const STABLE_AFTER = 60_000;

/** How often a server was restarted since the user has started it, and when last (ms since the epoch). */
export interface Restarted {
	readonly times: number;
	readonly at: number;
}

/** Restarts a server that exited unexpectedly, with increasing delays and up to a limit. */
export class Restarts {
	#attempts = 0;
	#upAt: number | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#isRestart = false;
	#restarted: Restarted | undefined;

	constructor(private readonly restart: () => void) {}

	/** Undefined unless it was. */
	get restarted(): Restarted | undefined {
		return this.#restarted;
	}

	/** The server is running. */
	up(): void {
		this.#upAt = performance.now();
		if (this.#isRestart) {
			this.#isRestart = false;
			this.#restarted = { times: (this.#restarted?.times ?? 0) + 1, at: Date.now() };
		}
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
		this.#isRestart = true;
		this.#timer = setTimeout(this.restart, pause);
		return true;
	}

	/** A pending restart takes place at once, because somebody needs the server. Resets the count. */
	hurry(): void {
		clearTimeout(this.#timer);
		this.#attempts = 0;
	}

	/** The user has started or stopped the server: cancels a pending restart and resets the count. */
	reset(): void {
		this.hurry();
		this.#isRestart = false;
		this.#restarted = undefined;
	}
}
