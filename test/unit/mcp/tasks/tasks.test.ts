import { describe, expect, it, vi } from 'vitest';
import type { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { WIRES } from '../rawServerSteps.ts';
import { testClients } from '../testClient.ts';
import { eventually, simulateTimers } from '../timing.ts';
import { connectTasks, Polls } from './taskFixtures.ts';

/*
 * What is the same in both revisions with tasks. What only one has: see requester.test.ts (2025-11-25) and
 * extension.test.ts (2026-07-28). When they are polled: see taskCall.test.ts.
 */

const world = testClients();

const NEVER = 2 ** 31;

describe.each(WIRES)('over %s, a task of %3$s', (wire, open, revision) => {
	/** Servers of 2026-07-28 have no stream of their own over HTTP. */
	const isMute = wire === 'HTTP' && revision === MODERN;

	it('is polled until it has its result, and its status and progress are told (K02, K11)', async () => {
		const here = world();
		const { rawServer, report, call, complete } = await connectTasks(here, open, revision);
		const { calling, request, told } = await call({ statusMessage: 'Queued' });
		const polls = new Polls(rawServer, report('working', { statusMessage: 'Queued' }));
		await polls.more(2);
		const { progressToken } = request.params._meta;
		if (!isMute) {
			rawServer.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'Half' });
			await here.until(() => told.length === 2);
		}
		polls.report(report('working', { statusMessage: 'Gathering sources' }));
		await polls.more(2);
		await complete(polls, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(told).toEqual(
			isMute
				? [
						{ progress: 0, message: 'Queued' },
						{ progress: 0, message: 'Gathering sources' },
					]
				: [
						{ progress: 0, message: 'Queued' },
						{ progress: 1, total: 2, message: 'Half' },
						{ progress: 1, total: 2, message: 'Gathering sources' },
					],
		);
		expect([here.registry.calls[0]?.state, rawServer.requests('tools/call').length]).toEqual(['succeeded', 1]);
	});

	it('is canceled with "tasks/cancel", and the call ends at once, with what it asks (K04, K15)', async () => {
		const here = world();
		const { rawServer, report, call, ask } = await connectTasks(here, open, revision);
		const { calling, abort } = await call();
		const elicitation = await ask(new Polls(rawServer, report('working')));
		abort.abort(new Error('The user does not want it any more.'));
		await expect(calling).rejects.toThrow('The user does not want it any more.');
		expect((await rawServer.expect('tasks/cancel')).params).toMatchObject({ taskId: 'task-1' });
		expect(elicitation.state).toBe(revision === MODERN ? 'withdrawn' : 'cancelled');
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
		expect(here.registry.calls[0]?.state).toBe('cancelled');
	});

	it.skipIf(isMute)('is canceled as soon as it exists if the call was canceled before (K04, K15)', async () => {
		const { rawServer, connection, created } = await connectTasks(world(), open, revision);
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		const call = await rawServer.expect('tools/call');
		abort.abort(new Error('Too late.'));
		await expect(calling).rejects.toThrow('Too late.');
		if (revision === LEGACY) {
			await rawServer.fence();
			expect(rawServer.requests('notifications/cancelled')).toEqual([]);
		}
		rawServer.answer(call, created());
		expect((await rawServer.expect('tasks/cancel')).params).toMatchObject({ taskId: 'task-1' });
	});

	it.each([
		['"act": Out of paper.', { statusMessage: 'Out of paper' }],
		['"act".', {}],
	])('that its server cancels ends with what the server says: %s (K02, D02)', async (words, more) => {
		const { rawServer, report, call, ask } = await connectTasks(world(), open, revision);
		const { calling } = await call();
		const polls = new Polls(rawServer, report('working'));
		const elicitation = await ask(polls);
		polls.report(report('cancelled', more));
		await expect(calling).rejects.toThrow(`raw-server: The server cancelled ${words}`);
		expect(elicitation.state).toBe(revision === MODERN ? 'withdrawn' : 'cancelled');
		expect(rawServer.requests('tasks/cancel')).toEqual([]);
	});

	it.each([
		[{ code: -32000, message: 'The disk is full' }],
		// Looks like that of a server that is busy.
		[{ code: -32603, message: 'Upstream is down', data: { status: 503 } }],
	])('that failed ends with its own error, %j, and is neither canceled nor called again (K02, K11)', async (error) => {
		const here = world();
		const { rawServer, report, call, ask, fail } = await connectTasks(here, open, revision);
		const { calling } = await call();
		const polls = new Polls(rawServer, report('working'));
		if (revision === MODERN) await ask(polls);
		await fail(polls, error);
		await expect(calling).rejects.toThrow(`${error.message}.`);
		expect(here.registry.live).toEqual([]);
		expect(['tasks/cancel', 'tools/call', 'tasks/result'].map((each) => rawServer.requests(each).length)).toEqual([
			0,
			1,
			revision === MODERN ? 0 : 1,
		]);
	});

	it.each([
		[60_000, 'The server does not know the task of "act" any more: Task not found.'],
		[0, 'The server keeps the task of "act" for 0 s only, and that time is over.'],
	])(
		'that is unknown to its server is told as such, and with its time if that is over (ttl %i, K17)',
		async (ttl, words) => {
			const { rawServer, call } = await connectTasks(world(), open, revision);
			const { calling } = await call({ ttl });
			rawServer.fail(await rawServer.expect('tasks/get'), { code: -32602, message: 'Task not found' });
			await expect(calling).rejects.toThrow(words);
			expect([rawServer.requests('tasks/cancel').length, rawServer.requests('tools/call').length]).toEqual([0, 1]);
		},
	);

	it.each([
		['as something else', { status: 'asleep' }],
		['as another one', { taskId: 'task-2' }],
	])('that is reported %s ends the call, and is canceled', async (_as, more) => {
		const { rawServer, report, call } = await connectTasks(world(), open, revision);
		const { calling } = await call();
		rawServer.answer(await rawServer.expect('tasks/get'), report('working', more));
		await expect(calling).rejects.toThrow('What the server reports about the task of "act" is malformed.');
		expect((await rawServer.expect('tasks/cancel')).params).toMatchObject({ taskId: 'task-1' });
	});

	it('may run for longer than the timeout of a call, until its server is silent for that long (A04, D05)', async () => {
		const here = world();
		here.timeout = 60;
		simulateTimers('performance');
		const { rawServer, report, call, ask } = await connectTasks(here, open, revision);
		const at = (poll: number) => report('working', { interval: 50_000, statusMessage: `Step ${poll}` });
		const { calling } = await call({ interval: 50_000, statusMessage: 'Step 0' });
		const polls = new Polls(rawServer, at(0));
		const [running] = here.registry.calls;
		const step = (poll: number) => eventually(() => running?.task?.message === `Step ${poll}`);
		for (let poll = 1; poll <= 3; poll++) {
			await step(poll - 1);
			polls.report(at(poll));
			await vi.advanceTimersByTimeAsync(50_000);
		}
		await step(3);
		expect(running?.state).toBe('running');
		expect(running?.clock.serverTime).toBeGreaterThanOrEqual(150_000);
		const asking = ask(polls);
		await vi.advanceTimersByTimeAsync(50_000);
		const elicitation = await asking;
		polls.stop();
		await vi.advanceTimersByTimeAsync(150_000);
		expect(running?.state).toBe('running');
		elicitation.decline();
		if (revision === MODERN) rawServer.answer(await rawServer.expect('tasks/update'), { resultType: 'complete' });
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await vi.advanceTimersByTimeAsync(150_000);
		await expect(calling).rejects.toThrow('the server has been silent for 60 s since.');
		await rawServer.expect('tasks/cancel');
	});

	it('ends at once when its connection is stopped, however long its server wants it not to be polled', async () => {
		const here = world();
		const { rawServer, connection, call } = await connectTasks(here, open, revision);
		const { calling } = await call({ interval: NEVER });
		await eventually(() => here.registry.calls[0]?.task);
		await connection.stop();
		await expect(calling).rejects.toThrow('raw-server: The server was stopped while "act" was running.');
		expect(rawServer.requests('tasks/get')).toEqual([]);
	});

	it.skipIf(wire === 'stdio')('outlives polls that fail for a while (K02, K11)', async () => {
		const { rawServer, report, call, complete } = await connectTasks(world(), open, revision);
		const refusals = [{ status: 503 }, 'broken', { status: 502 }] as const;
		let refused = 0;
		(rawServer as RawHttpServer).refusePosts = ({ method }) =>
			method === 'tasks/get' && refused < refusals.length ? refusals[refused++] : undefined;
		const { calling } = await call();
		await complete(new Polls(rawServer, report('working')), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(refused).toBe(3);
	});

	describe.skipIf(isMute)('whose server reports by itself', () => {
		const end = (structuredContent = { done: true }) =>
			revision === MODERN ? { result: { content: [], structuredContent } } : {};

		it('goes on at once, and is not polled (K02, K11)', async () => {
			const here = world();
			const { rawServer, call, notice } = await connectTasks(here, open, revision);
			const { calling } = await call({ interval: NEVER });
			notice('working', { interval: NEVER, statusMessage: 'On my way' });
			await eventually(() => here.registry.calls[0]?.task?.message === 'On my way');
			notice('completed', { taskId: 'foreign', ...end() });
			await eventually(() => here.wire('received', ({ params }) => params?.taskId === 'foreign').length === 1);
			expect(here.registry.calls[0]?.task?.status).toBe('working');
			notice('completed', end());
			if (revision === LEGACY) rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
			expect(await calling).toMatchObject({ structuredContent: { done: true } });
			expect(rawServer.requests('tasks/get')).toEqual([]);
		});

		it.each(['before its call has its response', 'during a poll'])('is heard %s (K02, K11)', async (when) => {
			const here = world();
			const { rawServer, connection, report, created, notice } = await connectTasks(here, open, revision);
			const heard = () =>
				here.until(() => here.wire('received', ({ method }) => /^notifications\/tasks/.test(method)).length > 0);
			const calling = connection.callTool('act', {});
			const call = await rawServer.expect('tools/call');
			if (when.startsWith('before')) {
				notice('completed', end());
				await heard();
				rawServer.answer(call, created({ interval: NEVER }));
			} else {
				rawServer.answer(call, created());
				const poll = await rawServer.expect('tasks/get');
				notice('completed', end());
				await heard();
				rawServer.answer(poll, report('working', { interval: NEVER }));
			}
			if (revision === LEGACY) rawServer.finish(await rawServer.expect('tasks/result'), { done: true });
			expect(await calling).toMatchObject({ structuredContent: { done: true } });
		});
	});
});
