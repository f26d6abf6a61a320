import { expect, it } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { MODERN, type Wire } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer } from './faults/rawServerFixtures.ts';
import { createRawServer } from './rawServerSteps.ts';
import { shown, testClients } from './testClient.ts';

/* What servers of 2026-07-28 may say in a way that the SDK does not expect. */

const world = testClients();

const refusal = (status: number, id: unknown, error: object) => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ jsonrpc: '2.0', id, error }),
});
const mismatch = { code: -32020, message: 'Header mismatch' };
const toolWith = (region: object) => ({
	name: 'act',
	inputSchema: { type: 'object', properties: { region: { type: 'string', ...region } } },
});

it.each([
	['', (id: unknown) => id],
	[' without its id', () => null],
])(
	'a method that a server does not have (status 404%s) is told as its error, not as a wrong address',
	async (_how, told) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, {
			revision: MODERN,
			capabilities: { prompts: {} },
		});
		rawServer.refusePosts = ({ id }) => refusal(404, told(id), { code: -32601, message: 'Method not found' });
		await expect(connection.getPrompt('greet', {})).rejects.toThrow(
			/^raw-server: The server responded with error -32601: Method not found\. /,
		);
		const [error] = here.wire('received', ({ error }) => error?.code === -32601).slice(-1);
		expect(error.id).toBe(here.wire('sent', ({ method }) => method === 'prompts/get')[0].id);
	},
);

it.each([
	['no JSON', 'nothing here'],
	['an error about another request', JSON.stringify({ jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'No' } })],
])('status 404 with %s is told as a wrong address', async (_what, body) => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { revision: MODERN });
	rawServer.refusePosts = () => ({ status: 404, body });
	await expect(connection.callTool('act', {})).rejects.toThrow(/ responded with HTTP status 404/);
});

it.each([
	['without "jsonrpc"', 400, {}],
	['without "jsonrpc"', 404, {}],
	['that is also a request', 400, { jsonrpc: '2.0', method: 'ping' }],
])('an error %s under the id of a call (status %i) ends the call', async (_what, status, members) => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { revision: MODERN });
	const error = { code: -32602, message: 'No' };
	rawServer.refusePosts = ({ id }) => ({ status, body: JSON.stringify({ id, error, ...members }) });
	await expect(connection.callTool('act', {})).rejects.toThrow(` responded with HTTP status ${status}`);
});

it.each([
	['no body', '', {}, 'The server accepted "act", but did not respond to it. '],
	['a text', 'Queued', {}, 'The server responded to "act" with what is no MCP message: Queued. '],
	['an event stream', ': accepted\n\n', { 'content-type': 'text/event-stream' }, 'The server accepted "act", but '],
])('a call that is only accepted (status 202 with %s) ends at once', async (_what, body, headers, words) => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { revision: MODERN });
	rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status: 202, headers, body } : undefined);
	await expect(connection.callTool('act', {})).rejects.toThrow(words);
});

it('a call whose tool has come to need other headers is sent again with them, once (N05)', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, {
		revision: MODERN,
		tools: [toolWith({})],
	});
	rawServer.tools = [toolWith({ 'x-mcp-header': 'Region' })];
	rawServer.refusePosts = ({ id, method }, headers) =>
		method === 'tools/call' && headers['mcp-param-region'] !== 'eu' ? refusal(400, id, mismatch) : undefined;
	const calling = connection.callTool('act', { region: 'eu' });
	rawServer.finish(await rawServer.expect('tools/call'), { done: true });
	expect(shown(await calling)).toEqual({ done: true });
	rawServer.refusePosts = ({ id, method }) => (method === 'tools/call' ? refusal(400, id, mismatch) : undefined);
	rawServer.log.length = 0;
	await expect(connection.callTool('act', { region: 'eu' })).rejects.toThrow(/error -32020: Header mismatch/);
	expect(rawServer.log).toEqual(['POST tools/call', 'POST tools/list', 'POST tools/call']);
});

it.each([
	['in a session', RawHttpServer.open, {}],
	['over stdio', RawStdioServer.open, { revision: MODERN } as const],
])(
	'a call that failed with the code of wrong headers %s may have run, and is not sent again',
	async (_how, open, options) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool<RawHttpServer | RawStdioServer, Wire>(
			here,
			open,
			options,
		);
		rawServer.fail(call, mismatch);
		await expect(calling).rejects.toThrow(/error -32020: Header mismatch/);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	},
);

it.each([
	['absent', {}],
	['negative', { ttlMs: -1, cacheScope: 'private' }],
	['not whole', { ttlMs: 0.5, cacheScope: 'public' }],
	['unknown', { ttlMs: 0, cacheScope: 'team' }],
])('lists and resources whose caching hints are %s are read all the same (N06)', async (_what, hints) => {
	const here = world();
	const { rawServer, connection } = await createRawServer(here, RawHttpServer.open, {
		revision: MODERN,
		capabilities: { resources: {} },
		manual: ['tools/list', 'resources/list'],
	});
	const starting = connection.start();
	const answer = async (method: string, result: object) =>
		rawServer.answer(await rawServer.expect(method), { resultType: 'complete', ...hints, ...result });
	await answer('tools/list', { tools: [toolWith({})] });
	await answer('resources/list', { resources: [{ uri: 'test:it', name: 'it' }] });
	await starting;
	expect([connection.tools.length, connection.resources.length]).toEqual([1, 1]);
	const reading = connection.readResource('test:it');
	await answer('resources/read', { contents: [{ uri: 'test:it', text: 'here' }] });
	expect(await reading).toMatchObject({ contents: [{ text: 'here' }] });
});
