import { describe, expect, it } from 'vitest';
import { variants } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY } from '../../../rawServer/rawServer.ts';
import { callRawServerTool, connectRawServer, form, REQUESTS } from '../faults/rawServerFixtures.ts';
import { testClients, type Wire } from '../testClient.ts';
import { RELATED } from './taskFixtures.ts';

const world = testClients();

const asTask = (task: unknown = {}) => ({ ...form, task });

describe.each(variants(...REQUESTS.toReversed()))('an elicitation that is sent as a task over %s', (_wire, open) => {
	/** Calls a tool that elicits input as a task, and returns what sends further requests about it. */
	async function elicit(params: object = asTask({ ttl: 60_000 })) {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		// Most tests leave the call running.
		calling.catch(() => {});
		const { result } = await rawServer.ask(params, call).response;
		let count = 0;
		const about = async (method: string, params: object): Promise<Wire> => {
			const id = `about-${++count}`;
			rawServer.send({ id, method, params }, call);
			return rawServer.until(() => rawServer.responses(id)[0]);
		};
		return { here, rawServer, calling, call, about, created: result.task };
	}

	it('is accepted at once, and fetched when the user has responded (K05)', async () => {
		const { here, rawServer, calling, call, about, created } = await elicit();
		expect(created).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: expect.any(Number) });
		expect(created.taskId).toMatch(/^[0-9a-f-]{36}$/);
		const { taskId } = created;
		const [elicitation] = await here.asked();
		expect(elicitation.cause?.name).toBe('act');
		expect((await about('tasks/get', { taskId })).result).toEqual(created);
		expect((await about('tasks/list', {})).result).toEqual({ tasks: [created] });
		const waiting = about('tasks/result', { taskId });
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect((await waiting).result).toEqual({
			action: 'accept',
			content: { name: 'Ada' },
			_meta: { [RELATED]: { taskId } },
		});
		expect((await rawServer.expect('notifications/tasks/status')).params).toMatchObject({
			taskId,
			status: 'completed',
		});
		expect((await about('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
		await here.until(() => elicitation.delivery?.state === 'delivered');
		rawServer.finish(call);
		await calling;
		const foreign = here.trace.entries.filter(
			({ message, call: of }) => JSON.stringify(message).includes(taskId) && of !== here.registry.calls[0],
		);
		expect(foreign).toEqual([]);
	});

	it('that the server cancels is withdrawn, and cannot be canceled twice (K05)', async () => {
		const { here, rawServer, about, created } = await elicit();
		const { taskId } = created;
		const [elicitation] = await here.asked();
		const waiting = about('tasks/result', { taskId });
		expect((await about('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
		expect(elicitation.state).toBe('withdrawn');
		expect((await waiting).error).toMatchObject({ message: 'The task was cancelled.' });
		expect((await about('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
		expect(rawServer.requests('notifications/tasks/status')).toHaveLength(1);
	});

	it.each([
		['an hour if the server asks for nothing', {}, 3_600_000],
		// A timer with such a delay would fire at once.
		['a day if it asks for more', { ttl: 1e12 }, 86_400_000],
	])('is kept for %s (K05)', async (_time, params, ttl) => {
		const { here, created } = await elicit(asTask(params));
		expect(created.ttl).toBe(ttl);
		const [elicitation] = await here.asked();
		expect(elicitation.live).toBe(true);
	});

	it('that is answered with an error has failed, and its result is the error (K05)', async () => {
		const { here, rawServer, about, created } = await elicit();
		const [elicitation] = await here.asked();
		elicitation.respond({ action: 'error', code: -32000, message: 'On purpose.' });
		const { params } = await rawServer.expect('notifications/tasks/status');
		expect(params).toMatchObject({ taskId: created.taskId, status: 'failed' });
		const { error } = await about('tasks/result', { taskId: created.taskId });
		expect(error).toEqual({ code: -32000, message: 'On purpose.' });
	});

	it('is gone once its time is over, and the user is not asked any more (K05)', async () => {
		const { here, about, created } = await elicit(asTask({ ttl: 100 }));
		const [elicitation] = here.registry.elicitations;
		await here.until(() => elicitation?.state === 'withdrawn');
		expect(elicitation?.withdrawal?.text).toBe('The time that the server allowed for a response is over.');
		expect((await about('tasks/get', { taskId: created.taskId })).error).toMatchObject({ code: -32602 });
	});

	it('is not fetched by a request that its server canceled, nor by another one with the same id (K05)', async () => {
		const { here, rawServer, call, created } = await elicit();
		rawServer.send({ id: 'same', method: 'tasks/result', params: { taskId: created.taskId } }, call);
		rawServer.notify('notifications/cancelled', { requestId: 'same' }, call);
		await rawServer.fence(call);
		const [elicitation] = await here.asked();
		elicitation.decline();
		await rawServer.expect('notifications/tasks/status');
		rawServer.send({ id: 'same', method: 'roots/list' }, call);
		await rawServer.until(() => rawServer.responses('same')[0]);
		await rawServer.fence(call);
		expect(elicitation.delivery).toBeUndefined();
	});

	it('whose response was never fetched is told as undelivered when the connection or its time ends (D01)', async () => {
		const { here, rawServer } = await elicit();
		const [elicitation] = await here.asked();
		await here.registry.accept(elicitation, { name: 'Ada' });
		await rawServer.expect('notifications/tasks/status');
		await here.close();
		expect([elicitation.state, elicitation.delivery?.state]).toEqual(['accepted', 'undelivered']);
		const other = await elicit(asTask({ ttl: 300 }));
		const [second] = await other.here.asked();
		second.decline();
		await other.here.until(() => second.delivery?.state === 'undelivered');
	});

	it('whose response was never fetched is told as undelivered when it makes room for another (D01)', async () => {
		const { here, rawServer, call } = await elicit();
		const [first] = await here.asked();
		first.decline();
		for (let count = 1; count < 100; count++) {
			await rawServer.ask(asTask(), call).response;
			here.registry.live[0]?.decline();
		}
		expect(first.delivery).toBeUndefined();
		await rawServer.ask(asTask(), call).response;
		expect(first.delivery?.state).toBe('undelivered');
	});

	it('whose response was fetched stays delivered when the connection ends before the call (D01)', async () => {
		const { here, about, created } = await elicit();
		const [elicitation] = await here.asked();
		elicitation.decline();
		await about('tasks/result', { taskId: created.taskId });
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await here.close();
		expect(elicitation.delivery?.state).toBe('delivered');
	});

	it('is canceled with its call (D03)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open, { revision: LEGACY });
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		const pending = rawServer.ask(asTask(), await rawServer.expect('tools/call'));
		const { taskId } = (await pending.response).result.task;
		await here.asked();
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		const { params } = await rawServer.expect('notifications/tasks/status');
		expect(params).toMatchObject({ taskId, status: 'completed' });
		expect(here.registry.elicitations[0]?.response).toEqual({ action: 'cancel' });
		await here.close();
		expect(here.registry.elicitations[0]?.delivery).toBeUndefined();
	});

	it.each<[string, object]>([
		['no object', { ...form, task: true }],
		['a malformed time', asTask({ ttl: 'long' })],
		['a negative time', asTask({ ttl: -1 })],
		['a malformed form', { message: 'Your name?', requestedSchema: 'name', task: {} }],
	])('with %s is refused (K05, D02)', async (_name, params) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		calling.catch(() => {});
		expect((await rawServer.ask(params, call).response).error).toMatchObject({ code: -32602 });
		expect(here.registry.elicitations).toEqual([]);
	});
});

it('null in place of a task asks for none', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
	const asking = rawServer.ask(asTask(null), call);
	const [elicitation] = await here.asked();
	elicitation.decline();
	expect((await asking.response).result).toEqual({ action: 'decline' });
	rawServer.finish(call);
	await calling;
});

it('a hundred elicitations as tasks are kept: the oldest one that has ended makes room (K05)', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
	calling.catch(() => {});
	const create = async () => (await rawServer.ask(asTask(), call).response) as Wire;
	const ids: unknown[] = [];
	for (let count = 0; count < 100; count++) {
		ids.push((await create()).result.task.taskId);
	}
	expect((await create()).error).toMatchObject({ message: 'There are 100 unfinished tasks already.' });
	here.registry.elicitations[1]?.decline();
	here.registry.elicitations[2]?.decline();
	const { taskId } = (await create()).result.task;
	rawServer.send({ id: 'list', method: 'tasks/list' }, call);
	const { result } = await rawServer.until(() => rawServer.responses('list')[0]);
	expect(result.tasks.map((each: Wire) => each.taskId)).toEqual([ids[0], ...ids.slice(2), taskId]);
});

it('tasks of another connection are unknown (K06)', async () => {
	const here = world();
	const first = await callRawServerTool(here, RawHttpServer.open);
	first.calling.catch(() => {});
	const { taskId } = (await first.rawServer.ask(asTask(), first.call).response).result.task;
	const second = await connectRawServer(here, RawHttpServer.open);
	const methods = ['tasks/get', 'tasks/result', 'tasks/cancel'];
	for (const method of methods) {
		second.rawServer.send({ id: method, method, params: { taskId } });
		const { error } = await second.rawServer.until(() => second.rawServer.responses(method)[0]);
		expect(error).toMatchObject({ code: -32602 });
	}
	second.rawServer.send({ id: 'list', method: 'tasks/list' });
	expect((await second.rawServer.until(() => second.rawServer.responses('list')[0])).result).toEqual({ tasks: [] });
	expect((await here.asked())[0].state).toBe('asking');
});

it.each<[string, 'auto' | 'never', { protocolVersion?: '2025-06-18'; elicitation?: object }, object | undefined]>([
	[
		'declares that it accepts elicitations as tasks',
		'auto',
		{},
		{ list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
	],
	['does not if tasks are turned off', 'never', {}, undefined],
	['does not if it serves no elicitations', 'auto', { elicitation: { advertise: 'none' } }, undefined],
	['does not in a revision without tasks', 'auto', { protocolVersion: '2025-06-18' }, undefined],
])('%s (K05)', async (_name, setting, definition, expected) => {
	const here = world();
	here.tasks = setting;
	const { protocolVersion: revision = LEGACY } = definition;
	const { rawServer } = await connectRawServer(here, RawHttpServer.open, { revision }, definition);
	const { capabilities } = rawServer.requests('initialize')[0].params;
	expect(capabilities.tasks).toEqual(expected);
	expect(capabilities).not.toHaveProperty('extensions');
});

it('an elicitation is served as usual if tasks are turned off, and task methods are unknown (K05)', async () => {
	const here = world();
	here.tasks = 'never';
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
	calling.catch(() => {});
	const pending = rawServer.ask(asTask(), call);
	(await here.asked())[0].decline();
	expect((await pending.response).result).toEqual({ action: 'decline' });
	rawServer.send({ id: 'list', method: 'tasks/list' });
	expect((await rawServer.until(() => rawServer.responses('list')[0])).error).toMatchObject({ code: -32601 });
});
