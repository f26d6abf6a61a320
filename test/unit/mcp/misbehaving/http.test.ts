import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { connectRawServer } from '../faults/rawServerFixtures.ts';
import { define, type TestClient, testClients } from '../testClient.ts';
import { failureOf } from './markedProcesses.ts';

/* Misbehaving HTTP servers. Each test states what the user reads (what happened, what to do) and what works afterwards. */

const world = testClients();
afterEach(() => {
	vi.useRealTimers();
});

const ERAS = [['with sessions', LEGACY] as const, ['stateless', MODERN] as const];

const urlOf = (rawServer: RawHttpServer) => String(rawServer.definition['url']);

/** A raw server without a connection. */
async function unstarted(here: TestClient, revision: typeof LEGACY | typeof MODERN, more: object = {}) {
	const rawServer = await RawHttpServer.open({ revision });
	onTestFinished(() => rawServer.close());
	return { rawServer, connection: here.create(define('raw-server', { ...rawServer.definition, ...more })) };
}

/** Checks that the server works. */
async function works(rawServer: RawHttpServer, connection: Connection): Promise<void> {
	const calling = connection.callTool('act', {});
	rawServer.finish(await rawServer.expect('tools/call'), { well: true });
	expect(await calling).toMatchObject({ structuredContent: { well: true } });
	expect([connection.state, connection.failure]).toEqual(['running', undefined]);
}

const LATER = "Try again later. If the problem persists, check the server's own log, or tell whoever runs it.";
const ENDPOINT = 'Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.';
const SIGN_IN = 'Correct the header, or remove it to sign in instead.';
const OTHER_ACCOUNT = 'Sign out and sign in with another account, or ask whoever runs the server.';

/** How a server refuses, and the resulting message (after the URL). */
const REFUSALS: readonly [
	what: string,
	refusal: { status: number; headers?: Record<string, string>; body?: string },
	words: string,
][] = [
	['401', { status: 401 }, `does not accept the "Authorization" header of its definition. ${SIGN_IN}`],
	['403', { status: 403 }, `denied access (HTTP status 403). ${OTHER_ACCOUNT}`],
	[
		'429 that says for how long',
		{ status: 429, headers: { 'retry-after': '7' } },
		'accepts no more requests for now (HTTP status 429). Try again in 7 s, as the server requests.',
	],
	['429', { status: 429 }, 'accepts no more requests for now (HTTP status 429). Wait a while, then try again.'],
	['500', { status: 500 }, `responded with HTTP status 500. ${LATER}`],
	[
		'500 with an explanation',
		{ status: 500, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"The disk is full"}}' },
		`responded with HTTP status 500: The disk is full. ${LATER}`,
	],
	['502 with a page', { status: 502, body: '<h1>Bad Gateway</h1>' }, `responded with HTTP status 502. ${LATER}`],
	['503', { status: 503 }, `responded with HTTP status 503. ${LATER}`],
	[
		'503 that says for how long',
		{ status: 503, headers: { 'retry-after': '120' } },
		'accepts no more requests for now (HTTP status 503). Try again in 120 s, as the server requests.',
	],
	['400', { status: 400, body: '{"error":"Bad tenant"}' }, `responded with HTTP status 400: Bad tenant. ${ENDPOINT}`],
	[
		'407 of a proxy',
		{ status: 407 },
		'The proxy on the way to URL requires a sign-in (HTTP status 407). Check "http.proxy" and "http.proxyAuthorization" in the settings.',
	],
	[
		'a redirection to another host',
		{ status: 307, headers: { location: 'https://other.example/mcp' } },
		'redirects to https://other.example/mcp, which is not followed: the configuration of one server is not sent to another. Write that address into "url", if it is the server that you mean.',
	],
];

