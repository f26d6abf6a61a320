import { expect, it } from 'vitest';
import { readTask } from '../../../../src/mcp/tasks/taskState.ts';

const task = { taskId: 'a', status: 'working' };

it.each([
	[0, 50],
	[-1, 50],
	[200, 200],
	// The timeout of the call would not end before the next poll.
	[1e12, 60_000],
	['200', 1_000],
	[undefined, 1_000],
])('a server that asks for polls every %j ms is polled every %i ms (K02, K11)', (asked, interval) => {
	const more = asked === undefined ? {} : { pollInterval: asked };
	expect(readTask({ ...task, ...more })?.interval).toBe(interval);
	expect(readTask({ ...task, pollIntervalMs: asked ?? null })?.interval).toBe(interval);
});

it.each([
	[null],
	['a'],
	[{ status: 'working' }],
	[{ ...task, taskId: 1 }],
	[{ ...task, status: 'paused' }],
	[{ taskId: 'a' }],
])('%j is no task', (raw) => {
	expect(readTask(raw)).toBeUndefined();
});
