import { describe, expect, it, vi } from 'vitest';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, type RawServerOptions } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { form, page, REQUESTS, required } from '../faults/rawServerFixtures.ts';
import { testClients } from '../testClient.ts';
import {
	CAPABILITIES,
	callAsTask,
	connectTaskServer,
	Polls,
	RELATED,
	related,
	task,
	taskTool,
} from './taskFixtures.ts';

const world = testClients();

describe.each(REQUESTS)('a task of 2025-11-25 over %s', (_wire, open) => {
	it('asks while it waits, and its response goes back with the id of the task (K01, K02, K03)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callAsTask(here, open);
		expect(call.params).toMatchObject({ name: 'act', arguments: { n: 1 }, task: { ttl: expect.any(Number) } });
		const polls = new Polls(rawServer, task('working'));
		await polls.more(2);
		expect(rawServer.requests('tasks/result')).toEqual([]);
		polls.report(task('input_required'));
		const listening = await rawServer.expect('tasks/result');
		expect(listening.params).toEqual({ taskId: 'task-1' });
		const pending = rawServer.ask(related('task-1', form), listening);
		const [elicitation] = await here.asked();
		expect(elicitation.cause?.name).toBe('act');
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect((await pending.response).result).toEqual({
			action: 'accept',
			content: { name: 'Ada' },
			_meta: { [RELATED]: { taskId: 'task-1' } },
		});
		polls.report(task('working'));
		await polls.more(1);
		polls.report(task('completed'));
		rawServer.answer(listening, { content: [], structuredContent: { hello: 'Ada' }, ...related('task-1', {}) });
		expect(await calling).toMatchObject({ structuredContent: { hello: 'Ada' } });
		expect(rawServer.requests('tools/call')).toHaveLength(1);
		expect(rawServer.requests('tasks/result')).toHaveLength(1);
		expect(here.registry.calls[0]?.state).toBe('succeeded');
	});

	it('asks twice at once, also after its stream has been cut, and both belong to the call (K03)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('input_required'));
		const first = await rawServer.expect('tasks/result');
		const one = rawServer.ask(related('task-1', { ...form, message: 'One?' }), first);
		await here.asked();
		if (rawServer instanceof RawHttpServer) {
			rawServer.cut(first);
		} else {
			rawServer.fail(first, { code: -32603, message: 'Not now' });
		}
		const second = await rawServer.expect('tasks/result');
		const two = rawServer.ask(related('task-1', { ...form, message: 'Two?' }), second);
		const asked = await here.asked(2);
		expect(asked.map(({ cause }) => cause)).toEqual([here.registry.calls[0], here.registry.calls[0]]);
		for (const elicitation of asked) elicitation.decline();
		await one.response;
		await two.response;
		polls.report(task('completed'));
		rawServer.finish(second);
		await calling;
	});

	it.each([
		['completed', {}],
		['failed', { isError: true }],
	])('whose result comes before its status counts as %s', async (status, more) => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		new Polls(rawServer, task('input_required'));
		rawServer.answer(await rawServer.expect('tasks/result'), { content: [], ...more });
		await calling;
		expect(here.registry.calls[0]?.task?.status).toBe(status);
	});

	it('is polled no faster than its server asks, which may change its mind (K02)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open, { pollInterval: 300 });
		const polls = new Polls(rawServer, task('working', { pollInterval: 300 }));
		await polls.more(3);
		polls.report(task('working', { pollInterval: 100 }));
		await polls.more(4);
		polls.report(task('completed'));
		rawServer.finish(await rawServer.expect('tasks/result'));
		await calling;
		const pauses = polls.times.slice(1).map((at, index) => at - (polls.times[index] as number));
		// Timers may fire a millisecond early.
		expect(Math.min(...pauses.slice(0, 2))).toBeGreaterThanOrEqual(298);
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(98);
	});

	it('goes on at once when its server reports a new status by itself (K02)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open, { pollInterval: 2 ** 31 });
		rawServer.notify('notifications/tasks/status', task('input_required', { pollInterval: 2 ** 31 }));
		const listening = await rawServer.expect('tasks/result');
		rawServer.notify('notifications/tasks/status', task('completed', { taskId: 'foreign' }));
		await rawServer.fence();
		expect(here.registry.calls[0]?.task?.status).toBe('input_required');
		rawServer.notify('notifications/tasks/status', task('completed'));
		rawServer.finish(listening, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(rawServer.requests('tasks/get')).toEqual([]);
	});

	it.each([
		['while no call runs', {}, false],
		['that is large', { statusMessage: 'x'.repeat(20_000) }, true],
	])('is not told from a report about an unknown task %s (K02)', async (_what, more, running) => {
		const here = world();
		const { rawServer, connection } = await connectTaskServer(here, open);
		const early = async () => {
			rawServer.notify('notifications/tasks/status', task('completed', more));
			await rawServer.fence();
		};
		if (!running) await early();
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		if (running) await early();
		rawServer.answer(call, { task: task('working') });
		rawServer.answer(await rawServer.expect('tasks/get'), task('completed'));
		rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
	});

	it('knows its task from a report that came before it (K02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectTaskServer(here, open);
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		rawServer.notify('notifications/tasks/status', task('completed'));
		await rawServer.fence();
		rawServer.answer(call, { task: task('working', { pollInterval: 2 ** 31 }) });
		rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
	});

	it('heeds a report that arrives during a poll (K02)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const poll = await rawServer.expect('tasks/get');
		rawServer.notify('notifications/tasks/status', task('completed'));
		await rawServer.fence();
		rawServer.answer(poll, task('working', { pollInterval: 2 ** 31 }));
		rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
	});

	it('is not polled once its call has ended, with the result or because it was canceled (K02)', async () => {
		const here = world();
		const { rawServer, calling, connection } = await callAsTask(here, open, { pollInterval: 2 ** 31 });
		rawServer.notify('notifications/tasks/status', task('input_required', { pollInterval: 2 ** 31 }));
		rawServer.finish(await rawServer.expect('tasks/result'));
		await calling;
		const abort = new AbortController();
		const second = connection.callTool('act', {}, { signal: abort.signal });
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working', { pollInterval: 2 ** 31 }) });
		await rawServer.fence();
		abort.abort(new Error('Enough.'));
		await expect(second).rejects.toThrow('Enough.');
		await rawServer.expect('tasks/cancel');
		await rawServer.fence();
		expect(rawServer.requests('tasks/get')).toEqual([]);
	});

	it('that needs URLs is not in progress while they are open: no other request belongs to its call', async () => {
		const here = world();
		const { rawServer, calling, connection, abort } = await callAsTask(here, open);
		new Polls(rawServer, task('failed'));
		rawServer.fail(await rawServer.expect('tasks/result'), required(page('1')));
		await here.asked();
		const pending = rawServer.ask(form);
		const [, own] = await here.asked(2);
		expect(own?.origin.calls).toEqual([]);
		own?.decline();
		await pending.response;
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		await connection.stop();
	});

	it('tells its status and its progress while it runs', async () => {
		const here = world();
		const { rawServer, calling, call, told } = await callAsTask(here, open, { statusMessage: 'Queued' });
		const polls = new Polls(rawServer, task('working', { statusMessage: 'Queued' }));
		await polls.more(2);
		const { progressToken } = call.params._meta;
		rawServer.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'Half' });
		await here.until(() => told.length === 2);
		polls.report(task('working', { statusMessage: 'Gathering sources' }));
		await polls.more(2);
		polls.report(task('completed'));
		rawServer.finish(await rawServer.expect('tasks/result'));
		await calling;
		expect(told).toEqual([
			{ progress: 0, message: 'Queued' },
			{ progress: 1, total: 2, message: 'Half' },
			{ progress: 1, total: 2, message: 'Gathering sources' },
		]);
	});

	it('is canceled with "tasks/cancel", before what it asks is answered with "cancel" (K04, D03)', async () => {
		const here = world();
		const { rawServer, calling, abort } = await callAsTask(here, open);
		new Polls(rawServer, task('input_required'));
		const pending = rawServer.ask(related('task-1'), await rawServer.expect('tasks/result'));
		await here.asked();
		abort.abort(new Error('The user does not want it any more.'));
		await expect(calling).rejects.toThrow('The user does not want it any more.');
		const canceling = await rawServer.expect('tasks/cancel');
		expect(canceling.params).toEqual({ taskId: 'task-1' });
		expect((await pending.response).result).toMatchObject({ action: 'cancel' });
		const { received } = rawServer;
		expect(received.indexOf(canceling)).toBeLessThan(received.findIndex(({ id }) => id === pending.id));
		rawServer.answer(canceling, task('cancelled'));
		await rawServer.fence();
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
		expect(here.registry.calls[0]?.state).toBe('cancelled');
	});

	it('is not canceled where its server does not say that it can do that (K04)', async () => {
		const here = world();
		const { requests } = CAPABILITIES;
		const { rawServer, connection } = await connectTaskServer(here, open, { tasks: { requests } });
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working') });
		await vi.waitUntil(() => here.registry.calls[0]?.task);
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		connection.callTool('act', {}).catch(() => {});
		await rawServer.expect('tools/call');
		expect(rawServer.requests('tasks/cancel')).toEqual([]);
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
	});

	it('is canceled as soon as it exists if the call was canceled before (K04)', async () => {
		const here = world();
		const { rawServer, connection } = await connectTaskServer(here, open);
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		const call = await rawServer.expect('tools/call');
		abort.abort(new Error('Too late.'));
		await expect(calling).rejects.toThrow('Too late.');
		await rawServer.fence();
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
		rawServer.answer(call, { task: task('working') });
		expect((await rawServer.expect('tasks/cancel')).params).toEqual({ taskId: 'task-1' });
	});

	it('ends at once when its connection is stopped, however long its server wants it not to be polled', async () => {
		const here = world();
		const { rawServer, connection, calling } = await callAsTask(here, open, { pollInterval: 600_000 });
		await vi.waitUntil(() => here.registry.calls[0]?.task);
		await connection.stop();
		await expect(calling).rejects.toThrow('raw-server: The server was stopped while "act" was running.');
		expect(rawServer.requests('tasks/get')).toEqual([]);
	});

	it('that has the id of another one hears its reports, too, and ends when its connection is stopped (K02)', async () => {
		const here = world();
		const { rawServer, connection, calling } = await callAsTask(here, open, { pollInterval: 600_000 });
		await vi.waitUntil(() => here.registry.calls[0]?.task);
		const second = connection.callTool('act', {});
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working', { pollInterval: 600_000 }) });
		await vi.waitUntil(() => here.registry.calls[1]?.task);
		rawServer.notify('notifications/tasks/status', task('working', { statusMessage: 'Both', pollInterval: 600_000 }));
		await vi.waitUntil(() => here.registry.calls.every((call) => call.task?.message === 'Both'));
		const stopped = 'raw-server: The server was stopped while "act" was running.';
		const ends = [calling, second].map((each) => expect(each).rejects.toThrow(stopped));
		await connection.stop();
		await Promise.all(ends);
	});

	it('ends with what its server says when the server cancels it, and its open request is answered (K02, D02)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('input_required'));
		const pending = rawServer.ask(related('task-1'), await rawServer.expect('tasks/result'));
		const [elicitation] = await here.asked();
		polls.report(task('cancelled', { statusMessage: 'Out of paper' }));
		await expect(calling).rejects.toThrow('raw-server: The server cancelled "act": Out of paper.');
		expect(elicitation.state).toBe('cancelled');
		expect((await pending.response).result).toMatchObject({ action: 'cancel' });
		expect(rawServer.requests('tasks/cancel')).toEqual([]);
	});

	it('that failed ends with the error or the result of the tool (K02)', async () => {
		const here = world();
		const { rawServer, calling, connection } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('failed', { statusMessage: 'No luck' }));
		rawServer.fail(await rawServer.expect('tasks/result'), { code: -32000, message: 'The disk is full' });
		await expect(calling).rejects.toThrow('The disk is full.');
		const again = connection.callTool('act', {});
		polls.report(task('failed'));
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working') });
		rawServer.answer(await rawServer.expect('tasks/result'), { content: [], isError: true });
		expect(await again).toMatchObject({ isError: true });
	});

	it('that failed ends with its own error, also if its data looks like that of a server that is busy (K02)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		new Polls(rawServer, task('failed'));
		const error = { code: -32603, message: 'Upstream is down', data: { status: 503 } };
		rawServer.fail(await rawServer.expect('tasks/result'), error);
		await expect(calling).rejects.toThrow('Upstream is down');
		expect(rawServer.requests('tasks/result')).toHaveLength(1);
	});

	it.each([[[]], [null]])(
		'is followed also if %j stands beside it for content that is still to come',
		async (content) => {
			const here = world();
			const { rawServer, connection } = await connectTaskServer(here, open);
			const calling = connection.callTool('act', {});
			rawServer.answer(await rawServer.expect('tools/call'), { content, task: task('completed') });
			rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
			expect(await calling).toMatchObject({ structuredContent: { done: true } });
		},
	);

	it('asks for URLs with an error, and runs again when they are done', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('failed'));
		rawServer.fail(await rawServer.expect('tasks/result'), required(page('1')));
		const [elicitation] = await here.asked();
		elicitation.opened();
		polls.report(task('completed'));
		rawServer.notify('notifications/elicitation/complete', { elicitationId: '1' });
		const second = await rawServer.expect('tools/call');
		expect(second.params.task).toBeDefined();
		rawServer.answer(second, { task: task('working', { taskId: 'task-2' }) });
		polls.report(task('completed', { taskId: 'task-2' }));
		rawServer.finish(await rawServer.expect('tasks/result'), { in: true });
		expect(await calling).toMatchObject({ structuredContent: { in: true } });
	});

	it.each([
		[60_000, 'The server does not know the task of "act" any more: Task not found.'],
		[0, 'The server keeps the task of "act" for 0 s only, and that time is over.'],
	])(
		'that is unknown to its server is told as such, and with its time if that is over (ttl %i, K17)',
		async (ttl, words) => {
			const here = world();
			const { rawServer, calling } = await callAsTask(here, open, { ttl });
			rawServer.fail(await rawServer.expect('tasks/get'), { code: -32602, message: 'Task not found' });
			await expect(calling).rejects.toThrow(words);
			expect(rawServer.requests('tasks/cancel')).toEqual([]);
			expect(rawServer.requests('tools/call')).toHaveLength(1);
		},
	);

	it('that is reported as something else ends the call, and is canceled', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		rawServer.answer(await rawServer.expect('tasks/get'), task('asleep'));
		await expect(calling).rejects.toThrow('What the server reports about the task of "act" is malformed.');
		await rawServer.expect('tasks/cancel');
	});

	it('may run for longer than the timeout of a call, until its server is silent for that long (A04, D05)', async () => {
		const here = world();
		here.timeout = 0.6;
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('working'));
		const [running] = here.registry.calls;
		while ((running?.clock.serverTime ?? 0) < 1500) await polls.more(1);
		expect(running?.state).toBe('running');
		polls.report(task('input_required'));
		const pending = rawServer.ask(related('task-1'), await rawServer.expect('tasks/result'));
		const [elicitation] = await here.asked();
		polls.stop();
		while ((running?.clock.humanTime ?? 0) < 1500) await new Promise(setImmediate);
		elicitation.decline();
		await pending.response;
		await expect(calling).rejects.toThrow('"act" has not reported any progress for 0.6 s.');
		await rawServer.expect('tasks/cancel');
	});

	it('has all of its messages in the timeline of its call', async () => {
		const here = world();
		const { rawServer, calling, connection } = await callAsTask(here, open);
		const other = connection.callTool('act', { n: 2 });
		rawServer.answer(await rawServer.expect('tools/call'), {
			task: task('working', { taskId: 'task-2', pollInterval: 9_999 }),
		});
		const polls = new Polls(rawServer, task('input_required'));
		const listening = await rawServer.expect('tasks/result');
		const pending = rawServer.ask(related('task-1'), listening);
		const [elicitation] = await here.asked();
		elicitation.decline();
		await pending.response;
		rawServer.notify('notifications/tasks/status', task('working'));
		await rawServer.fence();
		polls.report(task('completed'));
		rawServer.finish(listening);
		await calling;
		rawServer.notify('notifications/tasks/status', task('cancelled', { taskId: 'task-2' }));
		await expect(other).rejects.toThrow('cancelled');
		const [one, two] = here.registry.calls;
		const belonging = here.trace.entries.filter(({ message }) => /task-1/.test(JSON.stringify(message)));
		expect(belonging.length).toBeGreaterThan(6);
		expect(belonging.filter(({ call }) => call !== one)).toEqual([]);
		const rest = here.trace.entries.filter(({ message }) => /task-2/.test(JSON.stringify(message)));
		expect(rest.filter(({ call }) => call !== two)).toEqual([]);
	});
});

