import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import {
	define,
	type Listening,
	listening,
	peer,
	shown,
	stdio,
	testClients,
	testServer,
	unheardOf,
} from './testClient.ts';

const world = testClients();
const sdk1 = testServer('sdk1.mjs');
const sdk2 = testServer('sdk2.mjs');
const simple = { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

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

const ways = [
	['sdk 1 over stdio', () => stdio('s', sdk1), 'legacy', '2025-11-25'],
	['sdk 1 over HTTP', () => define('s', { url: listeners.http1.url }), 'legacy', '2025-11-25'],
	['sdk 1 over SSE', () => define('s', { type: 'sse', url: listeners.sse1.url }), 'legacy', '2025-11-25'],
	['sdk 1 over SSE, found by itself', () => define('s', { url: listeners.sse1.url }), 'legacy', '2025-11-25'],
	['sdk 2 over stdio', () => stdio('s', sdk2), 'modern', '2026-07-28'],
	['sdk 2 over HTTP', () => define('s', { url: listeners.http2.url }), 'modern', '2026-07-28'],
	['no SDK, older, over stdio', () => stdio('s', peer('legacy.mjs')), 'legacy', '2025-11-25'],
	['no SDK, newer, over stdio', () => stdio('s', peer('modern.mjs')), 'modern', '2026-07-28'],
] as const;

describe.each(ways)('a server on %s', (_way, definition, era, revision) => {
	it(`is found to speak ${revision}, which is remembered for the next start (E04, E05)`, async () => {
		const here = world();
		const connection = await here.connect(definition());
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
	});
});

describe.each(ways.filter(([way]) => way.startsWith('sdk')))('an elicitation of %s', (_way, definition) => {
	it('without a mode is a form (E08) and is answered', async () => {
		const here = world();
		const connection = await here.connect(definition());
		const calling = connection.callTool('ask', { params: simple });
		const [elicitation] = await here.asked();
		expect(elicitation.request.mode).toBe('form');
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(shown(await calling)).toEqual({ action: 'accept', content: { name: 'Ada' } });
	});
});

describe('a pinned revision', () => {
	it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is asked for and spoken (E04)', async (pin) => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1, [], { protocolVersion: pin }));
		expect([connection.era, connection.revision]).toEqual(['legacy', pin]);
		expect(here.wire('sent')[0]).toMatchObject({ method: 'initialize', params: { protocolVersion: pin } });
	});

	it('2026-07-28 is spoken with a server that has it', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk2, [], { protocolVersion: '2026-07-28' }));
		expect(connection.revision).toBe('2026-07-28');
	});

	it.each([
		['2026-07-28', sdk1, []],
		['2025-11-25', sdk2, ['2026-07-28']],
		['2025-06-18', peer('legacy.mjs'), ['2025-11-25']],
	])(
		'%s that the server does not have fails with an error that names what it has (E04, E06)',
		async (pin, file, has) => {
			const here = world();
			const connection = here.create(stdio('picky', file, [], { protocolVersion: pin }));
			const failure = await connection.start().catch((error: unknown) => error as Failure);
			expect(failure).toBeInstanceOf(Failure);
			expect((failure as Failure).message).toMatch(/^picky: .*\. .*"protocolVersion".*\.$/);
			expect((failure as Failure).message).toContain(pin);
			for (const each of has) expect((failure as Failure).message).toContain(each);
			expect([connection.state, connection.failure]).toEqual(['failed', failure]);
		},
	);
});

describe('what is declared', () => {
	const declared = (initialize: { params: { capabilities: { tasks?: object; roots?: object } } }) => {
		// Those of tasks and roots have tests of their own.
		const { tasks: _, roots: __, ...capabilities } = initialize.params.capabilities;
		return capabilities;
	};

	it.each([
		['2025-11-25', 'both', { elicitation: { form: {}, url: {} } }],
		['2025-11-25', 'form', { elicitation: { form: {} } }],
		['2025-11-25', 'url', { elicitation: { url: {} } }],
		['2025-11-25', 'none', {}],
		['2025-06-18', 'both', { elicitation: {} }],
	])('in %s with advertise %s (E01, E02)', async (protocolVersion, advertise, capabilities) => {
		const here = world();
		await here.connect(stdio('s', sdk1, [], { protocolVersion, elicitation: { advertise } }));
		expect(declared(here.wire('sent', ({ method }) => method === 'initialize')[0])).toStrictEqual(capabilities);
	});

	it('is carried by every request of 2026-07-28, with the version (E03)', async () => {
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
				'io.modelcontextprotocol/protocolVersion': '2026-07-28',
				'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
			});
		}
	});
});

