import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { callRawServerTool, connectRawServer, form, request } from './faults/rawServerFixtures.ts';
import { createRawServer, WIRES } from './rawServerSteps.ts';
import { type TestClient, testClients } from './testClient.ts';

/* Clients that check results reject what they do not expect. The call has run by then, so its result is shown. */

const world = testClients();
const text = { type: 'text', text: 'done' };

describe.each(WIRES)('over %s, the result of a call that has run is shown', (_wire, open) => {
	it.each<[string, object]>([
		['with a day instead of a moment', { content: [{ ...text, annotations: { lastModified: '2026-01-31' } }] }],
		['with content of an unknown kind', { content: [text, { type: 'chart', points: [1, 2] }] }],
		['without content', { structuredContent: { done: true } }],
		['with a list as its structured content', { content: [text], structuredContent: [1, 2] }],
		['with members that no revision has', { content: [{ ...text, color: 'red' }], more: { deep: null } }],
	])('%s', async (_what, result) => {
		const { rawServer, calling, call } = await callRawServerTool(world(), open);
		rawServer.answer(call, { resultType: 'complete', ...result });
		expect(await calling).toEqual(result);
	});

	it('and is parsed once on its way', async () => {
		const { rawServer, calling, call } = await callRawServerTool(world(), open);
		const parse = vi.spyOn(JSON, 'parse');
		onTestFinished(() => parse.mockRestore());
		rawServer.answer(call, { resultType: 'complete', content: [{ ...text, text: 'only once' }] });
		await calling;
		expect(parse.mock.calls.filter(([json]) => json.includes('only once'))).toHaveLength(1);
	});

	it('for prompts and resources, too', async () => {
		const capabilities = { prompts: {}, resources: {} };
		const { rawServer, connection } = await connectRawServer(world(), open, { capabilities });
		const prompt = { messages: [{ role: 'tool', content: text }] };
		const getting = connection.getPrompt('greet', {});
		rawServer.answer(await rawServer.expect('prompts/get'), { resultType: 'complete', ...prompt });
		expect(await getting).toEqual(prompt);
		const resource = { contents: [{ uri: 'test:it', blob: '-_-_' }] };
		const reading = connection.readResource('test:it');
		rawServer.answer(await rawServer.expect('resources/read'), { resultType: 'complete', ...resource });
		expect(await reading).toEqual(resource);
	});
});

it.each([
	['partial', /Unsupported result type 'partial' for tools\/call/],
	[7, /esult ?[tT]ype/],
])('a result of a kind that 2026-07-28 does not have (%j) is invalid', async (resultType, words) => {
	const { rawServer, calling, call } = await callRawServerTool(world(), RawHttpServer.open, { revision: MODERN });
	rawServer.answer(call, { resultType, content: [text] });
	await expect(calling).rejects.toThrow(words);
	expect(rawServer.requests('tools/call')).toHaveLength(1);
});

describe.each(WIRES)('over %s, what nobody looks at in an entry, or an entry that nobody can name,', (_wire, open) => {
	it('does not spoil the whole list', async () => {
		const { rawServer, connection } = await createRawServer(world(), open, {
			capabilities: { resources: {} },
			tools: [
				'act',
				{ name: 'odd', inputSchema: { type: 'object' }, outputSchema: { type: 'array' }, icons: 'star' },
				{ title: 'Nobody can call it' },
			],
			manual: ['resources/list'],
		});
		const starting = connection.start();
		const resource = { uri: 'test:it', name: 'it', size: '3 KB', annotations: { lastModified: '2026-01-31' } };
		const hints = { ttlMs: 0, cacheScope: 'private' };
		const list = await rawServer.expect('resources/list');
		rawServer.answer(list, { resultType: 'complete', ...hints, resources: [resource] });
		await starting;
		expect(connection.tools.map(({ name }) => name)).toEqual(['act', 'odd']);
		expect(connection.resources.map(({ uri }) => uri)).toEqual(['test:it']);
		expect(connection.listed('resources')).toEqual([resource]);
		expect(connection.failure).toBeUndefined();
	});
});

it.each([
	[undefined, {}],
	[null, {}],
	[{}, {}],
	[{ properties: { city: { type: 'string' } } }, { properties: { city: { type: 'string' } } }],
	// PHP writes an empty object as a list.
	[[], {}],
	[{ type: 'object', properties: [] }, { properties: {} }],
	[true, {}],
	[{ type: ['object', 'null'] }, {}],
	[{ type: 'object', required: true }, { required: [] }],
])('a tool whose schema is not what it should be is listed and can be called (%j)', async (inputSchema, listed) => {
	const tools = ['act', { name: 'bare', inputSchema }];
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { tools });
	expect(connection.tools.map((tool) => [tool.name, tool.inputSchema])).toEqual([
		['act', { type: 'object' }],
		['bare', { type: 'object', ...listed }],
	]);
	const calling = connection.callTool('bare', {});
	rawServer.answer(await rawServer.expect('tools/call'), { content: [text] });
	expect(await calling).toEqual({ content: [text] });
});

