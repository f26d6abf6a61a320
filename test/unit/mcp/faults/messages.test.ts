import { describe, expect, it, onTestFinished } from 'vitest';
import { itByNight, variants } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { define, testClients } from '../testClient.ts';
import {
	callRawServerTool,
	connectRawServer,
	duringCall,
	form,
	REQUESTS,
	ROUNDS,
	request,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();
const MB = 1024 * 1024;
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a call over HTTP that gets no response of its own fails at once, instead of waiting', () => {
	const NOTHING = 'The server accepted "act", but did not respond to it.';
	const OTHER =
		'The server responded to "act" with what is no MCP message: {"jsonrpc":"2.0","id":"other","result":{}}.';
	const error = { code: -32700, message: 'Cannot read that.' };
	const data = { requiredCapabilities: { sampling: {} } };
	const missing = { code: -32021, message: 'Missing capability', data };
	it.each<[string, typeof LEGACY | typeof MODERN, number, object, string]>([
		['fault 15: with a notification', LEGACY, 200, { method: 'notifications/message', params: {} }, NOTHING],
		['fault 15: with the response to another request', LEGACY, 200, { id: 'other', result: {} }, OTHER],
		['fault 15: with an error without an id, which is its own', LEGACY, 200, { id: null, error }, error.message],
		['with status 400 and null for an id (D08)', MODERN, 400, { id: null, error: missing }, 'Set "sampling" in its'],
		['with status 400 and no id (D08)', MODERN, 400, { error: missing }, 'Set "sampling" in its definition to "ask"'],
	])('%s', async (_what, revision, status, message, words) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision });
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ jsonrpc: '2.0', ...message });
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status, headers, body } : undefined);
		await expect(connection.callTool('act', {})).rejects.toThrow(words);
		expect(connection.state).toBe('running');
	});
});

