import { ResultSchema as NOTHING } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Endpoint } from '../../../src/bridge/index.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import type { Connection } from '../../../src/mcp/index.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServerOptions } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { ask, form, page, request, required } from '../mcp/faults/rawServerFixtures.ts';
import { createRawServer } from '../mcp/rawServerSteps.ts';
import { modernTask } from '../mcp/tasks/taskFixtures.ts';
import { define, everything, stdio, type TestClient, testClients, type Wire } from '../mcp/testClient.ts';
import { eventually } from '../mcp/timing.ts';
import { BridgeClient, bridgeTo, openBridge } from './bridgeClient.ts';
import { sendInitialize } from './sendInitialize.ts';

const world = testClients();

/** A raw server behind the bridge. The test sends its messages. */
async function rawServerBehind(here: TestClient, options: RawServerOptions = {}) {
	const { rawServer, connection } = await createRawServer(here, RawHttpServer.open, options);
	return { rawServer, connection, ...(await openBridge(connection)) };
}

const TOOL = {
	name: 'act',
	title: 'Act',
	description: 'Does it.',
	inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^a', 'x-own': 1 } }, $defs: {} },
	outputSchema: { type: 'object', properties: { done: { const: true } } },
	annotations: { readOnlyHint: true, 'x-own': 1 },
	icons: [{ src: 'data:,', 'x-own': 1 }],
	_meta: { 'example.com/a': [1] },
	'x-own': { deep: [null] },
};

it.each([LEGACY, MODERN] as const)(
	'passes on the tools of a server of %s exactly as it lists them',
	async (revision) => {
		const { guest } = await rawServerBehind(world(), { revision, tools: [TOOL] });
		expect(guest.client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
		await guest.client.listTools();
		expect(guest.answer).toEqual({ tools: [TOOL] });
	},
);

it.each([
	['a call', LEGACY],
	['a call', MODERN],
	['a call that runs as a task', MODERN],
] as const)('passes on results and errors of %s exactly as they came (%s)', async (what, revision) => {
	const { rawServer, guest } = await rawServerBehind(world(), { revision });
	const isTask = what !== 'a call';
	/** Ends the call with a result or an error. */
	const end = async (request: Wire, outcome: { result: object } | { error: object }) => {
		if (!isTask) return rawServer.send({ id: request.id, ...outcome });
		rawServer.answer(request, { ...modernTask('working'), resultType: 'task' });
		const status = 'error' in outcome ? 'failed' : 'completed';
		rawServer.answer(await rawServer.expect('tasks/get'), modernTask(status, outcome));
	};
	const result = { content: [{ type: 'text', text: 'x', 'x-own': 1 }], structuredContent: { a: null }, 'x-own': 1 };
	const calling = guest.call('act', { a: [1] });
	const request = await rawServer.expect('tools/call');
	expect(request.params.arguments).toEqual({ a: [1] });
	await end(request, { result: revision === MODERN && !isTask ? { ...result, resultType: 'complete' } : result });
	await calling;
	expect(guest.answer).toEqual(result);
	for (const error of [
		{ code: 7, message: 'Seven', data: [{ why: 'not' }] },
		{ code: -32002, message: 'Gone', data: { uri: 'a:b', more: 1 } },
		{ code: -32602, message: 'No' },
	]) {
		const failing = guest.call('act');
		await Promise.all([
			expect(failing).rejects.toMatchObject({ code: error.code }),
			rawServer.expect('tools/call').then((call) => end(call, { error })),
		]);
		expect(guest.answer).toEqual(error);
	}
});

it('makes calls like any other, marked with who had them made', async () => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here);
	const calling = guest.call('act', { a: 1 });
	rawServer.finish(await rawServer.expect('tools/call'));
	await calling;
	const [call] = here.registry.calls;
	expect(call).toMatchObject({ server: 'raw-server', kind: 'tool', name: 'act', args: { a: 1 }, state: 'succeeded' });
	expect(call?.via && render(call.via, english)).toBe('called by a test');
});

it('passes on progress, by the token of the client', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	const heard: unknown[] = [];
	const calling = guest.call('act', {}, { onprogress: (progress: unknown) => heard.push(progress) });
	const request = await rawServer.expect('tools/call');
	const { progressToken } = request.params._meta;
	rawServer.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'Half' }, request);
	rawServer.finish(request);
	await calling;
	expect(heard).toEqual([{ progress: 1, total: 2, message: 'Half' }]);
});

