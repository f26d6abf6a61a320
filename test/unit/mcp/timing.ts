import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Makes the pauses between two attempts to reach a server short until the test ends.
 * @param ends what pauses last for beside, such as what should end them all, which a busy machine may be slow to do
 * @returns the pauses so far (ms). Clients of tests before, in the same process, may still be waiting, too.
 */
export function shortenPauses(ends: () => unknown = () => undefined): readonly number[] {
	const { setTimeout: wait } = timers;
	const pauses: number[] = [];
	const waitBriefly = async (ms: number, ...more: unknown[]) => {
		const isPause = ms >= 1_000;
		if (isPause) {
			pauses.push(ms);
		}
		await (wait as (...parameters: unknown[]) => Promise<unknown>)(isPause ? 5 : ms, ...more);
		await (isPause && ends());
	};
	const install = (setTimeout: typeof wait) => {
		timers.setTimeout = setTimeout;
		// For modules that import the function by its name.
		syncBuiltinESMExports();
	};
	install(waitBriefly as typeof wait);
	onTestFinished(() => install(wait));
	return pauses;
}

/**
 * Simulates timers, and clocks on request, until the test ends. They advance with real time, which sockets take, and by
 * what the test advances them.
 */
export function simulateTimers(...clocks: ('Date' | 'performance')[]): void {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', ...clocks], shouldAdvanceTime: true });
	onTestFinished(() => void vi.useRealTimers());
}

/** Waits for what no event tells, however busy the machine is: the limit is that of the test. */
export function eventually<T>(condition: () => T): Promise<T> {
	return vi.waitUntil(condition) as Promise<T>;
}