describe.each(ERAS)('a server behind a URL (%s)', (_era, revision) => {
	/** With a configured token, so that signing in isn't an option. */
	const token = { headers: { Authorization: 'Bearer something' } };

	it.each(REFUSALS)(
		'that answers the start with %s: says so; afterwards it starts by hand',
		async (_what, refusal, words) => {
			const here = world();
			const { rawServer, connection } = await unstarted(here, revision, token);
			rawServer.refusePosts = () => refusal;
			rawServer.refuseStreams = refusal.status;
			const expected = words.includes('URL') ? words.replace('URL', urlOf(rawServer)) : `${urlOf(rawServer)} ${words}`;
			expect((await failureOf(connection.start())).message).toBe(`raw-server: ${expected}`);
			expect(connection.state).toBe('failed');
			rawServer.refusePosts = () => undefined;
			rawServer.refuseStreams = undefined;
			await connection.start();
			await works(rawServer, connection);
		},
	);

	it.each(REFUSALS)(
		'that answers a call with %s: the call fails and says so; the next one works',
		async (_what, refusal, words) => {
			const here = world();
			const { rawServer, connection } = await unstarted(here, revision, token);
			await connection.start();
			rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? refusal : undefined);
			const expected = words.includes('URL') ? words.replace('URL', urlOf(rawServer)) : `${urlOf(rawServer)} ${words}`;
			expect((await failureOf(connection.callTool('act', {}))).message).toBe(`raw-server: ${expected}`);
			expect(rawServer.log.filter((line) => line === 'POST tools/call')).toHaveLength(1);
			rawServer.refusePosts = () => undefined;
			await works(rawServer, connection);
		},
	);

	it('that nobody runs: says that nothing answers; once it runs, it starts by hand', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		await rawServer.die();
		expect((await failureOf(connection.start())).message).toBe(
			`raw-server: Nothing responds at ${urlOf(rawServer)} (ECONNREFUSED). Start the server, or correct "url" in its definition.`,
		);
		await rawServer.rise();
		await connection.start();
		await works(rawServer, connection);
	});

	it('that nobody runs any more when it is started the second time: is failed, not running', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		await connection.start();
		await connection.stop();
		await rawServer.die();
		expect((await failureOf(connection.start())).message).toMatch(
			/^raw-server: Nothing responds at .* \(ECONNREFUSED\)\. /,
		);
		expect(connection.state).toBe('failed');
		await rawServer.rise();
		await connection.start();
		await works(rawServer, connection);
	});

	it('that is gone when it is called: says that nothing answers; once it is back, the next call works', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		await connection.start();
		await rawServer.die();
		expect((await failureOf(connection.callTool('act', {}))).message).toMatch(
			/^raw-server: Nothing responds at .* \(ECONNREFUSED\)\. Start the server, /,
		);
		await rawServer.rise();
		await works(rawServer, connection);
	});

	it('that never answers the start: says how long it was waited for; then it starts by hand', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
		const silent = createServer(() => {});
		await rawServer.die();
		const { port } = new URL(urlOf(rawServer));
		await new Promise<void>((resolve) => silent.listen(Number(port), '127.0.0.1', resolve));
		const failing = failureOf(connection.start());
		await new Promise((resolve) => silent.once('request', resolve));
		vi.advanceTimersByTime(60_000);
		expect((await failing).message).toBe(
			'raw-server: The server did not respond within 60 s. Start it again later, or correct "url" in its definition if this is not an MCP server.',
		);
		vi.useRealTimers();
		silent.closeAllConnections();
		await new Promise((resolve) => silent.close(resolve));
		await rawServer.rise();
		await connection.start();
		await works(rawServer, connection);
	});

	it('that is slow: the call fails after the time for it and says so; the next one works', async () => {
		const here = world();
		here.timeout = 1;
		const { rawServer, connection } = await unstarted(here, revision);
		await connection.start();
		expect((await failureOf(connection.callTool('act', {}))).message).toBe(
			'raw-server: "act" did not finish within 1 s. Increase "mcpElicitation.callTimeout" (in seconds) if it needs longer; the time spent waiting for you does not count.',
		);
		await rawServer.expect('tools/call');
		await works(rawServer, connection);
	});

	it('whose stream is cut in the middle of a call: the call fails and says so; the next one works', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		await connection.start();
		const failing = failureOf(connection.callTool('act', {}));
		const call = await rawServer.expect('tools/call');
		rawServer.open(call);
		rawServer.cut(call);
		expect((await failing).message).toBe(
			'raw-server: The connection was lost before "act" responded. Check the server\'s log to see whether it took effect, then try again if necessary.',
		);
		await works(rawServer, connection);
	});

	it('that is a server of something else: says what is wrong with its answer', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		rawServer.refusePosts = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' });
		expect((await failureOf(connection.start())).message).toMatch(
			/^raw-server: http:\S+ responded with text\/html, not with MCP messages\. Check that "url" is the address /,
		);
		rawServer.refusePosts = () => undefined;
		await connection.start();
		await works(rawServer, connection);
	});
});

describe('a server behind a URL', () => {
	it.each([
		['404', { status: 404 }],
		[
			'400 and the words of an SDK',
			{ status: 400, body: '{"error":{"message":"Bad Request: No valid session ID provided"}}' },
		],
	])(
		'that answers with %s in the middle of a session: a new one is begun, and the call is run once',
		async (_what, refusal) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
			rawServer.session = 'another';
			rawServer.refusePosts = (message, headers) =>
				message.method !== 'initialize' && headers['mcp-session-id'] !== 'another' ? refusal : undefined;
			await works(rawServer, connection);
			expect(rawServer.requests('tools/call')).toHaveLength(1);
			expect(rawServer.requests('initialize')).toHaveLength(2);
		},
	);

	it('that speaks no HTTP at all: says so in the error', async () => {
		const here = world();
		const { createServer: createRaw } = await import('node:net');
		const raw = createRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
		await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void raw.close());
		const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/mcp`;
		const failure = await failureOf(here.create(define('ssh', { url })).start());
		expect(failure.message).toMatch(
			/^ssh: Could not connect to http:\S+: Parse Error: Expected HTTP\/.*\. Check "url"/,
		);
	});

	it('whose status there is not: the start fails with an explanation, and nothing breaks', async () => {
		const here = world();
		const odd = createServer((_request, response) => response.socket?.end('HTTP/1.1 999 Odd\r\n\r\n'));
		await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void odd.close());
		const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/mcp`;
		const failure = await failureOf(here.create(define('odd', { url })).start());
		expect(failure.message).toBe(
			`odd: Could not connect to ${url}: The server responded with 999, which is not an HTTP status. Check "url" in its definition, and look at its log.`,
		);
	});
});
