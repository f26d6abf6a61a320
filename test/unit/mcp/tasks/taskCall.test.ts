import { expect, it, onTestFinished, vi } from 'vitest';
import { Call } from '../../../../src/elicitation/call.ts';
import { TaskCall } from '../../../../src/mcp/tasks/taskCall.ts';
import type { TaskHost } from '../../../../src/mcp/tasks/taskExchange.ts';

it('a task whose polls fail is not polled more often than its server asks for (K02)', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const times: number[] = [];
	const host: TaskHost = {
		modern: true,
		request: async () => {
			times.push(Date.now() - since);
			throw new Error('Nothing responds.');
		},
		waitAfter: () => 0,
		cancel: () => {},
		abandon: () => {},
		deliver: async () => {},
		reports: () => {},
	};
	const since = Date.now();
	const { signal } = new AbortController();
	const context = { closed: signal, registry: { live: [] } };
	const run = { call: new Call('1', 'shop', 'tool', 'buy', {}), context, signal, keeper: undefined } as never;
	const task = { taskId: 't', status: 'working', ttlMs: null, pollIntervalMs: 40_000 };
	void new TaskCall(run, host, task, undefined).follow();
	await vi.advanceTimersByTimeAsync(130_000);
	expect(times).toEqual([40_000, 80_000, 120_000]);
});
