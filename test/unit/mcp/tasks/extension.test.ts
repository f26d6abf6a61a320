import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { variants } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { MODERN, type RawServer, type RawServerOptions } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { ask, callRawServerTool, connectRawServer, form, page, ROUNDS, request } from '../faults/rawServerFixtures.ts';
import { createGuardedServer } from '../rawServerSteps.ts';
import { type TestClient, testClients, type Wire } from '../testClient.ts';
import { eventually } from '../timing.ts';
import { EXTENSION, modernTask, Polls } from './taskFixtures.ts';

const world = testClients();

const created = (more: object = {}) => ({ ...modernTask('working', more), resultType: 'task' });
const asking = (inputRequests: object, more: object = {}) => modernTask('input_required', { inputRequests, ...more });
const result = (structuredContent: object = {}) => ({ content: [], structuredContent });

/** Calls the tool of a raw server, which creates a task. */
async function callAsTask(here: TestClient, open: (typeof ROUNDS)[number][1], more: object = {}) {
	const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
	calling.catch(() => {});
	rawServer.answer(call, created(more));
	return { rawServer, connection, calling, call };
}

/** Has the task end with a result, which its call gets. */
async function completes(polls: Polls, calling: Promise<unknown>): Promise<void> {
	polls.report(modernTask('completed', { result: result({ done: true }) }));
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
}

/** Takes a response. */
async function takes(rawServer: RawServer): Promise<Wire> {
	const update = await rawServer.expect('tasks/update');
	rawServer.answer(update, { resultType: 'complete' });
	return update.params.inputResponses;
}

