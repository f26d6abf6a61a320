import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN, OLDER } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { connectRawServer, form } from './faults/rawServerFixtures.ts';
import { callThrough, createRawServer, serving } from './rawServerSteps.ts';
import { define, type Listening, listening, shown, stdio, testClients, testServer, unheardOf } from './testClient.ts';

/* What is declared: see modes.test.ts. */

const world = testClients();
const sdk1 = testServer('sdk1.mjs');
const sdk2 = testServer('sdk2.mjs');

/** A process without an SDK. */
async function raw(revision: typeof LEGACY | typeof MODERN, name = 'raw-server', more: object = {}) {
	const rawServer = await RawStdioServer.open({ revision });
	onTestFinished(() => rawServer.close());
	return define(name, { ...rawServer.definition, ...more });
}

describe('a server', () => {
	const listeners = {} as Record<'http1' | 'sse1' | 'http2', Listening>;
	beforeAll(async () => {
		const [http1, sse1, http2] = await Promise.all([
			listening(sdk1, '--http', '0'),
			listening(sdk1, '--sse', '0'),
			listening(sdk2, '--http', '0'),
		]);
		Object.assign(listeners, { http1, sse1, http2 });
	});
	afterAll(() => {
		for (const { stop } of Object.values(listeners)) stop();
	});

	it.each([
		['sdk 1 over stdio', () => stdio('s', sdk1), 'legacy'],
		['sdk 1 over HTTP', () => define('s', { url: listeners.http1.url }), 'legacy'],
		['sdk 1 over SSE', () => define('s', { type: 'sse', url: listeners.sse1.url }), 'legacy'],
		['sdk 1 over SSE, found by itself', () => define('s', { url: listeners.sse1.url }), 'legacy'],
		['sdk 2 over stdio', () => stdio('s', sdk2), 'modern'],
		['sdk 2 over HTTP', () => define('s', { url: listeners.http2.url }), 'modern'],
		['no SDK, older, over stdio', () => raw(LEGACY), 'legacy'],
		['no SDK, newer, over stdio', () => raw(MODERN), 'modern'],
	] as const)(
		'on %s is asked what it speaks, which is remembered; an elicitation without a mode is a form (E04, E05, E08)',
		async (way, definition, era) => {
			const here = world();
			const connection = await here.connect(await definition());
			const revision = era === 'modern' ? MODERN : LEGACY;
			expect([connection.state, connection.era, connection.revision]).toEqual(['running', era, revision]);
			expect(connection.tools.length).toBeGreaterThan(0);
			await connection.stop();
			expect([connection.state, connection.tools, connection.revision]).toEqual(['stopped', [], undefined]);
			here.trace.clear();
			await connection.start();
			expect([connection.state, connection.era]).toEqual(['running', era]);
			// What a newer server can do is asked anew.
			const begins = here.wire('sent', ({ method }) => method === 'server/discover' || method === 'initialize');
			expect(new Set(begins.map(({ method }) => method))).toEqual(
				new Set([era === 'modern' ? 'server/discover' : 'initialize']),
			);
			if (!way.startsWith('sdk')) return;
			const calling = connection.callTool('ask', { params: form });
			const [elicitation] = await here.asked();
			expect(elicitation.request.mode).toBe('form');
			await here.registry.accept(elicitation, { name: 'Ada' });
			expect(shown(await calling)).toEqual({ action: 'accept', content: { name: 'Ada' } });
		},
	);
});

describe('a pinned revision', () => {
	it.each([...OLDER, LEGACY, MODERN] as const)('%s is asked for and spoken (E04)', async (revision) => {
		const here = world();
		const pin = { protocolVersion: revision };
		const { connection } = await connectRawServer(here, RawHttpServer.open, { revision }, pin);
		expect([connection.era, connection.revision]).toEqual([revision === MODERN ? 'modern' : 'legacy', revision]);
		expect(here.wire('sent')[0]).toMatchObject(
			revision === MODERN ? { method: 'server/discover' } : { method: 'initialize', params: pin },
		);
	});

	it.each([
		[MODERN, async (pin: object) => stdio('picky', sdk1, [], pin), []],
		[LEGACY, async (pin: object) => stdio('picky', sdk2, [], pin), [MODERN]],
		['2025-06-18', (pin: object) => raw(LEGACY, 'picky', pin), [LEGACY]],
	])(
		'%s that the server does not have fails with an error that names what it has (E04, E06)',
		async (pin, definition, has) => {
			const here = world();
			const connection = here.create(await definition({ protocolVersion: pin }));
			const failure = await connection.start().catch((error: unknown) => error as Failure);
			expect(failure).toBeInstanceOf(Failure);
			expect((failure as Failure).message).toMatch(/^picky: .*\. .*"protocolVersion".*\.$/);
			for (const each of [pin, ...has]) expect((failure as Failure).message).toContain(each);
			expect([connection.state, connection.failure]).toEqual(['failed', failure]);
		},
	);
});

it('what is declared is carried by every request of 2026-07-28, with the version (E03)', async () => {
	const here = world();
	const connection = await here.connect(stdio('s', sdk2));
	await connection.callTool('plain', {});
	const requests = here.wire('sent', ({ id }) => id !== undefined);
	expect(requests.map(({ method }) => method)).toEqual([
		'server/discover',
		'tools/list',
		'prompts/list',
		'resources/list',
		'resources/templates/list',
		'tools/call',
	]);
	for (const { params } of requests) {
		expect(params._meta).toMatchObject({
			'io.modelcontextprotocol/protocolVersion': MODERN,
			'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
		});
	}
});