describe('a server that cannot be had', () => {
	let server: Server | undefined;
	afterEach(() => {
		server?.closeAllConnections();
		server?.close();
	});

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

	async function serving(handle: RequestListener): Promise<string> {
		server = createServer(handle);
		await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
	}

	it('because it exits at once: its last words are shown, also those on the wrong stream', async () => {
		const words = 'console.log("Usage: server FILE"); process.exitCode = 2';
		expect(await failure({ command: process.execPath, args: ['-e', words] })).toBe(
			'gone: The server exited with code 2. Its last output: Usage: server FILE. Run the command in a terminal to see why, or look at its log.',
		);
	});

	it('because its file is not there: the message of its error is shown, not its stack', async () => {
		const text = await failure({ command: process.execPath, args: ['/not/there.mjs'] });
		expect(text).toMatch(/Its last output: .*⏎ Error: Cannot find module '\/not\/there\.mjs' ⏎ code: /);
		expect(text).not.toContain('at Module');
	});

	it('because what it needs cannot be reached: the message of its error is shown, not only its members', async () => {
		const text = await failure({ command: process.execPath, args: ['-e', 'require("net").connect(1, "127.0.0.1")'] });
		expect(text).toMatch(/⏎ Error: connect ECONNREFUSED 127\.0\.0\.1:1 ⏎ .* ⏎ port: 1\./);
	});

	it('because of its configuration: indented lines of its last words are shown, too', async () => {
		const words = 'console.error("\\nMissing:\\n  API_KEY\\n\\n  REGION"); process.exit(1)';
		expect(await failure({ command: process.execPath, args: ['-e', words] })).toContain(
			'Its last output: Missing: ⏎ API_KEY ⏎ REGION.',
		);
	});

	it('because of what it runs on: lines of its last words that only begin like those around an error are shown', async () => {
		const words = [
			'Cannot start:',
			'  at least one root is needed',
			'  File "a.json" is missing',
			'Node.js v9 is too old',
		];
		const args = ['-e', `console.error(${JSON.stringify(words.join('\n'))}); process.exit(1)`];
		expect(await failure({ command: process.execPath, args })).toContain(
			'Cannot start: ⏎ at least one root is needed ⏎ File "a.json" is missing ⏎ Node.js v9 is too old.',
		);
	});

	it('because it exits at once: its last words are shown', async () => {
		expect(await failure({ command: process.execPath, args: [testServer('raw.mjs'), 'exit-at-once'] })).toBe(
			'gone: The server exited with code 3. Its last output: cannot start: the moon is not full. Run the command in a terminal to see why, or look at its log.',
		);
	});

	it.each([
		['does-not-exist-anywhere', {}, /^gone: The command "does-not-exist-anywhere" was not found\. Check "command"/],
		[
			process.execPath,
			{ cwd: '/does/not/exist' },
			/^gone: The folder "\/does\/not\/exist" was not found\. Create it, or correct "cwd"/,
		],
	])('because of its command (%s %j)', async (command, more, message) => {
		expect(await failure({ command, ...more })).toMatch(message);
	});

	// Windows has no permission to execute.
	it.skipIf(process.platform === 'win32')('because its command is not executable', async () => {
		expect(await failure({ command: '/etc/passwd' })).toMatch(
			/^gone: The command "\/etc\/passwd" is not executable\. Make the file executable/,
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

	it.each([
		[404, 'Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.'],
		[500, "Try again later. If the problem persists, check the server's own log, or tell whoever runs it."],
		[503, "Try again later. If the problem persists, check the server's own log, or tell whoever runs it."],
	])('because it answers with HTTP status %d', async (status, fix) => {
		const url = await serving((_request, response) => response.writeHead(status).end('nothing here'));
		expect(await failure({ url })).toBe(`gone: ${url} responded with HTTP status ${status}. ${fix}`);
	});

	it('because it requires a sign-in that this client cannot have', async () => {
		const url = await serving((_request, response) => response.writeHead(401).end());
		const words =
			`gone: ${url} requires a sign-in, but does not let this client register for it (HTTP status 401). ` +
			'Set "oauth.clientId" in its definition to a client that is registered there, or put a token into "headers".';
		expect(await failure({ url })).toBe(words);
		expect(await failure({ type: 'sse', url })).toBe(words);
	});

	it('because it lets nobody in', async () => {
		const url = await serving((_request, response) => response.writeHead(403).end());
		const words = `gone: ${url} denied access (HTTP status 403). Sign out and sign in with another account, or ask whoever runs the server.`;
		expect(await failure({ url })).toBe(words);
		expect(await failure({ type: 'sse', url })).toBe(words);
	});

	it('because it is a web page and no server', async () => {
		const url = await serving((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello'));
		expect(await failure({ url })).toBe(
			`gone: ${url} responded with text/html, not with MCP messages. Check that "url" is the address of an MCP endpoint, and look at the server's own log.`,
		);
	});

	it('because it answers with what is not JSON', async () => {
		const url = await serving((_request, response) =>
			response.setHeader('content-type', 'application/json').end('{not json'),
		);
		expect(await failure({ url })).toBe(
			`gone: ${url} responded with something that is not JSON. Check that "url" is the address of an MCP endpoint, and look at the server's own log.`,
		);
	});

	it('later, when a call wants it (HTTP): the Failure names the cause', async () => {
		const here = world();
		const passing = await listening(sdk1, '--http', '0');
		const connection = await here.connect(define('passing', { url: passing.url }));
		passing.stop();
		await new Promise((resolve) => passing.child.once('exit', resolve));
		await expect(connection.callTool('slow', {})).rejects.toThrow(/^passing: Nothing responds at .* \(ECONN/);
	});
});

describe('starting and stopping', () => {
	it('at the same time starts one process only', async () => {
		const here = world();
		const connection = here.create(stdio('s', sdk1));
		await Promise.all([connection.start(), connection.start(), connection.callTool('slow', { ms: 1 })]);
		expect(here.wire('sent', ({ method }) => method === 'initialize')).toHaveLength(1);
	});

	it('in the middle of a start ends it', async () => {
		const here = world();
		const connection = here.create(stdio('s', sdk1));
		const starting = connection.start().catch((error: unknown) => error);
		await here.until(() => here.wire('sent')[0]);
		await connection.stop();
		expect(await starting).toBeInstanceOf(Failure);
		expect(connection.state).toBe('stopped');
		await connection.start();
		expect(connection.state).toBe('running');
	});

	it('in the same breath starts nothing', async () => {
		const here = world();
		const connection = here.create(stdio('s', sdk1));
		const starting = connection.start().catch((error: unknown) => error);
		await connection.stop();
		expect(await starting).toBeInstanceOf(Failure);
		expect([connection.state, connection.revision]).toEqual(['stopped', undefined]);
		await connection.start();
		expect(connection.state).toBe('running');
	});

	it('withdraws what the server asks', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1));
		const calling = connection.callTool('ask', { params: simple });
		calling.catch(() => {});
		const [elicitation] = await here.asked();
		await connection.stop();
		expect(elicitation.state).toBe('withdrawn');
		await expect(calling).rejects.toThrow('s: The server was stopped while "ask" was running. Start it, then try');
		expect(connection.state).toBe('stopped');
	});
});

describe('a server whose list of tools fails', () => {
	it('is connected all the same, and says what is wrong with the list', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', peer('legacy.mjs'), ['no-list']));
		expect([connection.state, connection.tools]).toEqual(['running', []]);
		expect(connection.failure).toBeInstanceOf(Failure);
		expect(connection.failure?.message).toContain('Method not found');
	});
});