it('a task fails that requests more and more inputs, however many polls they are spread over', async () => {
	const here = world();
	const { rawServer, calling } = await callAsTask(here, () => RawStdioServer.open({ revision: MODERN }));
	const inputs = (of: string) =>
		asking(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${of}${at}`, request(form)])));
	const polls = new Polls(rawServer, inputs('a'));
	await here.until(() => here.registry.live.length === 600);
	polls.report(inputs('b'));
	await expect(calling).rejects.toThrow('The task of "act" requests more than 1000 inputs.');
	expect(here.registry.live).toEqual([]);
	await rawServer.expect('tasks/cancel');
});

it('a task goes on whose creation the server sends twice', async () => {
	const { rawServer, calling, call } = await callRawServerTool(world(), () =>
		RawStdioServer.open({ revision: MODERN }),
	);
	const line = `${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: created() })}\n`;
	rawServer.raw(line + line);
	await completes(new Polls(rawServer, modernTask('working')), calling);
	expect(rawServer.requests('tasks/cancel')).toEqual([]);
});

describe.each(variants(...ROUNDS.toReversed()))('a task of 2026-07-28 over %s', (_wire, open) => {
	it('is declared with each request, and its result is polled (K10, K11)', async () => {
		const { rawServer, calling, call } = await callAsTask(world(), open);
		const polls = new Polls(rawServer, modernTask('working'));
		await polls.more(2);
		await completes(polls, calling);
		for (const sent of [call, ...rawServer.requests('tasks/get')]) {
			const declared = sent.params._meta['io.modelcontextprotocol/clientCapabilities'];
			expect(declared.extensions).toEqual({ [EXTENSION]: {} });
			expect(declared).not.toHaveProperty('tasks');
		}
	});

	it('shows each request once, however often it is polled, and sends each response as it is given (K12, K13)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const inputRequests = { name: request(form), again: request({ ...form, message: 'Once more?' }) };
		const polls = new Polls(rawServer, asking(inputRequests));
		await polls.more(3);
		const [one, two] = await here.asked(2);
		expect(here.registry.elicitations).toHaveLength(2);
		expect([one.cause, two?.cause]).toEqual([here.registry.calls[0], here.registry.calls[0]]);
		expect([one.origin.key, two?.origin.key]).toEqual(['name', 'again']);
		two?.decline();
		const first = await rawServer.expect('tasks/update');
		expect(first.params).toMatchObject({ taskId: 'task-1', inputResponses: { again: { action: 'decline' } } });
		expect(Object.keys(first.params.inputResponses)).toEqual(['again']);
		rawServer.answer(first, { resultType: 'complete' });
		// The acknowledgement doesn't mean that the status has changed.
		await polls.more(2);
		await here.registry.accept(one, { name: 'Ada' });
		expect(await takes(rawServer)).toEqual({ name: { action: 'accept', content: { name: 'Ada' } } });
		await polls.more(2);
		expect(here.registry.elicitations).toHaveLength(2);
		expect(rawServer.requests('tasks/update')).toHaveLength(2);
		await completes(polls, calling);
		expect([one.delivery?.state, two?.delivery?.state]).toEqual(['delivered', 'delivered']);
	});

	it('may follow a round of the call itself (K18)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.answer(call, ask({ name: request(form) }, 'state'));
		await here.registry.accept((await here.asked())[0], { name: 'Ada' });
		const second = await rawServer.expect('tools/call');
		expect(second.params).toMatchObject({ requestState: 'state', inputResponses: { name: { action: 'accept' } } });
		rawServer.answer(second, created());
		const polls = new Polls(rawServer, asking({ name: request(form) }));
		const [elicitation] = await here.asked();
		elicitation.decline();
		await takes(rawServer);
		await completes(polls, calling);
		expect(here.registry.elicitations.map(({ state, delivery }) => [state, delivery?.state])).toEqual([
			['accepted', 'delivered'],
			['declined', 'delivered'],
		]);
	});

	it.each([
		['completed', {}, { result: result({ done: true }) }],
		['completed', { result: null, error: null }, { result: result({ done: true }) }],
		['failed', {}, { error: { code: -32603, message: 'No stock' } }],
	])('that is %s when it is created (%j) is polled at once for what it ended with (K11)', async (status, more, end) => {
		const { rawServer, calling } = await callAsTask(world(), open, { status, pollIntervalMs: 2 ** 31, ...more });
		rawServer.answer(await rawServer.expect('tasks/get'), modernTask(status, end));
		if (status === 'completed') {
			expect(await calling).toMatchObject({ structuredContent: { done: true } });
		} else {
			await expect(calling).rejects.toThrow('No stock.');
		}
		expect(rawServer.requests('tasks/cancel')).toEqual([]);
	});

	it('whose server responds to a response with an error lets the user send it again (K13, D01)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, asking({ name: request(form) }));
		const [elicitation] = await here.asked();
		elicitation.decline();
		rawServer.fail(await rawServer.expect('tasks/update'), { code: -32603, message: 'Busy' });
		await here.until(() => elicitation.delivery?.state === 'undelivered');
		expect(here.registry.unsent).toEqual([elicitation]);
		const { problem } = elicitation.delivery ?? {};
		expect(problem && render(problem, english)).toBe('The server responded with error -32603: Busy.');
		elicitation.delivery?.sendAgain();
		expect(await takes(rawServer)).toEqual({ name: { action: 'decline' } });
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await completes(polls, calling);
	});

	it('of an earlier session is canceled without a call (K04)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		connection.cancelTask('earlier');
		const cancel = await rawServer.expect('tasks/cancel');
		expect(cancel.params).toMatchObject({ taskId: 'earlier' });
		rawServer.fail(cancel, { code: -32602, message: 'Task not found' });
		expect(here.registry.calls).toEqual([]);
		await connection.stop();
		connection.cancelTask('earlier');
		expect(rawServer.requests('tasks/cancel')).toHaveLength(1);
	});

	it('withdraws a request that its server does not wait for any more, and shows it again if it does (K12)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, asking({ name: request(form) }));
		const [first] = await here.asked();
		polls.report(modernTask('working'));
		await here.until(() => first.state === 'withdrawn');
		polls.report(asking({ name: request(form) }));
		const [second] = await here.asked();
		expect(second).not.toBe(first);
		await completes(polls, calling);
	});

	it('asks for nothing that this client did not offer: the call fails, and the task is canceled (R08)', async () => {
		const { rawServer, calling } = await callAsTask(world(), open);
		new Polls(rawServer, asking({ text: { method: 'sampling/createMessage', params: {} } }));
		await expect(calling).rejects.toThrow('"act" requests "sampling/createMessage" from the client');
		await rawServer.expect('tasks/cancel');
	});

	it('completes an opened URL when it has its result (K12)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, asking({ page: request(page('1')) }));
		const [elicitation] = await here.asked();
		elicitation.opened();
		await takes(rawServer);
		await completes(polls, calling);
		expect(elicitation.state).toBe('completed');
	});

	it('does not when its result reports an error (K12)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, asking({ page: request(page('1')) }));
		const [elicitation] = await here.asked();
		elicitation.opened();
		await takes(rawServer);
		polls.report(modernTask('completed', { result: { isError: true, content: [] } }));
		expect(await calling).toMatchObject({ isError: true });
		expect(elicitation.state).toBe('withdrawn');
	});

	it('responds again to what needs no user if its server has not got the response (K13)', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const polls = new Polls(rawServer, asking({ roots: { method: 'roots/list' } }));
		rawServer.fail(await rawServer.expect('tasks/update'), { code: -32603, message: 'Busy' });
		expect(await takes(rawServer)).toEqual({ roots: { roots: expect.any(Array) } });
		await completes(polls, calling);
		expect(here.registry.elicitations).toEqual([]);
	});

	it('tells once of a request that is refused, however often its server does not take the response', async () => {
		const here = world();
		const { rawServer, calling } = await callAsTask(here, open);
		const { elicitationId: _, ...unsafe } = page('1', 'http://example.com/');
		const polls = new Polls(rawServer, asking({ page: request(unsafe), name: request(form) }));
		for (const message of ['Busy', 'Still busy']) {
			rawServer.fail(await rawServer.expect('tasks/update'), { code: -32603, message });
		}
		expect(await takes(rawServer)).toEqual({ page: { action: 'cancel' } });
		await polls.more(3);
		expect(rawServer.requests('tasks/update')).toHaveLength(3);
		expect(here.refusals).toHaveLength(1);
		expect(here.registry.calls[0]?.refusals).toEqual([here.refusals[0]?.reason]);
		await completes(polls, calling);
	});

	it('is not declared if tasks are turned off, and then no valid response (K10)', async () => {
		const here = world();
		here.tasks = 'never';
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		expect(call.params._meta['io.modelcontextprotocol/clientCapabilities']).not.toHaveProperty('extensions');
		const failing = expect(calling).rejects.toThrow("Unsupported result type 'task'");
		rawServer.answer(call, created());
		await failing;
		expect(rawServer.requests('tasks/get')).toEqual([]);
	});

	it('is no valid response to anything but a call of a tool (K10)', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const failing = expect(connection.getPrompt('act', {})).rejects.toThrow(
			'The server created a task for "act"; only tools may run as tasks.',
		);
		rawServer.answer(await rawServer.expect('prompts/get'), created());
		await failing;
	});
});

it('a task that needs input when it is created asks nothing for a session that was closed meanwhile', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: MODERN });
	const keeper = { waits: () => connection.stop(), sends: async () => true, ends: async () => {} };
	const failing = expect(connection.callTool('act', {}, { keeper })).rejects.toThrow('was stopped while "act"');
	const inputRequests = { name: request(form) };
	rawServer.answer(await rawServer.expect('tools/call'), created({ status: 'input_required', inputRequests }));
	await failing;
	expect(here.registry.elicitations).toEqual([]);
});

it('a task of a server that returns ids as strings is followed, not canceled', async () => {
	const open = (options?: RawServerOptions) => RawStdioServer.open({ ...options, revision: MODERN });
	const { rawServer, connection } = await connectRawServer(world(), open);
	const calling = connection.callTool('act', {});
	const call = await rawServer.expect('tools/call');
	rawServer.send({ id: String(call.id), result: created() });
	rawServer.answer(await rawServer.expect('tasks/get'), modernTask('completed', { result: result({ done: true }) }));
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
	expect(rawServer.requests('tasks/cancel')).toEqual([]);
});

it('a report of the server without its requests or result only leads to a poll: the form stays (K12)', async () => {
	const here = world();
	const open = (options?: RawServerOptions) => RawStdioServer.open({ ...options, revision: MODERN });
	const { rawServer, calling } = await callAsTask(here, open);
	const polls = new Polls(rawServer, asking({ name: request(form) }, { pollIntervalMs: 2 ** 31 }));
	const [elicitation] = await here.asked();
	rawServer.notify('notifications/tasks', modernTask('input_required', { pollIntervalMs: 2 ** 31 }));
	await eventually(() => polls.count === 2);
	expect(elicitation.state).toBe('asking');
	elicitation.decline();
	await takes(rawServer);
	polls.report(modernTask('completed', { result: result({ done: true }) }));
	rawServer.notify('notifications/tasks', modernTask('completed'));
	expect(await calling).toMatchObject({ structuredContent: { done: true } });
});

it('over HTTP, each request about a task names it in a header (K14)', async () => {
	const here = world();
	const headers: [string, unknown, unknown][] = [];
	const { rawServer, connection } = await connectRawServer(
		here,
		async () => {
			const opened = await RawHttpServer.open({ revision: MODERN });
			opened.refusePosts = ({ method }, received) => {
				if (/^tasks\//.test(method)) headers.push([method, received['mcp-method'], received['mcp-name']]);
				return undefined;
			};
			return opened;
		},
		{},
	);
	const abort = new AbortController();
	const calling = connection.callTool('act', {}, { signal: abort.signal });
	rawServer.answer(await rawServer.expect('tools/call'), created());
	new Polls(rawServer, asking({ name: request(form) }));
	(await here.asked())[0].decline();
	await takes(rawServer);
	abort.abort(new Error('Enough.'));
	await expect(calling).rejects.toThrow('Enough.');
	await rawServer.expect('tasks/cancel');
	expect(new Set(headers.map(([method]) => method))).toEqual(new Set(['tasks/get', 'tasks/update', 'tasks/cancel']));
	expect(headers.filter(([method, named, name]) => named !== method || name !== 'task-1')).toEqual([]);
});

/** The same on a server that requires a sign-in. */
async function callGuarded(here: TestClient) {
	const { connection, ...on } = await createGuardedServer(here, { revision: MODERN });
	const calling = connection.callTool('act', {});
	calling.catch(() => {});
	on.rawServer.answer(await on.rawServer.expect('tools/call'), created());
	return { calling, ...on };
}

it.each([
	['an error page', { outage: 503 }],
	['no metadata', { metadataOutage: 503 }],
	['an error that passes', { tokenRefusal: 'temporarily_unavailable' }],
])('a task outlives a renewal of the sign-in that fails for a while (%s)', async (_how, fault) => {
	const { guest, authorization, rawServer, calling } = await callGuarded(world());
	const polls = new Polls(rawServer, modernTask('working'));
	await polls.more(1);
	const sound = { ...authorization.behavior };
	Object.assign(authorization.behavior, fault);
	authorization.expire('access');
	await Promise.race([calling, new Promise((resolve) => setTimeout(resolve, 300))]);
	Object.assign(authorization.behavior, sound);
	await completes(polls, calling);
	expect(guest.requests).toHaveLength(1);
});

it('a response that takes another sign-in is not given up while the user signs in (K13, D01)', async () => {
	const here = world();
	const { guest, authorization, rawServer, calling } = await callGuarded(here);
	const polls = new Polls(rawServer, asking({ name: request(form) }));
	const [elicitation] = await here.asked();
	const visit = guest.visit.bind(guest);
	const problems: unknown[] = [];
	guest.visit = async (...page) => {
		while (!elicitation.delivery) {
			await setImmediate();
		}
		await vi.advanceTimersByTimeAsync(90_000);
		vi.useRealTimers();
		problems.push(elicitation.delivery?.problem);
		return visit(...page);
	};
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
	authorization.expire('access', 'refresh');
	await here.registry.accept(elicitation, { name: 'Ada' });
	await takes(rawServer);
	await here.until(() => elicitation.delivery?.state === 'delivered');
	await completes(polls, calling);
	expect(guest.requests).toHaveLength(2);
	expect(problems).toEqual([undefined]);
});
