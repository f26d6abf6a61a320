/** Schedules `act` after the first of many calls, once per interval. */
export interface Coalesced {
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
