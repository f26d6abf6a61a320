import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { wordsOf } from '../faults/rawServerFixtures.ts';
import { define, type TestClient, testClients } from '../testClient.ts';

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
const NO_HELP = "A new session did not help. Check the server's own log, or tell whoever runs it.";
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
	[
		'502 with a page',
		{ status: 502, body: '<h1>Bad Gateway</h1>' },
		`responded with HTTP status 502: Bad Gateway. ${LATER}`,
	],
	['503 with a text', { status: 503, body: 'Draining\n' }, `responded with HTTP status 503: Draining. ${LATER}`],
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
		'that answers with %s: the start says so, and so does a call; afterwards each works',
		async (_what, refusal, words) => {
			const here = world();
			const { rawServer, connection } = await unstarted(here, revision, token);
			const url = urlOf(rawServer);
			const expected = `raw-server: ${words.includes('URL') ? words.replace('URL', url) : `${url} ${words}`}`;
			rawServer.refusePosts = () => refusal;
			rawServer.refuseStreams = refusal.status;
			expect(await wordsOf(connection.start())).toBe(expected);
			expect(connection.state).toBe('failed');
			// The definition is shown only to those who are told to correct it.
			const isAboutDefinition = / "url"|the header/.test(words);
			expect(connection.failure?.definition !== undefined).toBe(isAboutDefinition);
			rawServer.refusePosts = () => undefined;
			rawServer.refuseStreams = undefined;
			await connection.start();
			await works(rawServer, connection);

			const posts = () => rawServer.log.filter((line) => line === 'POST tools/call').length;
			const before = posts();
			rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? refusal : undefined);
			// It may mean that the session has ended. The header is good, because the new one could begin.
			const isDoubtful = revision === LEGACY && [400, 401].includes(refusal.status);
			expect(await wordsOf(connection.callTool('act', {}))).toBe(
				isDoubtful
					? `raw-server: ${url} responded with HTTP status ${refusal.body ? '400: Bad tenant' : refusal.status}. ${NO_HELP}`
					: expected,
			);
			expect(posts()).toBe(before + (isDoubtful ? 2 : 1));
			rawServer.refusePosts = () => undefined;
			await works(rawServer, connection);
		},
	);

	it('that nobody runs: says that nothing answers, at each start and in a call; once it runs, it works', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		const words = `raw-server: Nothing responds at ${urlOf(rawServer)} (ECONNREFUSED). Start the server, or correct "url" in its definition.`;
		const fails = async () => {
			await rawServer.die();
			expect(await wordsOf(connection.start())).toBe(words);
			expect(connection.state).toBe('failed');
			await rawServer.rise();
			await connection.start();
			await works(rawServer, connection);
		};
		await fails();
		await rawServer.die();
		expect(await wordsOf(connection.callTool('act', {}))).toBe(words);
		await rawServer.rise();
		await works(rawServer, connection);
		await connection.stop();
		await fails();
	});

	it('that never answers the start: says how long it was waited for; then it starts by hand', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
		const silent = createServer(() => {});
		await rawServer.die();
		const { port } = new URL(urlOf(rawServer));
		await new Promise<void>((resolve) => silent.listen(Number(port), '127.0.0.1', resolve));
		const failing = wordsOf(connection.start());
		await new Promise((resolve) => silent.once('request', resolve));
		vi.advanceTimersByTime(60_000);
		expect(await failing).toBe(
			'raw-server: The server did not respond within 60 s. Start it again later, or correct "url" in its definition if this is not an MCP server.',
		);
		vi.useRealTimers();
		silent.closeAllConnections();
		await new Promise((resolve) => silent.close(resolve));
		await rawServer.rise();
		await connection.start();
		await works(rawServer, connection);
	});

	it('that is a server of something else: says what is wrong with its answer', async () => {
		const here = world();
		const { rawServer, connection } = await unstarted(here, revision);
		rawServer.refusePosts = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' });
		expect(await wordsOf(connection.start())).toMatch(
			/^raw-server: http:\S+ responded with text\/html, not with MCP messages: Hello\. Check that "url" is the address /,
		);
		rawServer.refusePosts = () => undefined;
		await connection.start();
		await works(rawServer, connection);
	});
});

describe('a server behind a URL', () => {
	it.each([
		[
			'that speaks no HTTP at all: says so in the error',
			'SSH-2.0-OpenSSH_9.2\r\n',
			/^raw-server: Could not connect to http:\S+: Parse Error: Expected HTTP\/.*\. Check "url"/,
		],
		[
			'whose status there is not: the start fails with an explanation, and nothing breaks',
			'HTTP/1.1 999 Odd\r\n\r\n',
			/^raw-server: The server responded with 999, which is not an HTTP status\. Check "url" in its definition, and look at its log\.$/,
		],
	])('%s', async (_what, said, words) => {
		const odd = createSocketServer((socket) => socket.once('data', () => socket.end(said)));
		await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void odd.close());
		const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/mcp`;
		expect(await wordsOf(world().create(define('raw-server', { url })).start())).toMatch(words);
	});
});
