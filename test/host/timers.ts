import { AsyncLocalStorage } from 'node:async_hooks';

/** Stack frame of the extension's code that started a timer: the function, and its position in the bundle. */
const OURS = /at (?:async )?(?:(\S+) )?\(?[^\n]*[\\/]dist[\\/](?!test)([\w-]+\.mjs:\d+)/;

export interface TimerWatch {
	/** How often each repeating timer of the extension has fired, by the position that started it. */
	readonly repeats: ReadonlyMap<string, number>;
	end(): void;
}

/** Watches the timers that the extension starts from now on: intervals, and timeouts that restart themselves. */
export function watchTimers(): TimerWatch {
	const real = { setTimeout, setInterval };
	const armedBy = new AsyncLocalStorage<readonly string[]>();
	const repeats = new Map<string, number>();
	const count = (place: string) => repeats.set(place, (repeats.get(place) ?? 0) + 1);
	type Arm = (callback: () => void, delay?: number, ...args: unknown[]) => unknown;

	const watchedTimeout: Arm = (callback, ...rest) => {
		const place = placeOf(new Error().stack);
		const before = armedBy.getStore() ?? [];
		if (place && before.includes(place)) {
			count(place);
		}
		return armedBy.run(place ? [...before, place] : before, () => real.setTimeout(callback, ...rest));
	};
	const watchedInterval: Arm = (callback, ...rest) => {
		const place = placeOf(new Error().stack);
		return real.setInterval(
			place
				? () => {
						count(place);
						callback();
					}
				: callback,
			...rest,
		);
	};
	Object.assign(globalThis, {
		setTimeout: Object.assign(watchedTimeout, real.setTimeout),
		setInterval: Object.assign(watchedInterval, real.setInterval),
	});
	return { repeats, end: () => Object.assign(globalThis, real) };
}

function placeOf(stack = ''): string | undefined {
	const [, name, line] = OURS.exec(stack) ?? [];
	return name ?? line;
}