describe.each([...variants(...REQUESTS), ...variants(...ROUNDS.toReversed())])('over %s', (wire, open, revision) => {
	it(`fault 12: a result of 9 MB arrives whole; of an error of 9 MB a person reads the beginning (${revision})`, async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		const text = 'é'.repeat(4.5 * MB);
		rawServer.finish(await rawServer.expect('tools/call'), { text });
		expect((await calling)['structuredContent']).toEqual({ text });
		const words = wordsOf(connection.callTool('act', {}));
		rawServer.fail(await rawServer.expect('tools/call'), { code: -32000, message: text + text });
		expect(await words).toBe(
			`raw-server: The server responded with error -32000: ${'é'.repeat(999)}… See the server's log, then call it again.`,
		);
		expect(Math.max(...here.logs.map(({ length }) => length))).toBeLessThan(1_100);
	});

	it(`fault 13: a message without an end ends the connection in words; nothing is started again (${revision})`, async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const ended = wordsOf(calling);
		const handshakes = rawServer.received.length;
		if (rawServer instanceof RawHttpServer) rawServer.open(call);
		rawServer.raw('data: '.padEnd(MB, 'x'), call);
		for (let sent = 1; sent <= 66; sent++) rawServer.raw('x'.repeat(MB), call);
		const words =
			'raw-server: The server sent a message longer than 64 MB, so the connection was ended. ' +
			"Report it to the server's author; start the server yourself to try again.";
		expect(await ended).toBe(words);
		await here.until(() => connection.state === 'failed');
		expect(connection.failure?.message).toBe(words);
		if (rawServer instanceof RawStdioServer) {
			await rawServer.left();
			expect(rawServer.pids).toHaveLength(1);
		} else {
			await (rawServer as RawHttpServer).left(call);
		}
		expect(rawServer.received.slice(handshakes)).toEqual([]);
		// A manual start works.
		await connection.start();
		expect(connection.state).toBe('running');
	});

	it(`fault 14: a byte order mark before a message is no noise (${revision})`, async () => {
		const here = world();
		await duringCall(here, open, async ({ rawServer, call }) => {
			const notification =
				'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"marked"}}';
			// At the start of a stream, and of a line within it.
			rawServer.raw(wire === 'stdio' ? `\ufeff${notification}\n` : `\ufeffdata: ${notification}\n\n`, call);
			rawServer.line(`\ufeff${notification}`, call);
			await here.until(() => here.logs.filter((line) => line.includes('marked')).length === 2);
		});
		expect(here.logs.filter((line) => line.includes('Ignored'))).toEqual([]);
	});

	it(`fault 14: noise, bad JSON, lines that are no JSON-RPC and bad UTF-8 are survived (${revision})`, async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const noise = [
			'Server is starting…',
			'{"jsonrpc": "2.0", "id":',
			'"\ufffd"',
			'42',
			'null',
			'[]',
			'{"hello":"world"}',
			'{"jsonrpc":"2.0"}',
			'{"jsonrpc":"1.0","id":999,"result":{}}',
			`{"jsonrpc":"2.0","id":${call.id}}`,
			'{"jsonrpc":"2.0","method":7}',
			'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
			// On the stream of a call, it would be the error of that call.
			...(wire === 'stdio' ? ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'] : []),
		];
		for (const line of noise) rawServer.line(line, call);
		const bytes = Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22]);
		const frame = wire === 'stdio' ? [bytes, '\n'] : ['data: ', bytes, '\n\n'];
		for (const piece of frame) rawServer.raw(piece, call);
		rawServer.finish(call, { text: 'e\u0301 😀 \u2028' });
		expect(await calling).toMatchObject({ structuredContent: { text: 'e\u0301 😀 \u2028' } });
		expect(connection.state).toBe('running');
		const logged = here.logs.filter((line) => line.startsWith('warn: '));
		expect(logged.length).toBeGreaterThan(5);
		expect(logged.length).toBeLessThanOrEqual(20);
	});

	it(`fault 15: unknown and repeated response ids are ignored (${revision})`, async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const result = { resultType: 'complete', content: [{ type: 'text', text: 'wrong' }] };
		for (const id of [999, 'abc', 0, -1, call.id - 1, '__proto__']) {
			rawServer.line(JSON.stringify({ jsonrpc: '2.0', id, result }), call);
			rawServer.line(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: 'wrong' } }), call);
		}
		const good = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: { ...result, content: [] } });
		rawServer.line(good, call);
		expect(await calling).toMatchObject({ content: [] });
		if (rawServer instanceof RawStdioServer) {
			rawServer.line(good);
			rawServer.line(good.replace('"content":[]', '"content":[{}]'));
		}
		const next = connection.callTool('act', {});
		rawServer.finish(await rawServer.expect('tools/call'), { fine: true });
		expect(await next).toMatchObject({ structuredContent: { fine: true } });
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
	});

	it(`fault 16: an answer nested 200,000 levels deep fails its call in words; the connection lives (${revision})`, async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		const result = `{"resultType":"complete","content":[],"structuredContent":${deep(200_000)}}`;
		rawServer.line(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`, call);
		expect(await words).toBe(
			'raw-server: The response of "act" is nested deeper than 1000 levels. Report it to the server\'s author.',
		);
		// The trace can be shown and exported.
		expect(() => JSON.stringify(here.trace.entries.map(({ message }) => message))).not.toThrow();
		const next = connection.callTool('act', {});
		rawServer.finish(await rawServer.expect('tools/call'), { fine: true });
		expect(await next).toMatchObject({ structuredContent: { fine: true } });
	});
});

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('fault 14: other output before and between the messages of the handshake does no harm', async () => {
		const here = world();
		const rawServer = await open({ manual: ['initialize'] });
		onTestFinished(() => rawServer.close());
		const connection = here.create(define('raw-server', rawServer.definition));
		const starting = connection.start();
		const initialize = await rawServer.expect('initialize');
		for (const line of ['npm warn something', '{"level":"info"}', '[1]']) rawServer.line(line, initialize);
		const serverInfo = { name: 'raw-server', version: '1.0.0' };
		rawServer.answer(initialize, { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo });
		await starting;
		expect(connection.tools.map(({ name }) => name)).toEqual(['act']);
	});

	it('fault 12: an elicitation of 9 MB is refused with -32602, once, and the user is told why', () =>
		duringCall(world(), open, async ({ here, rawServer, call }) => {
			const enormous = 'é'.repeat(4.5 * MB);
			const elicitations = [
				rawServer.ask({ ...form, message: enormous }, call),
				rawServer.ask({ ...form, requestedSchema: { ...form.requestedSchema, description: enormous } }, call),
			];
			for (const { id, response: reply } of elicitations) {
				const error = { code: -32602, message: expect.stringMatching(/ is larger than [\d,]+ bytes\.$/) };
				expect(await reply).toEqual({ jsonrpc: '2.0', id, error });
			}
			await rawServer.fence(call);
			expect(elicitations.flatMap(({ id }) => rawServer.responses(id))).toHaveLength(2);
			expect(here.refusals.map(({ reason }) => reason.text)).toEqual([
				'The message is larger than {0} bytes.',
				'The schema is larger than {0} bytes.',
			]);
		}));

	it('fault 16: an elicitation with a schema nested 200,000 levels deep is refused with -32602', () =>
		duringCall(world(), open, async ({ here, rawServer, call, expectReplies }) => {
			const create = (id: string, params: string) =>
				rawServer.line(`{"jsonrpc":"2.0","id":"${id}","method":"elicitation/create","params":${params}}`, call);
			create('deep', `{"message":"x","requestedSchema":${deep(200_000)}}`);
			rawServer.line(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":${deep(200_000)}}`, call);
			await rawServer.fence(call);
			const error = { code: -32602, message: 'The schema is nested deeper than 32 levels.' };
			expect(rawServer.responses('deep')).toEqual([{ jsonrpc: '2.0', id: 'deep', error }]);
			// Nesting outside the schema doesn't prevent the elicitation.
			create('fine', `${JSON.stringify(form).slice(0, -1)},"_meta":${deep(200_000)}}`);
			(await here.asked())[0].decline();
			await expectReplies('fine', { action: 'decline' });
		}));
});