describe('a server that cannot be had', () => {
	async function failure(definition: object): Promise<string> {
		const here = world();
		const connection = here.create(define('gone', definition));
		const error = await connection.start().catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(Failure);
		expect([connection.state, connection.failure]).toEqual(['failed', error]);
		expect(here.logs).toContain(`error: ${(error as Failure).message}`);
		await expect(connection.callTool('x', {})).rejects.toBeInstanceOf(Failure);
		return (error as Failure).message;
	}

	const words = [
		'Cannot start:',
		'  at least one root is needed',
		'  File "a.json" is missing',
		'Node.js v9 is too old',
	];
	const SEE = 'Run the command in a terminal to see why, or look at its log.';

	it.each<[string, readonly string[], RegExp | string]>([
		[
			'because it exits at once: its last words are shown, also those on the wrong stream',
			['-e', 'console.log("Usage: server FILE"); process.exitCode = 2'],
			`gone: The server exited with code 2. Its last output: Usage: server FILE. ${SEE}`,
		],
		[
			'because its file is not there: the message of its error is shown, not its stack',
			['/not/there.mjs'],
			/Its last output: .*⏎ Error: Cannot find module '\/not\/there\.mjs' ⏎ code: /,
		],
		[
			'because what it needs cannot be reached: the message of its error is shown, not only its members',
			['-e', 'require("net").connect(1, "127.0.0.1")'],
			/⏎ Error: connect ECONNREFUSED 127\.0\.0\.1:1 ⏎ .* ⏎ port: 1\./,
		],
		[
			'because of its configuration: indented lines of its last words are shown, too',
			['-e', 'console.error("\\nMissing:\\n  API_KEY\\n\\n  REGION"); process.exit(1)'],
			/Its last output: Missing: ⏎ API_KEY ⏎ REGION\./,
		],
		[
			'because of what it runs on: lines of its last words that only begin like those around an error are shown',
			['-e', `console.error(${JSON.stringify(words.join('\n'))}); process.exit(1)`],
			/Cannot start: ⏎ at least one root is needed ⏎ File "a\.json" is missing ⏎ Node\.js v9 is too old\./,
		],
	])('%s', async (_why, args, message) => {
		const text = await failure({ command: process.execPath, args });
		typeof message === 'string' ? expect(text).toBe(message) : expect(text).toMatch(message);
		expect(text).not.toContain('at Module');
	});

	it('because its folder does not exist', async () => {
		expect(await failure({ command: process.execPath, cwd: '/does/not/exist' })).toMatch(
			/^gone: The folder "\/does\/not\/exist" was not found\. Create it, or correct "cwd"/,
		);
	});

	it('because nothing listens there', async () => {
		const { port, release } = await unheardOf();
		onTestFinished(release);
		const url = `http://127.0.0.1:${port}/mcp`;
		const words = `gone: Nothing responds at ${url} (ECONNREFUSED). Start the server, or correct "url" in its definition.`;
		expect(await failure({ url })).toBe(words);
		expect(await failure({ type: 'sse', url })).toBe(words);
	});

	it('because its host does not exist', async () => {
		expect(await failure({ url: 'http://does-not-exist.invalid/mcp' })).toMatch(
			/^gone: The host of .* could not be found/,
		);
	});

	const CHECK = 'Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.';

	it.each([
		[404, 'text/plain', 'nothing here', `responded with HTTP status 404: nothing here. ${CHECK}`],
		[200, 'application/json', '{not json', `responded with what is no MCP message: {not json. ${CHECK}`],
	])('because it answers with HTTP status %d and %s %j', async (status, type, body, message) => {
		const origin = await serving((_request, response) =>
			response.writeHead(status, { 'content-type': type }).end(body),
		);
		const url = `${origin}/mcp`;
		expect(await failure({ url })).toBe(`gone: ${url} ${message}`);
	});

	it.each([
		[
			'it requires a sign-in that this client cannot have',
			401,
			'requires a sign-in, but does not let this client register for it (HTTP status 401). Set "oauth.clientId" in ' +
				'its definition to a client that is registered there, or put a token into "headers".',
		],
		[
			'it lets nobody in',
			403,
			'denied access (HTTP status 403). Sign out and sign in with another account, or ask whoever runs the server.',
		],
	])('because %s', async (_why, status, message) => {
		const url = `${await serving((_request, response) => response.writeHead(status).end())}/mcp`;
		expect(await failure({ url })).toBe(`gone: ${url} ${message}`);
		expect(await failure({ type: 'sse', url })).toBe(`gone: ${url} ${message}`);
	});
});

// More in lifecycle.test.ts.
it('starting and calling at the same time starts one session only', async () => {
	const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open);
	const starting = [connection.start(), connection.start(), callThrough(rawServer, connection)];
	await Promise.all(starting);
	expect(rawServer.requests('initialize')).toHaveLength(1);
});

it('a server whose list of tools fails is connected all the same, and says what is wrong with the list', async () => {
	const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open, { manual: ['tools/list'] });
	const starting = connection.start();
	rawServer.fail(await rawServer.expect('tools/list'), { code: -32601, message: 'Method not found' });
	await starting;
	expect([connection.state, connection.tools]).toEqual(['running', []]);
	expect(connection.failure).toBeInstanceOf(Failure);
	expect(connection.failure?.message).toContain('Method not found');
});
