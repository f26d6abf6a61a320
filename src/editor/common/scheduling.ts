/** Schedules `act` after the first of many calls, once per interval. */
interface Coalesced {
	(): void;
	dispose(): void;
}

/**
 * Combines many changes into one update, so that a flood of them does not keep the editor busy. Even the first waits for
 * the interval: a form that is about to open comes before everything that only reports on it.
 */
export function coalesce(act: () => void, milliseconds: number): Coalesced {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const call = () => {
		timer ??= setTimeout(() => {
			timer = undefined;
			act();
		}, milliseconds);
	};
	return Object.assign(call, { dispose: () => clearTimeout(timer) });
}

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

/** Max time without yielding to the event loop (ms). */
const MAX_SLICE = 20;

/**
 * Runs to the end in slices, so that much work does not block the extension host.
 * @param onProgress called after each slice with what the last step has yielded
 */
export async function inSlices<T, Progress>(
	steps: Generator<Progress, T>,
	onProgress?: (progress: Progress) => void,
): Promise<T> {
	let since = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done) {
			return value;
		}
		if (performance.now() - since > MAX_SLICE) {
			onProgress?.(value);
			await new Promise((resolve) => setImmediate(resolve));
			since = performance.now();
		}
	}
}
