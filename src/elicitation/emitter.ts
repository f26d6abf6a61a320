export interface Disposable {
	dispose(): void;
}

/** Same shape as an editor's event, so that either may be subscribed to the same way. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A listener list for rooms that know no editor. A listener that throws does not keep the others from hearing. */
export class Emitter<T> {
	readonly #listeners = new Set<(value: T) => void>();

	readonly event: Event<T> = (listener) => {
		const entry = (value: T) => listener(value);
		this.#listeners.add(entry);
		return { dispose: () => this.#listeners.delete(entry) };
	};

	fire(value: T): void {
		const failures: unknown[] = [];
		for (const listener of [...this.#listeners]) {
			try {
				listener(value);
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) {
			throw new AggregateError(failures, 'A listener failed.');
		}
	}
}
