import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServer, type RawServerOptions, type Wire } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, form, REQUESTS, ROUNDS, response } from './rawServerFixtures.ts';

const world = testClients();

/** Sends a raw message. */
const line = (rawServer: RawServer, message: object, call?: Wire) => rawServer.line(JSON.stringify(message), call);

const create = (id: unknown, more: object = {}) => ({
	jsonrpc: '2.0',
	id,
	method: 'elicitation/create',
	params: form,
	...more,
});

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it.each<[string, object, object]>([
		['an unknown member beside it', { trace: 'abc' }, form],
		['a result beside it', { result: {} }, form],
		...[null, 'odd', 7, ['a'], { progressToken: {} }, { 'io.modelcontextprotocol/related-task': 'x' }].map(
			(_meta): [string, object, object] => [
				`_meta ${JSON.stringify(_meta)}`,
				{ params: { ...form, _meta } },
				{ ...form, _meta },
			],
		),
		[
			'members that the SDK takes for its own',
			{ params: { ...form, requestState: 's', inputResponses: {} } },
			{ ...form, requestState: 's', inputResponses: {} },
		],
		['an integer for an id', { id: 12 }, form],
		['an empty string for an id', { id: '' }, form],
	])('an elicitation with %s is shown as it came, and answered once (D02)', async (_name, more, params) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const message: Wire = create('elicitation', more);
		line(rawServer, message, call);
		const [elicitation] = await here.asked();
		expect(elicitation.origin.params).toEqual(params);
		expect(elicitation.cause?.name).toBe('act');
		expect(here.wire('received', ({ method }) => method === 'elicitation/create')).toEqual([message]);
		await here.registry.accept(elicitation, { name: 'Ada' });
		await rawServer.until(() => rawServer.responses(message.id)[0]);
		await rawServer.fence(call);
		expect(rawServer.responses(message.id)).toEqual([
			response(message.id, { action: 'accept', content: { name: 'Ada' } }),
		]);
		rawServer.finish(call);
		await calling;
	});

	it.each<[string, object, object]>([
		['the wrong version', { jsonrpc: '1.0' }, { code: -32600, message: '"jsonrpc" must be "2.0".' }],
		['no version', { jsonrpc: undefined }, { code: -32600, message: '"jsonrpc" must be "2.0".' }],
		['a fraction for an id', { id: 1.5 }, { code: -32600, message: 'The id must be a string or an integer.' }],
		['null for an id', { id: null }, { code: -32600, message: 'The id must be a string or an integer.' }],
		['an object for an id', { id: { a: 1 } }, { code: -32600, message: 'The id must be a string or an integer.' }],
		['an array of params', { params: [form] }, { code: -32602, message: 'The params must be an object.' }],
		['a text for params', { params: 'form' }, { code: -32602, message: 'The params must be an object.' }],
		['no params', { params: undefined }, { code: -32602, message: 'The params of the elicitation are missing.' }],
		['null for params', { params: null }, { code: -32602, message: 'The params of the elicitation are missing.' }],
	])('an elicitation with %s gets an error, and the user is told (D02, A03)', async (_name, more, error) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const message: Wire = create('elicitation', more);
		const id = typeof message.id === 'object' ? null : message.id;
		line(rawServer, message, call);
		await rawServer.until(() => rawServer.responses(id)[0]);
		await rawServer.fence(call);
		expect(rawServer.responses(id)).toEqual([{ jsonrpc: '2.0', id, error }]);
		expect(here.refusals.map(({ reason, server }) => [server, reason.text])).toEqual([
			['raw-server', (error as Error).message],
		]);
		expect(here.registry.elicitations).toEqual([]);
		rawServer.finish(call);
		await calling;
	});

	it('a request without params, or with null for them, is served (D02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		line(rawServer, { jsonrpc: '2.0', id: 'a', method: 'ping', params: null, _meta: 1 }, call);
		line(rawServer, { jsonrpc: '2.0', id: 'b', method: 7 }, call);
		line(rawServer, { jsonrpc: '2.0', id: 'c', method: 'sampling/createMessage', params: { _meta: null } }, call);
		await rawServer.until(() => rawServer.responses('c')[0]);
		await rawServer.fence(call);
		expect(['a', 'b', 'c'].flatMap((id) => rawServer.responses(id))).toEqual([
			response('a', {}),
			{ jsonrpc: '2.0', id: 'b', error: { code: -32600, message: 'The method must be a string.' } },
			{ jsonrpc: '2.0', id: 'c', error: { code: -32601, message: 'Method not found' } },
		]);
		rawServer.finish(call);
		await calling;
	});

	it('notifications are heard, whatever else their envelope holds: an elicitation is withdrawn with it (D02, A02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		for (const more of [
			{ trace: 1 },
			{ params: { requestId: 'q', _meta: null } },
			{ params: { requestId: 'q', _meta: { progressToken: {} } } },
			{ params: { requestId: 'q', reason: 5 } },
		]) {
			rawServer.ask(form, call, 'q');
			const [elicitation] = await here.asked();
			line(rawServer, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' }, ...more }, call);
			await here.until(() => elicitation.state === 'withdrawn');
		}
		await rawServer.fence(call);
		expect(rawServer.responses('q')).toEqual([]);
		rawServer.finish(call);
		await calling;
	});
});

