export interface Disposable {
	dispose(): void;
}

/** Same shape as an editor's event, so that either may be subscribed to the same way. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Nobody has said where to report to: then it is uncaught. */
let report = (error: unknown): void =>
	queueMicrotask(() => {
		throw error;
	});

/** Says once, for all emitters, where failures of listeners are reported. */
export function reportListenerFailures(reporter: (error: unknown) => void): void {
	report = reporter;
}

/** Tells one listener. Its failure, now or later, is its own: it is reported, and whoever tells goes on. */
export function tell<T>(listener: ((value: T) => unknown) | undefined, value: T): void {
	try {
		const returned = listener?.(value);
		if (returned instanceof Promise) {
			returned.catch(report);
		}
	} catch (error) {
		report(error);
	}
}

/** A listener list for layers that know no editor. A listener that throws neither keeps the others from hearing nor disturbs the teller. */
export class Emitter<T> {
	readonly #listeners = new Set<(value: T) => unknown>();

	readonly event: Event<T> = (listener) => {
		// The same listener may be subscribed twice.
		const entry = (value: T): unknown => listener(value);
		this.#listeners.add(entry);
		return { dispose: () => this.#listeners.delete(entry) };
	};

	fire(value: T): void {
		for (const listener of [...this.#listeners]) {
			tell(listener, value);
		}
	}
}
