import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Call } from '../../../../src/elicitation/call.ts';
import { TaskCall } from '../../../../src/mcp/tasks/taskCall.ts';
import type { TaskHost } from '../../../../src/mcp/tasks/taskExchange.ts';
import { modernTask, task } from './taskFixtures.ts';

beforeEach(() => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
});

describe.each([
	['2025-11-25', false],
	['2026-07-28', true],
])('a task of %s', (_revision, modern) => {
	const report = (interval: number) =>
		modern ? modernTask('working', { pollIntervalMs: interval }) : task('working', { pollInterval: interval });

	/**
	 * When the task is polled (ms since its creation).
	 * @param responses the interval that each poll brings, or how long the server is busy if it fails; the last one is repeated
	 */
	function polled(
		created: number,
		...responses: readonly ({ readonly interval: number } | { readonly busy: number })[]
	) {
		const times: number[] = [];
		const since = Date.now();
		const host: TaskHost = {
			modern,
			request: async () => {
				const response = responses[Math.min(times.push(Date.now() - since), responses.length) - 1];
				if (response && 'interval' in response) return report(response.interval) as never;
				throw response;
			},
			waitAfter: (error) => (error as { busy: number }).busy,
			cancel: () => {},
			abandon: () => {},
			deliver: async () => {},
			reports: () => {},
		};
		const { signal } = new AbortController();
		const session = { closed: signal, registry: { live: [] } };
		const call = new Call('1', 'shop', 'tool', 'buy', {});
		const run = { call, session, signal, keeper: undefined } as never;
		void new TaskCall(run, host, report(created), undefined).follow();
		return { times, call };
	}

	it('is polled no faster than its server asks, which may change its mind (K02, K11)', async () => {
		const { times } = polled(300, { interval: 300 }, { interval: 100 }, { interval: 5_000 });
		await vi.advanceTimersByTimeAsync(6_000);
		expect(times).toEqual([300, 600, 700, 5_700]);
	});

	it('is polled less and less often while its server fails, but never more often than it asks (K02, K11)', async () => {
		const often = polled(1_000, { busy: 0 });
		const rarely = polled(40_000, { busy: 0 });
		await vi.advanceTimersByTimeAsync(130_000);
		expect(often.times).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 62_000, 92_000, 122_000]);
		expect(rarely.times).toEqual([40_000, 80_000, 120_000]);
	});

	it('of a busy server is polled when the time is over that it demands, which is no silence (K02, K11)', async () => {
		const { times, call } = polled(50, { busy: 70_000 }, { interval: 50_000 });
		const expired = vi.fn();
		call.clock.limit(60_000, expired);
		await vi.advanceTimersByTimeAsync(120_050);
		expect(times).toEqual([50, 70_050, 120_050]);
		expect(expired).not.toHaveBeenCalled();
	});
});
