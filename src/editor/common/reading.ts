/** Something that is read again whenever it may have changed: at most one reading is under way, and one more waits. */
export class Reading {
	#reading: Promise<void> | undefined;
	#again = false;

	constructor(private readonly read: () => Promise<void>) {}

	/** Resolves when nothing is being read any more. */
	get settled(): Promise<void> {
		return this.#reading ?? Promise.resolve();
	}

	/** Resolves when what is there now has been read. */
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
