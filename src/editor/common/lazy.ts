import type * as vscode from 'vscode';

/** A part of the extension that is loaded when it is first needed, to keep activation fast. */
export class Lazy<T extends vscode.Disposable> implements vscode.Disposable {
	#loading: Promise<T> | undefined;
	#current: T | undefined;

	constructor(private readonly load: () => Promise<T>) {}

	/** Undefined until it is loaded. */
	get current(): T | undefined {
		return this.#current;
	}

	/** Loads it the first time. */
	get(): Promise<T> {
		this.#loading ??= this.load().then((loaded) => {
			this.#current = loaded;
			return loaded;
		});
		return this.#loading;
	}

	/** Disposes what was loaded. */
	dispose(): void {
		this.#loading?.then(
			(loaded) => loaded.dispose(),
			// Whoever needed it has been told.
			() => {},
		);
	}
}
