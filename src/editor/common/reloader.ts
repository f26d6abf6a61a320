/** Reloads something whenever it may have changed. At most one load runs, and at most one more is queued. */
export class Reloader {
	#running: Promise<void> | undefined;
	#queued = false;

	constructor(private readonly read: () => Promise<void>) {}

	/** Resolves when no load is running or queued. */
	get settled(): Promise<void> {
		return this.#running ?? Promise.resolve();
	}

	/** Reloads. Resolves when the current state has been loaded. */
	reload(): Promise<void> {
		if (this.#running) {
			this.#queued = true;
			return this.#running;
		}
		this.#running = this.#readAll().finally(() => {
			this.#running = undefined;
		});
		return this.#running;
	}

	async #readAll(): Promise<void> {
		do {
			this.#queued = false;
			await this.read();
		} while (this.#queued);
	}
}
