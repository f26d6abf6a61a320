import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../../src/elicitation/jsonText.ts';
import { runs } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import {
	BATCHING,
	LEGACY,
	MODERN,
	type RawServer,
	type RawServerOptions,
	type Wire,
} from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients } from '../testClient.ts';
import {
	callRawServerTool,
	connectRawServer,
	duringCall,
	form,
	REQUESTS,
	ROUNDS,
	response,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();

/** Sends a raw message, or a batch of them. */
const line = (rawServer: RawServer, message: object, call?: Wire) => rawServer.line(JSON.stringify(message), call);

const create = (id: unknown, more: object = {}) => ({
	jsonrpc: '2.0',
	id,
	method: 'elicitation/create',
	params: form,
	...more,
});

/** The response message with an error. */
const refusal = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('an elicitation is shown as it came, and answered once, whatever else its message holds (D02)', () =>
		duringCall(world(), open, async ({ here, rawServer, call, expectReplies }) => {
			const metadata = [null, 'odd', 7, ['a'], { progressToken: {} }, { 'io.modelcontextprotocol/related-task': 'x' }];
			const messages: Wire[] = [
				create('an unknown member beside it', { trace: 'abc' }),
				create('a result beside it', { result: {} }),
				...metadata.map((_meta) => create(`_meta ${JSON.stringify(_meta)}`, { params: { ...form, _meta } })),
				create('members of the SDK', { params: { ...form, requestState: 's', inputResponses: {} } }),
				create(12),
				create(''),
			];
			for (const message of messages) {
				line(rawServer, message, call);
				const [elicitation] = await here.asked();
				expect(elicitation.origin.params).toEqual(message.params);
				expect(elicitation.cause?.name).toBe('act');
				await here.registry.accept(elicitation, { name: 'Ada' });
				await expectReplies(message.id, { action: 'accept', content: { name: 'Ada' } });
			}
			expect(here.wire('received', ({ method }) => method === 'elicitation/create')).toEqual(messages);
		}));

	it('a malformed elicitation gets an error, and the user is told (D02, A03)', () =>
		duringCall(world(), open, async ({ here, rawServer, call }) => {
			const VERSION = refusal('q', -32600, '"jsonrpc" must be "2.0".');
			const ID = refusal(null, -32600, 'The id must be a string or an integer.');
			const PARAMS = refusal('q', -32602, 'The params must be an object.');
			const MISSING = refusal('q', -32602, 'The params of the elicitation are missing.');
			const cases: readonly [object, Wire][] = [
				[{ jsonrpc: '1.0' }, VERSION],
				[{ jsonrpc: undefined }, VERSION],
				[{ id: 1.5 }, { ...ID, id: 1.5 }],
				[{ id: null }, ID],
				[{ id: { a: 1 } }, ID],
				[{ params: [form] }, PARAMS],
				[{ params: 'form' }, PARAMS],
				[{ params: undefined }, MISSING],
				[{ params: null }, MISSING],
			];
			const answered = () => rawServer.received.filter(({ method, error }) => method === undefined && error);
			for (const [at, [more]] of cases.entries()) {
				line(rawServer, create('q', more), call);
				await rawServer.until(() => answered().length > at);
			}
			await rawServer.fence(call);
			expect(answered()).toEqual(cases.map(([, error]) => error));
			expect(here.refusals.map(({ reason, server }) => [server, reason.text])).toEqual(
				cases.map(([, { error }]) => ['raw-server', error.message]),
			);
			expect(here.registry.elicitations).toEqual([]);
		}));

	it('a request without params, or with null for them, is served (D02)', () =>
		duringCall(world(), open, async ({ rawServer, call }) => {
			line(rawServer, { jsonrpc: '2.0', id: 'a', method: 'ping', params: null, _meta: 1 }, call);
			line(rawServer, { jsonrpc: '2.0', id: 'b', method: 7 }, call);
			line(rawServer, { jsonrpc: '2.0', id: 'c', method: 'sampling/createMessage', params: { _meta: null } }, call);
			await rawServer.until(() => rawServer.responses('c')[0]);
			await rawServer.fence(call);
			expect(['a', 'b', 'c'].flatMap((id) => rawServer.responses(id))).toEqual([
				response('a', {}),
				refusal('b', -32600, 'The method must be a string.'),
				refusal('c', -32601, 'Method not found'),
			]);
		}));

	it('notifications are heard, whatever else their envelope holds: an elicitation is withdrawn with it (D02, A02)', () =>
		duringCall(world(), open, async ({ here, rawServer, call, ask, expectReplies }) => {
			for (const more of [
				{ trace: 1 },
				{ params: { requestId: 'q', _meta: null } },
				{ params: { requestId: 'q', _meta: { progressToken: {} } } },
				{ params: { requestId: 'q', reason: 5 } },
			]) {
				const { elicitation } = await ask(form, 'q');
				line(
					rawServer,
					{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' }, ...more },
					call,
				);
				await here.until(() => elicitation.state === 'withdrawn');
			}
			await expectReplies('q');
		}));
});