describe('tools run as tasks', () => {
	it.each<[string, string | undefined, object | null, 'auto' | 'required' | 'never', boolean]>([
		['that require it', 'required', CAPABILITIES, 'required', true],
		['that support it, if the setting says so', 'optional', CAPABILITIES, 'auto', true],
		['that support it, unless the setting forbids it', 'optional', CAPABILITIES, 'required', false],
		['that support it, unless tasks are turned off', 'optional', CAPABILITIES, 'never', false],
		['unless they forbid it', 'forbidden', CAPABILITIES, 'auto', false],
		['unless they say nothing', undefined, CAPABILITIES, 'auto', false],
		['unless their server declares nothing', 'required', null, 'auto', false],
		['unless their server declares other requests', 'required', { requests: {} }, 'auto', false],
	])('%s (K01)', async (_name, support, tasks, setting, expected) => {
		const here = world();
		here.tasks = setting;
		const tools = [taskTool(support)];
		const { rawServer, connection } = await connectTaskServer(here, RawStdioServer.open, { tools, tasks });
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		expect('task' in call.params).toBe(expected);
		rawServer.finish(call, { plain: true });
		expect(await calling).toMatchObject({ structuredContent: { plain: true } });
	});

	it('or not at all if they require it and tasks are turned off: the error names the setting (K01)', async () => {
		const here = world();
		here.tasks = 'never';
		const { rawServer, connection } = await connectTaskServer(here, RawStdioServer.open);
		await expect(connection.callTool('act', {})).rejects.toThrow(
			'raw-server: "act" runs only as a task, and tasks are turned off. Set "mcpElicitation.tasks" to "auto" or "required", then start the server again.',
		);
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it('200 at once, each polled no faster than its server asks (K02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectTaskServer(here, RawStdioServer.open);
		const polled = new Map<string, number[]>();
		const tasks = Array.from({ length: 200 }, (_, n) => n);
		const calls = tasks.map((n) => connection.callTool('act', { n }));
		for (const _ of tasks) {
			const call = await rawServer.expect('tools/call');
			rawServer.answer(call, {
				task: task('working', { taskId: `task-${call.params.arguments.n}`, pollInterval: 400 }),
			});
		}
		for (let count = 0; count < 3 * tasks.length; count++) {
			const poll = await rawServer.expect('tasks/get');
			const { taskId } = poll.params;
			const times = [...(polled.get(taskId) ?? []), performance.now()];
			polled.set(taskId, times);
			const status = times.length === 3 ? 'completed' : 'working';
			rawServer.answer(poll, task(status, { taskId, pollInterval: 400 }));
		}
		for (const _ of tasks) {
			rawServer.finish(await rawServer.expect('tasks/result'));
		}
		await Promise.all(calls);
		for (const [one = 0, two = 0, three = 0] of polled.values()) {
			expect(Math.min(two - one, three - two)).toBeGreaterThanOrEqual(390);
		}
	});
});

it('a session that the server forgets may take its tasks with it: no tool is called twice (K17)', async () => {
	const here = world();
	const open = (options?: RawServerOptions) => RawHttpServer.open({ ...options, revision: LEGACY });
	const { rawServer, calling } = await callAsTask(here, open);
	(rawServer as RawHttpServer).refusePosts = ({ method }) =>
		method === 'tasks/get' ? { status: 404, body: 'Session not found' } : undefined;
	await expect(calling).rejects.toThrow('The server has forgotten the session of "act", and perhaps its task.');
	expect(rawServer.requests('tools/call')).toHaveLength(1);
});

it('the stream of a result that nobody waits for any more is closed', async () => {
	const here = world();
	const open = (options?: RawServerOptions) => RawHttpServer.open({ ...options, revision: LEGACY });
	const { rawServer, calling } = await callAsTask(here, open);
	const polls = new Polls(rawServer, task('input_required'));
	const listening = await rawServer.expect('tasks/result');
	polls.report(task('cancelled'));
	await expect(calling).rejects.toThrow('cancelled');
	await (rawServer as RawHttpServer).left(listening);
});

it('what a server reports by itself counts also while polls fail, and is no reason to poll (K02)', async () => {
	const here = world();
	const open = (options?: RawServerOptions) => RawHttpServer.open({ ...options, revision: LEGACY });
	const { rawServer, calling } = await callAsTask(here, open);
	let refused = 0;
	const failing = new Promise<void>((resolve) => {
		(rawServer as RawHttpServer).refusePosts = ({ method }) => {
			if (method !== 'tasks/get') return undefined;
			if (++refused === 2) resolve();
			return { status: 503 };
		};
	});
	await failing;
	rawServer.notify('notifications/tasks/status', task('input_required', { pollInterval: 2 ** 31 }));
	const listening = await rawServer.expect('tasks/result');
	const polls = refused;
	await rawServer.fence();
	expect(refused).toBe(polls);
	rawServer.finish(listening, { done: true });
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
});

it('a server that is busy is not polled before the time that it demands, which is no silence (K02)', async () => {
	const here = world();
	here.timeout = 1.5;
	const open = (options?: RawServerOptions) => RawHttpServer.open({ ...options, revision: LEGACY });
	const { rawServer, calling } = await callAsTask(here, open);
	const times: number[] = [];
	(rawServer as RawHttpServer).refusePosts = ({ method }) => {
		const isFirst = method === 'tasks/get' && times.push(Date.now()) === 1;
		return isFirst ? { status: 429, headers: { 'retry-after': '2' } } : undefined;
	};
	new Polls(rawServer, task('completed'));
	rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
	const [first = 0, second = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(1990);
});

it('a task outlives polls that fail for a while (K02)', async () => {
	const here = world();
	const open = (options?: RawServerOptions) => RawHttpServer.open({ ...options, revision: LEGACY });
	const { rawServer, calling } = await callAsTask(here, open);
	let refused = 0;
	(rawServer as RawHttpServer).refusePosts = ({ method }) => {
		if (method !== 'tasks/get' || refused === 2) return undefined;
		return ++refused === 1 ? { status: 503 } : 'broken';
	};
	new Polls(rawServer, task('completed'));
	rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
	expect(refused).toBe(2);
});
