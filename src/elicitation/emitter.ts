export interface Disposable {
	dispose(): void;
}

/** Same shape as `vscode.Event`, so that callers can subscribe to both in the same way. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Until a reporter is set, failures are thrown as uncaught errors. */
let report = (error: unknown): void =>
	queueMicrotask(() => {
		throw error;
	});

/** Sets the reporter for listener failures of all emitters. */
export function reportListenerFailures(reporter: (error: unknown) => void): void {
	report = reporter;
}

/** Calls one listener. Reports its errors and rejections instead of throwing. */
export function notifyListener<T>(listener: ((value: T) => unknown) | undefined, value: T): void {
	try {
		const returned = listener?.(value);
		if (returned instanceof Promise) {
			returned.catch(report);
		}
	} catch (error) {
		report(error);
	}
}

/**
 * An event emitter for layers without VS Code. A failing listener affects neither other listeners nor the caller of
 * `fire`.
 */
export class Emitter<T> {
	readonly #listeners = new Set<(value: T) => unknown>();

	readonly event: Event<T> = (listener) => {
		// A wrapper, because the same listener may be subscribed twice.
		const entry = (value: T): unknown => listener(value);
		this.#listeners.add(entry);
		return { dispose: () => this.#listeners.delete(entry) };
	};

	fire(value: T): void {
		for (const listener of [...this.#listeners]) {
			notifyListener(listener, value);
		}
	}
}
