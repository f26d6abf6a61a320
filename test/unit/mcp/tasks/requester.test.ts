import { describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../../src/elicitation/clock.ts';
import { variants } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { form, page, REQUESTS, required } from '../faults/rawServerFixtures.ts';
import { type TestClient, testClients } from '../testClient.ts';
import { eventually, simulateTimers } from '../timing.ts';
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

describe.each(variants(...REQUESTS.toReversed()))('a task of 2025-11-25 over %s', (_wire, open) => {
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
		['input_required', 'completed', {}],
		['input_required', 'failed', { isError: true }],
		['failed', 'failed', { isError: true }],
	])('whose result comes while it is %s counts as %s (K02)', async (polled, status, more) => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		new Polls(rawServer, task(polled));
		rawServer.answer(await rawServer.expect('tasks/result'), { content: [], ...more });
		expect(await calling).toMatchObject(more);
		expect(here.registry.calls[0]?.task?.status).toBe(status);
	});

	it.each([
		['while no call runs', {}, false],
		['that is large', { statusMessage: 'x'.repeat(20_000) }, true],
	])('is not told from a report about an unknown task %s (K02)', async (_what, more, running) => {
		const { rawServer, connection } = await connectTaskServer(world(), open);
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

	it('is canceled with "tasks/cancel", before what it asks is answered with "cancel" (K04, D03)', async () => {
		const here = world();
		const { rawServer, calling, abort } = await callAsTask(here, open);
		new Polls(rawServer, task('input_required'));
		const pending = rawServer.ask(related('task-1'), await rawServer.expect('tasks/result'));
		await here.asked();
		abort.abort(new Error('The user does not want it any more.'));
		await expect(calling).rejects.toThrow('The user does not want it any more.');
		const canceling = await rawServer.expect('tasks/cancel');
		expect((await pending.response).result).toMatchObject({ action: 'cancel' });
		const { received } = rawServer;
		expect(received.indexOf(canceling)).toBeLessThan(received.findIndex(({ id }) => id === pending.id));
	});

	it('is not canceled where its server does not say that it can do that (K04)', async () => {
		const here = world();
		const { requests } = CAPABILITIES;
		const { rawServer, connection } = await connectTaskServer(here, open, { tasks: { requests } });
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working') });
		await eventually(() => here.registry.calls[0]?.task);
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		connection.callTool('act', {}).catch(() => {});
		await rawServer.expect('tools/call');
		expect(rawServer.requests('tasks/cancel')).toEqual([]);
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
	});

	it('is not canceled when its connection is stopped, however long its server takes to end the session (K16)', async () => {
		const here = world();
		const { rawServer, connection, calling } = await callAsTask(here, open);
		const poll = await rawServer.expect('tasks/get');
		let end = () => {};
		const ending = new Promise<void>((resolve) => {
			if (rawServer instanceof RawHttpServer) {
				rawServer.front = async ({ method }) => {
					if (method === 'DELETE') {
						resolve();
						await new Promise<void>((done) => {
							end = done;
						});
					}
					return undefined;
				};
			} else {
				resolve();
			}
		});
		const stopping = connection.stop();
		await ending;
		rawServer.answer(poll, task('working'));
		await expect(calling).rejects.toThrow('The server was stopped while "act" was running.');
		end();
		await stopping;
		expect(here.wire('sent', ({ method }) => method === 'tasks/cancel')).toEqual([]);
	});

	it('that has the id of another one hears its reports, too, and ends when its connection is stopped (K02)', async () => {
		const here = world();
		const { rawServer, connection, calling } = await callAsTask(here, open, { pollInterval: 600_000 });
		await eventually(() => here.registry.calls[0]?.task);
		const second = connection.callTool('act', {});
		rawServer.answer(await rawServer.expect('tools/call'), { task: task('working', { pollInterval: 600_000 }) });
		await eventually(() => here.registry.calls[1]?.task);
		rawServer.notify('notifications/tasks/status', task('working', { statusMessage: 'Both', pollInterval: 600_000 }));
		await eventually(() => here.registry.calls.every((call) => call.task?.message === 'Both'));
		const stopped = 'raw-server: The server was stopped while "act" was running.';
		const ends = [calling, second].map((each) => expect(each).rejects.toThrow(stopped));
		await connection.stop();
		await Promise.all(ends);
	});

	it.each([[[]], [null]])(
		'is followed also if %j stands beside it for content that is still to come',
		async (content) => {
			const { rawServer, connection } = await connectTaskServer(world(), open);
			const calling = connection.callTool('act', {});
			rawServer.answer(await rawServer.expect('tools/call'), { content, task: task('completed') });
			rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
			expect(await calling).toMatchObject({ structuredContent: { done: true } });
		},
	);

	it('asks for URLs with an error: no other request belongs to its call meanwhile; it runs again when they are done', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, task('failed'));
		rawServer.fail(await rawServer.expect('tasks/result'), required(page('1')));
		const [elicitation] = await here.asked();
		const pending = rawServer.ask(form);
		const [, own] = await here.asked(2);
		expect(own?.origin.calls).toEqual([]);
		own?.decline();
		await pending.response;
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
		const { rawServer, connection } = await connectTaskServer(here, RawHttpServer.open, { tools, tasks });
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		expect('task' in call.params).toBe(expected);
		rawServer.finish(call, { plain: true });
		expect(await calling).toMatchObject({ structuredContent: { plain: true } });
	});

	it('or not at all if they require it and tasks are turned off: the error names the setting (K01)', async () => {
		const here = world();
		here.tasks = 'never';
		const { rawServer, connection } = await connectTaskServer(here, RawHttpServer.open);
		await expect(connection.callTool('act', {})).rejects.toThrow(
			'raw-server: "act" runs only as a task, and tasks are turned off. Set "mcpElicitation.tasks" to "auto" or "required", then start the server again.',
		);
		expect(rawServer.requests('tools/call')).toEqual([]);
	});
});