describe.each([...REQUESTS, ...ROUNDS])('over %s', (_wire, open, revision) => {
	it.each<[string, object]>([
		['an unknown member beside it', { trace: 1 }],
		['null for an error beside it', { error: null }],
		['null for its metadata', { result: { content: [], resultType: 'complete', _meta: null } }],
	])(`a result with %s ends its call (${revision})`, async (_name, more) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		line(rawServer, { jsonrpc: '2.0', id: call.id, result: { content: [], resultType: 'complete' }, ...more }, call);
		expect(await calling).toMatchObject({ content: [] });
	});

	it.each<[string, object, string]>([
		['a result that is null', { result: null }, 'The response of "act" is not an object. '],
		[
			'an error with a text for a code',
			{ error: { code: 'E1', message: 'Broken' } },
			'The server responded with error -32603: Broken. ',
		],
		['an error that is a text', { error: 'Broken' }, 'The server responded with error -32603: Broken. '],
	])(`%s fails its call in words (${revision})`, async (_name, more, words) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const failing = calling.catch((error: Error) => error.message);
		line(rawServer, { jsonrpc: '2.0', id: call.id, ...more }, call);
		expect(await failing).toMatch(`raw-server: ${words}`);
	});
});

describe.each(ROUNDS)('over %s, in a revision in which servers send no requests', (_wire, open) => {
	it('an elicitation is not answered, which the revision forbids, but the user is told (D02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		line(rawServer, create('a'), call);
		line(rawServer, create('b', { params: [] }), call);
		rawServer.finish(call);
		await calling;
		expect(here.refusals.map(({ reason }) => [reason.text, reason.args])).toEqual([
			['Protocol revision {0} has no requests from servers.', [MODERN]],
			['The params must be an object.', undefined],
		]);
		expect(rawServer.received.filter(({ method }) => method === undefined)).toEqual([]);
	});
});

/** Any request envelope. Its id is made unique when it is sent. */
const envelopes = fc.record({
	id: fc.constantFrom<(n: number) => unknown>(
		(n) => n,
		(n) => -n - 1,
		(n) => `${n}`,
		(n) => `#${n} é"\n`,
		(n) => n + 0.5,
		(n) => 2 ** 53 + 2 * n,
		() => null,
		() => true,
		(n) => [n],
		(n) => ({ n }),
	),
	jsonrpc: fc.oneof({ weight: 6, arbitrary: fc.constant('2.0') }, fc.constantFrom('1.0', 2, null, undefined)),
	method: fc.oneof(
		{ weight: 6, arbitrary: fc.constant('elicitation/create') },
		fc.constantFrom('ping', 'roots/list'),
		fc.string(),
		fc.constantFrom(7, true, {}),
	),
	params: fc.oneof(
		{ weight: 4, arbitrary: fc.jsonValue().map((_meta) => ({ ...form, _meta }) as unknown) },
		fc.constant(form),
		fc.constant(undefined),
		fc.jsonValue(),
	),
	more: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
});

