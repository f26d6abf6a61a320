/** A function that has `act` run soon after the first of many calls, but no more often than every so many milliseconds. */
export interface Coalesced {
	(): void;
	dispose(): void;
}

/** Many changes in a row are drawn once: a flood must not keep the editor busy with drawing it. */
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