describe('over HTTP, a task', () => {
	async function called(here: TestClient) {
		const { rawServer, ...on } = await callAsTask(here, RawHttpServer.open);
		return { rawServer: rawServer as RawHttpServer, ...on };
	}

	it('may be gone with the session that the server forgets: no tool is called twice (K17)', async () => {
		const { rawServer, calling } = await called(world());
		rawServer.refusePosts = ({ method }) =>
			method === 'tasks/get' ? { status: 404, body: 'Session not found' } : undefined;
		await expect(calling).rejects.toThrow('The server has forgotten the session of "act", and perhaps its task.');
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});

	it('that was canceled has the stream of its result closed, which nobody waits for any more', async () => {
		const { rawServer, calling } = await called(world());
		const polls = new Polls(rawServer, task('input_required'));
		const listening = await rawServer.expect('tasks/result');
		polls.report(task('cancelled'));
		await expect(calling).rejects.toThrow('cancelled');
		await rawServer.left(listening);
	});

	it('may be reported by its server also while polls fail, which is no reason to poll (K02)', async () => {
		const { rawServer, calling } = await called(world());
		let refused = 0;
		const failing = new Promise<void>((resolve) => {
			rawServer.refusePosts = ({ method }) => {
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

	it('of a server that is busy is not polled before the time that it demands, which is no silence (K02)', async () => {
		const here = world();
		here.timeout = 15;
		simulateTimers('performance');
		const { rawServer, calling } = await called(here);
		const limits = vi.spyOn(here.registry.calls[0]?.clock as Clock, 'limitSilence');
		const times: number[] = [];
		rawServer.refusePosts = ({ method }) => {
			const isFirst = method === 'tasks/get' && times.push(performance.now()) === 1;
			return isFirst ? { status: 429, headers: { 'retry-after': '20' } } : undefined;
		};
		new Polls(rawServer, task('completed'));
		await eventually(() => limits.mock.calls.some(([ms]) => ms === 20_000));
		await vi.advanceTimersByTimeAsync(20_000);
		rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		const [first = 0, second = 0] = times;
		expect(second - first).toBeGreaterThanOrEqual(20_000);
	});
});