describe.each(ROUNDS)('in rounds over %s', (_wire, open) => {
	it('fault 16: a round that asks with a schema nested 200,000 levels deep fails the call with an explanation', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		const bad = JSON.stringify(request({ ...form, requestedSchema: 'SCHEMA' })).replace('"SCHEMA"', deep(200_000));
		const result = `{"resultType":"input_required","inputRequests":{"a":${bad}}}`;
		rawServer.line(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`, call);
		expect(await words).toMatch(/^raw-server: .* nested deeper than \d+ levels\. /);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});
});

it('fault 14: a server that keeps writing other output does not fill the log: a sample, then counts', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open);
	rawServer.raw(`${'noise '.repeat(1000)}\n`.repeat(100));
	rawServer.raw('more\n'.repeat(9_900));
	await rawServer.fence();
	const logged = here.logs.filter((line) => line.startsWith('warn: '));
	expect(logged).toHaveLength(13);
	expect(logged[0]).toMatch(/^warn: Ignored a line on stdout that is no JSON-RPC message: noise noise /);
	expect(logged.slice(-3)).toEqual(
		[100, 1_000, 10_000].map((count) => `warn: ${count} lines like these so far; the others are not logged.`),
	);
	expect(Math.max(...logged.map(({ length }) => length))).toBeLessThan(400);
	rawServer.complain(`${'long '.repeat(10_000)}\nshort\n`);
	await here.until(() => here.logs.includes('stderr: short'));
	expect(Math.max(...here.logs.map(({ length }) => length))).toBeLessThan(80_000);
	expect(connection.state).toBe('running');
});

itByNight('fault 13: a body without an end, and an event of endless lines, end the connection as well', async () => {
	const here = world();
	// It takes a busy machine long to send and read that much.
	here.timeout = 0;
	for (const [type, piece] of [
		['application/json', ' '.repeat(MB)],
		['text/event-stream', `data: ${'x'.repeat(1017)}\n`.repeat(MB / 1024)],
	] as const) {
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
		const calling = connection.callTool('act', {}).catch((error: Error) => error.message);
		const call = await rawServer.expect('tools/call');
		rawServer.open(call, type);
		for (let sent = 0; sent <= 66; sent++) rawServer.raw(piece, call);
		expect(await calling).toMatch(/^raw-server: The server sent a message longer than 64 MB/);
		await here.until(() => connection.state === 'failed');
	}
});