/** What a request gets that is not shown: the code of its error, or its result. */
function dueTo({ id, jsonrpc, method, params }: Wire, folders: readonly object[]): unknown {
	if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isSafeInteger(id)) || typeof method !== 'string') {
		return -32600;
	}
	if (typeof (params ?? {}) !== 'object' || Array.isArray(params) || method === 'elicitation/create') {
		return -32602;
	}
	return method === 'ping' ? {} : method === 'roots/list' ? { roots: folders } : -32601;
}

/** The streams to send on: that of a call, or the server's own. */
const STREAMS: readonly [string, (options?: RawServerOptions) => Promise<RawServer>, 'call' | 'own'][] = [
	['stdio', RawStdioServer.open, 'own'],
	['HTTP, on the stream of a call', RawHttpServer.open, 'call'],
	['HTTP, on the stream of the server', RawHttpServer.open, 'own'],
];

it.each(STREAMS)(
	'over %s every request gets exactly one response, and what is asked well is served (D02)',
	async (_wire, open, stream) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open, { revision: LEGACY });
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		const during = stream === 'call' ? call : undefined;
		here.registry.onDidAdd((elicitation) => void here.registry.accept(elicitation, { name: 'Ada' }));
		const sent: Wire[] = [];
		const responses = () => rawServer.received.filter(({ method }) => method === undefined);
		const idOf = ({ id }: Wire) => (typeof id === 'string' || typeof id === 'number' ? id : null);
		await fc.assert(
			fc.asyncProperty(fc.array(envelopes, { minLength: 1, maxLength: 8 }), async (batch) => {
				for (const { id, more, ...rest } of batch) {
					const message = { ...more, ...rest, id: id(sent.length) };
					sent.push(message);
					line(rawServer, message, during);
				}
				await rawServer.until(() => responses().length >= sent.length);
			}),
			{ numRuns: 60 },
		);
		await rawServer.fence(during);
		const answered = responses().filter(({ id }) => !String(id).startsWith('fence-'));
		const count = (ids: readonly unknown[]) => ids.map((id) => JSON.stringify(id)).sort();
		expect(count(answered.map(({ id }) => id))).toEqual(count(sent.map(idOf)));
		const wellMeant = sent.filter(
			({ id, jsonrpc, method, params }) =>
				jsonrpc === '2.0' &&
				(typeof id === 'string' || Number.isSafeInteger(id)) &&
				method === 'elicitation/create' &&
				params?.message === form.message,
		);
		expect(wellMeant.length).toBeGreaterThan(10);
		for (const { id } of wellMeant) {
			expect(rawServer.responses(id)).toEqual([response(id, { action: 'accept', content: { name: 'Ada' } })]);
		}
		const asCame = here.registry.elicitations.map(({ origin }) => JSON.stringify(origin.params));
		expect(asCame.every((params) => wellMeant.some((each) => JSON.stringify(each.params) === params))).toBe(true);
		const others = answered.filter(({ id }) => id === null || !wellMeant.some((each) => each.id === id));
		for (const { id, result, error } of others) {
			// Those without a usable id have the same due.
			const request = sent.find((each) => idOf(each) === id);
			expect(error?.code ?? result, JSON.stringify(request)).toEqual(dueTo(request, here.folders));
		}
		rawServer.finish(call);
		await calling;
	},
	60_000,
);