it('D03: cancels the call that the client cancels, and its elicitation with it', async () => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here);
	const abort = new AbortController();
	const calling = guest.call('act', {}, { signal: abort.signal });
	const request = await rawServer.expect('tools/call');
	rawServer.ask(form, request);
	const [elicitation] = await here.asked();
	abort.abort();
	await expect(calling).rejects.toThrow();
	expect((await rawServer.expect('notifications/cancelled')).params.requestId).toBe(request.id);
	expect(await elicitation.ended).toBe('cancelled');
	expect(here.registry.calls[0]?.state).toBe('cancelled');
});

it('cancels the calls of a client that hangs up', async () => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here);
	guest.call('act').catch(() => {});
	const request = await rawServer.expect('tools/call');
	await guest.leave();
	expect((await rawServer.expect('notifications/cancelled')).params.requestId).toBe(request.id);
	await here.until(() => here.registry.calls[0]?.state === 'cancelled');
});

/** Posts a message, or a batch, in the session of a client. */
const poster = (endpoint: Endpoint, guest: BridgeClient) => (body: object) =>
	fetch(endpoint.url, {
		method: 'POST',
		headers: {
			...endpoint.headers,
			accept: 'application/json, text/event-stream',
			'content-type': 'application/json',
			'mcp-session-id': guest.transport.sessionId ?? '',
		},
		body: JSON.stringify(body),
	});
const call = (id: number) => ({
	jsonrpc: '2.0',
	id,
	method: 'tools/call',
	params: { name: 'act', arguments: { id } },
});

it('cancels one call of a batch, and the others get their results', async () => {
	const here = world();
	const { rawServer, endpoint, guest } = await rawServerBehind(here);
	const post = poster(endpoint, guest);
	const response = await post([call(101), call(102)]);
	const requests = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
	await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '101' } });
	await rawServer.expect('notifications/cancelled');
	const left = requests.find(({ params }) => params.arguments.id === 102);
	rawServer.finish(left, { done: true });
	expect(await response.text()).toMatch(/^event: message\ndata: .*"id":102.*\n\n$/);
	expect(here.registry.calls.map(({ state }) => state).sort()).toEqual(['cancelled', 'succeeded']);
});

it('refuses a request with the id of another that is running or in the same batch, and the first gets its result', async () => {
	const { rawServer, endpoint, guest } = await rawServerBehind(world());
	const post = poster(endpoint, guest);
	const response = await post(call(101));
	const request = await rawServer.expect('tools/call');
	for (const id of [101, '101']) {
		const second = await post([call(102), { ...call(101), id }]);
		expect([second.status, await second.json()]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
	}
	rawServer.finish(request, { done: true });
	expect(await response.text()).toMatch(/^event: message\ndata: .*"done":true.*\n\n$/);
	const twice = await post([call(103), call(104), call(103)]);
	expect([twice.status, await twice.json()]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
	expect(rawServer.requests('tools/call')).toHaveLength(1);
	expect((await post({ ...call(101), method: 'ping' })).status).toBe(200);
});

it('says that a session does not begin with a batch', async () => {
	const { endpoint } = await rawServerBehind(world());
	const { url, headers } = endpoint;
	const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
	const response = await fetch(url, {
		method: 'POST',
		headers: { ...headers, 'content-type': 'application/json' },
		body: JSON.stringify([initialize, call(2)]),
	});
	const message = 'A session begins with an "initialize" request, which is not part of a batch.';
	expect([response.status, await response.json()]).toEqual([
		400,
		{ jsonrpc: '2.0', id: null, error: { code: -32600, message } },
	]);
});

it('keeps the stream of a call alive however long the user takes', async () => {
	const here = world();
	const { rawServer, guest, endpoint } = await rawServerBehind(here);
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	onTestFinished(() => void vi.useRealTimers());
	const post = poster(endpoint, guest);
	const response = await post({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'act' } });
	const request = await rawServer.expect('tools/call');
	rawServer.ask(form, request);
	const [elicitation] = await here.asked();
	vi.advanceTimersByTime(60_000);
	elicitation.decline();
	rawServer.finish(request, { done: true });
	const text = await response.text();
	expect(text).toMatch(/^(: keepalive\n\n)+event: message\ndata: .*"done":true/);
});

it.each(['opened', 'decline'] as const)('resolves error -32042 before the result goes on (%s)', async (deed) => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here);
	const calling = guest.call('act');
	rawServer.fail(await rawServer.expect('tools/call'), required(page('a')));
	const [elicitation] = await here.asked();
	elicitation[deed]();
	if (deed === 'decline') {
		// Instead of asking the client for them.
		await expect(calling).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('raw-server: ') });
		return;
	}
	rawServer.notify('notifications/elicitation/complete', { elicitationId: 'a' });
	rawServer.finish(await rawServer.expect('tools/call'), { done: true });
	expect((await calling).structuredContent).toEqual({ done: true });
	expect(guest.asked).toEqual([]);
});

