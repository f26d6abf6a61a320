/** Reloads something whenever it may have changed. At most one load runs, and at most one more is queued. */
export class Reading {
	#reading: Promise<void> | undefined;
	#again = false;

	constructor(private readonly read: () => Promise<void>) {}

	/** Resolves when no load is running or queued. */
	get settled(): Promise<void> {
		return this.#reading ?? Promise.resolve();
	}

	/** Reloads. Resolves when the current state has been loaded. */
	again(): Promise<void> {
		if (this.#reading) {
			this.#again = true;
			return this.#reading;
		}
		this.#reading = this.#readAll().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	async #readAll(): Promise<void> {
		do {
			this.#again = false;
			await this.read();
		} while (this.#again);
	}
}
