/**
 * A part of the extension that is loaded when it is first needed: speaking the protocol, the timeline, and what server authors use are
 * most of its code. Everything else is loaded when a window opens.
 */
export class Lazy<T extends { dispose(): unknown }> {
	#loading: Promise<T> | undefined;
	#current: T | undefined;

	constructor(private readonly load: () => Promise<T>) {}

	/** Undefined until loaded. */
	get current(): T | undefined {
		return this.#current;
	}

	/** Loads the part on the first call. */
	get(): Promise<T> {
		this.#loading ??= this.load().then((loaded) => {
			this.#current = loaded;
			return loaded;
		});
		return this.#loading;
	}

	/** Disposes the part if it was loaded. Resolves when that is done. */
	async dispose(): Promise<void> {
		// A failure was reported to whoever called `get`.
		const loaded = await this.#loading?.catch(() => undefined);
		await loaded?.dispose();
	}
}
