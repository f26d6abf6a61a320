import type * as vscode from 'vscode';

/** A part of the extension that is loaded on first use, to keep activation fast. */
export class Lazy<T extends vscode.Disposable> implements vscode.Disposable {
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

	/** Disposes the part if it was loaded. */
	dispose(): void {
		this.#loading?.then(
			(loaded) => loaded.dispose(),
			// Already reported to whoever called `get`.
			() => {},
		);
	}
}