describe.each([...REQUESTS, ...ROUNDS])('over %s', (_wire, open, revision) => {
	it(`a call ends with whatever has the id of its request: a result, or an error in words (${revision})`, async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const complete = { content: [], resultType: 'complete' };
		const odd = 'The server responded with error -32603: Broken. ';
		for (const [more, words] of [
			[{ result: complete, trace: 1 }, undefined],
			[{ result: complete, error: null }, undefined],
			[{ result: { ...complete, _meta: null } }, undefined],
			[{ result: null }, 'The response of "act" is not an object. '],
			[{ error: { code: 'E1', message: 'Broken' } }, odd],
			[{ error: 'Broken' }, odd],
		] as const) {
			const calling = connection.callTool('act', {});
			const failing = words === undefined ? undefined : wordsOf(calling);
			const call = await rawServer.expect('tools/call');
			line(rawServer, { jsonrpc: '2.0', id: call.id, ...more }, call);
			if (words === undefined) expect(await calling).toMatchObject({ content: [] });
			else expect(await failing).toMatch(`raw-server: ${words}`);
		}
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
		expect(here.registry.calls[0]?.refusals).toEqual(here.refusals.map(({ reason }) => reason));
		expect(rawServer.received.filter(({ method }) => method === undefined)).toEqual([]);
	});
});

const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
const resultOf = ({ id }: Wire) => response(id, { content: [], structuredContent: { batched: true } });

describe.each<[string, (options?: RawServerOptions) => Promise<RawServer>]>([
	['stdio', RawStdioServer.open],
	['HTTP', RawHttpServer.open],
])('batches over %s', (_wire, open) => {
	it('each request is answered once, and none waits for the others (D07)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, { revision: BATCHING });
		const ping = { jsonrpc: '2.0', method: 'ping' };
		const odd = [{ ...ping, method: 'nothing/known', id: 'd' }, { ...ping, jsonrpc: '1.0', id: 'e' }, 7];
		line(rawServer, [create('a'), notice, { ...ping, id: 'b' }, create('c'), ...odd], call);
		const [first, second] = await here.asked(2);
		await rawServer.until(() => ['b', 'd', 'e'].every((id) => rawServer.responses(id).length > 0));
		expect(['a', 'c'].flatMap((id) => rawServer.responses(id))).toEqual([]);
		await here.registry.accept(first, { name: 'Ada' });
		second?.decline();
		await rawServer.until(() => ['a', 'c'].every((id) => rawServer.responses(id).length > 0));
		await rawServer.fence(call);
		expect(['a', 'b', 'c', 'd', 'e'].flatMap((id) => rawServer.responses(id))).toEqual([
			response('a', { action: 'accept', content: { name: 'Ada' } }),
			response('b', {}),
			response('c', { action: 'decline' }),
			refusal('d', -32601, 'Method not found'),
			refusal('e', -32600, '"jsonrpc" must be "2.0".'),
		]);
		expect([first, second].map((each) => each?.cause?.name)).toEqual(['act', 'act']);
		line(rawServer, [notice, resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});

	it('in a revision without them their requests get -32600 each, and the user is told; a result still counts (D07, D02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, { revision: LEGACY });
		line(rawServer, [create('a'), { jsonrpc: '2.0', id: 'b', method: 'ping' }], call);
		await rawServer.until(() => ['a', 'b'].every((id) => rawServer.responses(id).length > 0));
		await rawServer.fence(call);
		expect(['a', 'b'].flatMap((id) => rawServer.responses(id))).toEqual(
			['a', 'b'].map((id) => refusal(id, -32600, `Protocol revision ${LEGACY} has no batches of messages.`)),
		);
		expect(here.refusals.map(({ reason }) => reason.text)).toEqual([
			'Protocol revision {0} has no batches of messages.',
		]);
		line(rawServer, [resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});
});

it('a batch as the whole body of an HTTP response is taken as well (D07)', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { revision: BATCHING });
	rawServer.open(call, 'application/json');
	rawServer.raw(JSON.stringify([create('a'), resultOf(call)]), call);
	rawServer.cut(call, 'end');
	expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	(await here.asked())[0].decline();
	await rawServer.until(() => rawServer.responses('a')[0]);
	expect(rawServer.responses('a')).toEqual([response('a', { action: 'decline' })]);
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
	if (jsonrpc !== '2.0' || !(typeof id === 'string' || Number.isInteger(id)) || typeof method !== 'string') {
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
			{ numRuns: runs(200, 30) },
		);
		await rawServer.fence(during);
		const answered = responses().filter(({ id }) => !String(id).startsWith('fence-'));
		const count = (ids: readonly unknown[]) => ids.map((id) => JSON.stringify(id)).sort();
		expect(count(answered.map(({ id }) => id))).toEqual(count(sent.map(idOf)));
		const wellMeant = sent.filter(
			({ id, jsonrpc, method, params }) =>
				jsonrpc === '2.0' &&
				(typeof id === 'string' || Number.isInteger(id)) &&
				method === 'elicitation/create' &&
				params?.message === form.message,
		);
		expect(wellMeant.length).toBeGreaterThan(10);
		for (const { id } of wellMeant) {
			expect(rawServer.responses(id)).toEqual([response(id, { action: 'accept', content: { name: 'Ada' } })]);
		}
		const asCame = here.registry.elicitations.map(({ origin }) => writeJson(origin.params));
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