it.each<[object | null | undefined, ownName?: string]>([
	[undefined],
	[null],
	[{}],
	[{ name: 'raw' }, 'raw'],
	[{ version: '1', title: 'Raw Server' }, 'Raw Server'],
	[{ name: 7, version: 1.2 }],
])('a server that does not say its name and version as it should is connected to (%j)', async (serverInfo, ownName) => {
	const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open, { manual: ['initialize'] });
	const starting = connection.start();
	const result = { protocolVersion: LEGACY, capabilities: { tools: {} } };
	rawServer.answer(await rawServer.expect('initialize'), { ...result, serverInfo });
	await starting;
	expect([connection.state, connection.tools.length, connection.ownName]).toEqual(['running', 1, ownName]);
});

describe.each(WIRES)('over %s, null for what is absent', (_wire, open, revision) => {
	const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
	const capabilities = { tools: { listChanged: null }, completions: {}, prompts: {}, resources: null };

	async function starting(here: TestClient, ...manual: readonly string[]) {
		const { rawServer, connection } = await createRawServer(here, open, { manual, capabilities });
		return { rawServer, connection, starting: connection.start() };
	}

	it('does not keep a server from being connected to', async () => {
		const here = world();
		const hello = revision === LEGACY ? 'initialize' : 'server/discover';
		const { rawServer, connection, starting: started } = await starting(here, hello);
		const serverInfo = { name: 'raw', version: '1', title: null, icons: null };
		rawServer.answer(await rawServer.expect(hello), {
			...(revision === LEGACY ? { protocolVersion: LEGACY, serverInfo } : { ...complete, supportedVersions: [MODERN] }),
			capabilities: { ...capabilities, experimental: null },
			instructions: null,
		});
		await started;
		expect([connection.state, connection.revision, connection.failure]).toEqual(['running', revision, undefined]);
	});

	it('does not spoil a list', async () => {
		const here = world();
		const { rawServer, connection, starting: started } = await starting(here, 'tools/list', 'prompts/list');
		const schema = { type: 'object', properties: { to: { enum: ['a', null], default: null } } };
		const tool = { name: 'act', title: null, description: null, inputSchema: { ...schema, required: null } };
		const tools = [{ ...tool, execution: { taskSupport: null } }];
		rawServer.answer(await rawServer.expect('tools/list'), { ...complete, tools, nextCursor: null });
		const argument = { name: 'city', title: null, required: null };
		const prompts = [
			{ name: 'plan', arguments: [argument] },
			{ name: 'greet', arguments: null },
		];
		rawServer.answer(await rawServer.expect('prompts/list'), { ...complete, prompts });
		await started;
		expect(connection.failure).toBeUndefined();
		expect([connection.tools[0]?.inputSchema, connection.prompts.length]).toEqual([schema, 2]);
	});

	it('does not spoil an empty list, suggestions, or a request for input', async () => {
		const here = world();
		const { rawServer, connection, starting: started } = await starting(here, 'prompts/list');
		rawServer.answer(await rawServer.expect('prompts/list'), { resultType: 'complete', prompts: null });
		await started;
		expect(connection.failure).toBeUndefined();
		const suggesting = connection.suggest('prompt', 'plan', 'city', {}, new AbortController().signal);
		const completion = { values: ['Oslo'], total: null, hasMore: null };
		rawServer.answer(await rawServer.expect('completion/complete'), { resultType: 'complete', completion });
		expect(await suggesting).toEqual(['Oslo']);
		if (revision === MODERN) {
			const calling = connection.callTool('act', {});
			const inputRequests = { a: request(form) };
			const call = await rawServer.expect('tools/call');
			rawServer.answer(call, { resultType: 'input_required', inputRequests, requestState: null });
			const [elicitation] = await here.asked();
			elicitation.accept({});
			const again = await rawServer.expect('tools/call');
			expect(Object.keys(again.params)).not.toContain('requestState');
			rawServer.answer(again, { resultType: 'complete', content: [text] });
			await calling;
		}
	});
});

it('null in the schema of a request for input stays, whatever stands beside the request', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { revision: MODERN });
	const requestedSchema = { type: 'object', properties: { to: { type: 'string', default: null } } };
	const inputRequests = { a: request({ message: 'Where to?', requestedSchema }) };
	rawServer.answer(call, { resultType: 'input_required', inputRequests, completion: {} });
	const [elicitation] = await here.asked();
	expect(elicitation.request).toMatchObject({ requestedSchema });
	elicitation.accept({});
	rawServer.answer(await rawServer.expect('tools/call'), { resultType: 'complete', content: [text] });
	await calling;
});