it('resolves rounds before the result goes on', async () => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here, { revision: MODERN });
	const calling = guest.call('act');
	rawServer.answer(await rawServer.expect('tools/call'), ask({ q: request(form) }, 's'));
	const [elicitation] = await here.asked();
	await here.registry.accept(elicitation, {});
	const second = await rawServer.expect('tools/call');
	expect(second.params.inputResponses).toEqual({ q: { action: 'accept', content: {} } });
	rawServer.finish(second, { done: true });
	expect((await calling).structuredContent).toEqual({ done: true });
	expect(guest.asked).toEqual([]);
});

it('passes on what the reference server lists and reads, and has the user asked here, never the client', async () => {
	const here = world();
	const connection = await here.connect(stdio('everything', everything, ['stdio']));
	const { guest } = await openBridge(connection);
	const { client } = guest;
	const calling = guest.call('trigger-elicitation-request');
	const [elicitation] = await here.asked();
	expect(elicitation.origin.calls).toEqual([here.registry.calls[0]]);
	await here.registry.accept(elicitation, { name: 'Ada', check: true });
	expect(JSON.stringify(await calling)).toContain('Ada');
	expect([guest.asked, guest.heard.filter(({ method }) => method === 'elicitation/create')]).toEqual([[], []]);
	expect(client.getServerVersion()).toMatchObject({ name: 'mcp-servers/everything' });
	expect(client.getInstructions()).toBe(connection.initializeResult?.instructions);
	for (const [method, key, list] of [
		['listTools', 'tools', 'tools/list'],
		['listPrompts', 'prompts', 'prompts/list'],
		['listResources', 'resources', 'resources/list'],
		['listResourceTemplates', 'resourceTemplates', 'resources/templates/list'],
	] as const) {
		await client[method]();
		const asked = here.wire('sent', (message) => message.method === list).at(-1);
		const [direct] = here.wire('received', ({ id }) => id === asked.id);
		expect(guest.answer[key].length).toBeGreaterThan(0);
		expect(guest.answer[key]).toEqual(direct.result[key]);
	}
	const { prompts } = await client.listPrompts();
	const simple = prompts.find(({ arguments: args = [] }) => args.length === 0);
	expect((await client.getPrompt({ name: String(simple?.name) })).messages).not.toEqual([]);
	const { resources } = await client.listResources();
	expect((await client.readResource({ uri: String(resources[0]?.uri) })).contents).toHaveLength(1);
	expect(here.registry.calls.map(({ kind }) => kind)).toEqual(['tool', 'prompt', 'resource']);
});

it('tells when the tools have changed', async () => {
	const { rawServer, guest } = await rawServerBehind(world(), { tools: ['one'] });
	expect((await guest.client.listTools()).tools).toHaveLength(1);
	rawServer.tools = ['one', 'two'];
	rawServer.notify('notifications/tools/list_changed');
	await guest.notified('notifications/tools/list_changed');
	expect((await guest.client.listTools()).tools.map(({ name }) => name)).toEqual(['one', 'two']);
});

it('does not tell of lists while their server is stopped: clients would read them, and so start it', async () => {
	const { rawServer, connection, guest } = await rawServerBehind(world(), { tools: ['one'] });
	const told = () => guest.heard.filter(({ method }) => method === 'notifications/tools/list_changed');
	await guest.client.listTools();
	rawServer.tools = ['one', 'two'];
	rawServer.notify('notifications/tools/list_changed');
	await guest.notified('notifications/tools/list_changed');
	await connection.stop();
	await guest.client.ping();
	expect(told()).toHaveLength(1);
	rawServer.tools = ['three'];
	await connection.start();
	await eventually(() => told().length > 1);
	expect(told()).toHaveLength(2);
});

it('runs twenty calls at once, and each gets its own result', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	const numbers = Array.from({ length: 20 }, (_, index) => index);
	const calling = Promise.all(numbers.map((number) => guest.call('act', { number })));
	const requests = await Promise.all(numbers.map(() => rawServer.expect('tools/call')));
	for (const request of requests.reverse()) {
		rawServer.finish(request, request.params.arguments);
	}
	expect((await calling).map(({ structuredContent }) => structuredContent.number)).toEqual(numbers);
});

it('says which server died in the middle of a call, and starts it again for the next one', async () => {
	const { rawServer, connection } = await createRawServer(world(), RawStdioServer.open);
	const { guest } = await openBridge(connection);
	const calling = guest.call('act');
	await rawServer.expect('tools/call');
	await rawServer.die();
	await expect(calling).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('raw-server: ') });
	await connection.stop();
	const again = guest.call('act');
	rawServer.finish(await rawServer.expect('tools/call'), { back: true });
	expect((await again).structuredContent).toEqual({ back: true });
});

