/** Schedules `act` after the first of many calls, at most once per interval. */
export interface Coalesced {
	(): void;
	dispose(): void;
}

/** Combines many changes into one update, so that a flood of them does not keep the editor busy. */
export function coalesce(act: () => void, milliseconds: number): Coalesced {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let last = Number.NEGATIVE_INFINITY;
	const call = () => {
		timer ??= setTimeout(
			() => {
				timer = undefined;
				last = Date.now();
				act();
			},
			Math.max(0, last + milliseconds - Date.now()),
		);
	};
	return Object.assign(call, { dispose: () => clearTimeout(timer) });
}