it('tells a client why there is no server for it', async () => {
	const bridge = bridgeTo();
	await bridge.offer(['nobody']);
	const endpoint = (await bridge.endpoint('nobody')) as Endpoint;
	await expect(BridgeClient.at(endpoint)).rejects.toThrow('nobody: nobody agreed.');
});

it('refuses what it does not bridge', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	const { client } = guest;
	await expect(
		client.request({ method: 'logging/setLevel', params: { level: 'debug' } }, NOTHING),
	).rejects.toMatchObject({
		code: -32601,
	});
	for (const params of [{}, { name: 'act', arguments: [] }]) {
		await expect(client.request({ method: 'tools/call', params }, NOTHING)).rejects.toMatchObject({ code: -32602 });
	}
	expect(rawServer.requests('tools/call')).toEqual([]);
	await expect(client.ping()).resolves.toEqual({});
});

it('answers nobody without the secret, with another name for this machine, or from a page in a browser', async () => {
	const { endpoint } = await rawServerBehind(world());
	const { url, headers } = endpoint;
	const { port } = new URL(url);
	expect(await sendInitialize(url, headers)).toBe(200);
	expect(await sendInitialize(url, {})).toBe(403);
	expect(await sendInitialize(url, { Authorization: `${headers['Authorization']}x` })).toBe(403);
	expect(await sendInitialize(url, { ...headers, Host: `localhost:${port}` })).toBe(403);
	expect(await sendInitialize(url, { ...headers, Host: `rebound.example:${port}` })).toBe(403);
	expect(await sendInitialize(url, { ...headers, Origin: `http://127.0.0.1:${port}` })).toBe(403);
	expect(await sendInitialize(url, { ...headers, Origin: 'null' })).toBe(403);
	expect(await sendInitialize(`http://127.0.0.1:${port}/`, headers)).toBe(404);
});

it('reads no body without an end', async () => {
	const { endpoint } = await rawServerBehind(world());
	const body = Buffer.alloc(17 * 1024 * 1024, ' ');
	const answer = await fetch(endpoint.url, {
		method: 'POST',
		headers: { ...endpoint.headers, 'content-type': 'application/json' },
		body,
	}).then(
		({ status }) => status,
		() => 'cut',
	);
	expect([413, 'cut']).toContain(answer);
});

it('listens only while a server is offered, and every session ends with the offer', async () => {
	const here = world();
	const { rawServer, bridge, guest, endpoint } = await rawServerBehind(here);
	const calling = guest.call('act');
	calling.catch(() => {});
	await rawServer.expect('tools/call');
	await bridge.offer([]);
	await here.until(() => here.registry.calls[0]?.state === 'cancelled');
	await expect(sendInitialize(endpoint.url, endpoint.headers)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	expect(await bridge.endpoint('raw-server')).toBeUndefined();
});

it('ends the sessions of a server that is no longer offered, and leaves the others alone', async () => {
	const here = world();
	const [one, two] = await Promise.all(
		['one', 'two'].map(async (name) => {
			const rawServer = await RawHttpServer.open();
			onTestFinished(() => rawServer.close());
			return here.create(define(name, rawServer.definition));
		}),
	);
	const bridge = bridgeTo(one as Connection, two as Connection);
	await bridge.offer(['one', 'two']);
	const [first, second] = (await Promise.all(['one', 'two'].map((name) => bridge.endpoint(name)))) as Endpoint[];
	await BridgeClient.at(first as Endpoint);
	const stays = await BridgeClient.at(second as Endpoint);
	await bridge.offer(['two']);
	expect(await sendInitialize(first?.url ?? '', first?.headers ?? {})).toBe(404);
	expect((await stays.client.listTools()).tools.length).toBeGreaterThan(0);
	expect(first?.url).not.toBe(second?.url);
});

it('forgets clients that vanished: the one not heard of for longest, but none that waits for an answer', async () => {
	const { rawServer, endpoint, guest: busy } = await rawServerBehind(world(), { revision: LEGACY });
	const calling = busy.call('act');
	const call = await rawServer.expect('tools/call');
	const vanished = await BridgeClient.at(endpoint);
	for (let others = 0; others < 20; others++) {
		await BridgeClient.at(endpoint);
	}
	await expect(vanished.client.listTools()).rejects.toMatchObject({ code: 404 });
	rawServer.answer(call, { content: [] });
	expect(await calling).toEqual({ content: [] });
});
