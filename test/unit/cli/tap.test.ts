import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveRecording } from '../../../src/recordings/serveRecording.ts';
import { testServer } from '../mcp/testClient.ts';
import { played } from '../trace/recording/recorded.ts';
import { commandLine, ending } from './commandLine.ts';

const program = commandLine();

const SECRET = 'planted-in-the-form';
const FORM = {
	message: 'Who?',
	requestedSchema: {
		type: 'object',
		properties: { name: { type: 'string' }, password: { type: 'string', title: 'Password' } },
	},
};
const PAGE = 'https://example.com/page';
const answer = (params: { mode?: string | undefined }) =>
	params.mode === 'url'
		? { action: 'accept' as const }
		: { action: 'accept' as const, content: { name: 'Ada', password: SECRET } };

/** What a test does with a client of either SDK. */
interface AnyClient {
	callTool(params: object, schema?: undefined, options?: object): Promise<unknown>;
	close(): Promise<void>;
}

const info = { name: 'any-client', title: 'Any Client', version: '3.2' };
const capabilities = { elicitation: { form: {}, url: {} } };

/** A client of the SDK 1.x. */
async function oldClient(transport: Stdio1 | Http1): Promise<AnyClient & Client1> {
	const client = new Client1(info, { capabilities });
	client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
	await client.connect(transport as Parameters<Client1['connect']>[0]);
	return client as AnyClient & Client1;
}

/** A client of the SDK 2.x, of the era without sessions. */
async function newClient(transport: Stdio2 | Http2): Promise<AnyClient> {
	const client = new Client2(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
	client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
	await client.connect(transport);
	return client as unknown as AnyClient;
}

/** The command with which a client starts the server of a script behind a tap. */
function behindTap(timeline: string, ...server: string[]) {
	const { file, folder } = program();
	const args = [file, 'tap', '--timeline', timeline, '--', process.execPath, ...server];
	return { command: process.execPath, args, cwd: folder, stderr: 'ignore' as const };
}

/** Starts a program that prints a URL, and resolves to that; it ends with the test. */
async function urlOf(...args: string[]): Promise<string> {
	const child = spawn(process.execPath, args, { cwd: program().folder, stdio: ['ignore', 'pipe', 'ignore'] });
	onTestFinished(async () => {
		child.kill('SIGINT');
		await (child.exitCode ?? child.signalCode ?? once(child, 'exit'));
	});
	const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	return line.slice(line.lastIndexOf('http://'));
}

async function urlBehindTap(timeline: string, server: string): Promise<URL> {
	const url = await urlOf(testServer(`${server}.mjs`), '--http', '0');
	return new URL(await urlOf(program().file, 'tap', '--url', url, '--timeline', timeline));
}

/** The timeline that opens, once so many calls have ended in it. */
async function timelineOf(name: string, calls: number) {
	const open = async () => played(await program().read(name));
	const ended = async () => (await open()).registry.calls.filter(({ state }) => state !== 'unfinished').length;
	await expect.poll(ended).toBe(calls);
	return open();
}

const form = { name: 'ask', arguments: { params: FORM } };
const url = { name: 'url', arguments: { url: PAGE } };

describe.each<[string, string, (timeline: string) => Promise<AnyClient>]>([
	['1.x over stdio', 'sdk1', (file) => oldClient(new Stdio1(behindTap(file, testServer('sdk1.mjs'))))],
	['1.x over HTTP', 'sdk1', async (file) => oldClient(new Http1(await urlBehindTap(file, 'sdk1')))],
	['2.x over stdio', 'sdk2', (file) => newClient(new Stdio2(behindTap(file, testServer('sdk2.mjs'))))],
	['2.x over HTTP', 'sdk2', async (file) => newClient(new Http2(await urlBehindTap(file, 'sdk2')))],
])('a client of the SDK %s behind a tap', (name, server, connect) => {
	it('calls tools as ever, and the recording has its calls, their requests, and no secret', async () => {
		const file = `${name.replaceAll(' ', '-')}.jsonl`;
		const client = await connect(file);
		const accepted = { action: 'accept', content: { name: 'Ada', password: SECRET } };
		expect(await client.callTool(form)).toMatchObject({ structuredContent: accepted });
		expect(await client.callTool(url)).toMatchObject({ structuredContent: { action: 'accept' } });
		if (server === 'sdk1') {
			const slow = { name: 'slow', arguments: { ms: 60_000 } };
			const cancelled = client.callTool(slow, undefined, { signal: AbortSignal.timeout(300) });
			await expect(cancelled).rejects.toThrow();
		}
		const states = server === 'sdk1' ? ['succeeded', 'succeeded', 'cancelled'] : ['succeeded', 'succeeded'];
		const { registry, trace } = await timelineOf(file, states.length);
		await client.close();
		expect(registry.calls.map(({ state }) => state)).toEqual(states);
		expect(registry.calls[0]).toMatchObject({ kind: 'tool', name: 'ask', rounds: server === 'sdk1' ? 1 : 2 });
		const elicited = registry.elicitations.map(({ request, response, origin }) => [
			request.mode,
			response?.action,
			origin.calls.map(({ name: called }) => called),
		]);
		expect(elicited).toEqual([
			['form', 'accept', ['ask']],
			['url', 'accept', ['url']],
		]);
		expect(new Set(trace.entries.map((entry) => entry.server))).toEqual(
			new Set([expect.stringMatching(/^Any Client 3\.2 ▸ (sdk[12]|127\.0\.0\.1)$/)]),
		);
		const recorded = await program().read(file);
		expect(recorded).not.toContain(SECRET);
		const served = await serveRecording(Buffer.from(recorded), { transport: 'http' });
		await served.close();
	});
});

it('a call that runs as a task is one call in the recording', async () => {
	const client = await oldClient(new Stdio1(behindTap('task.jsonl', testServer('tasks.mjs'), '2025-11-25')));
	const order = client.experimental.tasks.callToolStream({ name: 'order', arguments: {} }, CallToolResultSchema, {
		task: { ttl: 60_000 },
	});
	let last: unknown;
	for await (const message of order) {
		last = message;
	}
	expect(last).toMatchObject({ type: 'result' });
	const { registry } = await timelineOf('task.jsonl', 1);
	await client.close();
	expect(registry.calls).toMatchObject([{ name: 'order', state: 'succeeded', task: { id: expect.any(String) } }]);
	expect(registry.elicitations).toMatchObject([
		{ response: { action: 'accept' }, origin: { calls: [{ name: 'order' }] } },
	]);
});

const script = (text: string) => [process.execPath, '-e', text] as const;

describe('a tap', () => {
	it('passes the exit status of the server on, and what it writes to stderr', () => {
		const { file, folder } = program();
		const args = [file, 'tap', '--', ...script('console.error("from the server"); process.exit(42)')];
		const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', input: '' });
		expect(status).toBe(42);
		expect(stderr).toMatch(/^What is said is recorded in .*mcp-timeline-.*\.jsonl\nfrom the server\n$/s);
	});

	it('passes signals on to the server, and ends by the same', { skip: process.platform === 'win32' }, async () => {
		const { file, folder } = program();
		const args = [
			file,
			'tap',
			'--timeline',
			'signals.jsonl',
			'--',
			...script('console.log(1); setInterval(() => {}, 1e6)'),
		];
		const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
		await once(child.stdout, 'data');
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
	});

	it('leaves no server behind when it is killed, and a recording that opens', {
		skip: process.platform === 'win32',
	}, async () => {
		const { file, folder } = program();
		const message = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"PID"}}';
		const server = `console.log('${message}'.replace('PID', process.pid)); setInterval(() => {}, 1e6)`;
		const args = [file, 'tap', '--timeline', 'killed.jsonl', '--', ...script(server)];
		const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
		const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
		const pid = Number(JSON.parse(said).params.data);
		await expect
			.poll(
				() =>
					program()
						.read('killed.jsonl')
						.catch(() => ''),
				{ timeout: 30_000 },
			)
			.toContain('"seq":0');
		child.kill('SIGKILL');
		await expect.poll(() => isAlive(pid)).toBe(false);
		// The next one continues the file, also after half of a line.
		await appendFile(join(folder, 'killed.jsonl'), '{"seq":');
		spawnSync(process.execPath, [...args.slice(0, 5), ...script(`console.log('${message}')`)], { cwd: folder });
		expect(played(await program().read('killed.jsonl')).trace.length).toBe(2);
	});

	it.each([
		['is a folder', '.', 'EISDIR'],
		['is a pipe that nobody reads', 'pipe', 'it is not a regular file'],
		['has no space left', '/dev/full', 'it is not a regular file'],
		['is in a folder that is missing', 'missing/x.jsonl', 'ENOENT'],
	])('says once that nothing is recorded if its file %s, and the server is used as ever', async (_, name, why) => {
		if (process.platform === 'win32' && (name === 'pipe' || name === '/dev/full')) {
			return;
		}
		const { file, folder } = program();
		if (name === 'pipe') {
			spawnSync('mkfifo', [join(folder, name)]);
		}
		const echo = 'process.stdin.pipe(process.stdout)';
		const args = [file, 'tap', '--timeline', name, '--', ...script(echo)];
		const input = '{"jsonrpc":"2.0"}\n'.repeat(10_000);
		const ran = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', input, timeout: 60_000 });
		expect([ran.status, ran.stdout === input]).toEqual([0, true]);
		expect(ran.stderr.match(/Nothing more is recorded/g)).toHaveLength(1);
		expect(ran.stderr).toContain(why);
	});

	it('keeps its recording from other users', { skip: process.platform === 'win32' }, async () => {
		const { file, folder, read } = program();
		const said =
			'console.log(JSON.stringify({ jsonrpc: "2.0", method: "m", params: { text: "I know " + process.env.MY_TOKEN } }))';
		const env = { ...process.env, MY_TOKEN: 'planted-variable' };
		spawnSync(process.execPath, [file, 'tap', '--timeline', 'mine.jsonl', '--', ...script(said)], { cwd: folder, env });
		expect(await read('mine.jsonl')).toMatch(/I know ‹redacted›/);
		const { mode } = await stat(join(folder, 'mine.jsonl'));
		expect(mode & 0o077).toBe(0);
	});

	it.each<[string, string[], RegExp]>([
		['nothing', [], /tap takes the command of a server, or its URL/],
		['both', ['--url', 'http://s/mcp', '--', 'node'], /tap takes the command of a server, or its URL/],
		['a port for a command', ['--port', '1', '--', 'node'], /tap takes the command/],
		[
			'a command that is missing',
			['--', 'no-such-program'],
			/The command "no-such-program" of the server was not found/,
		],
		['a URL with a user', ['--url', 'https://me:pw@example.com/mcp'], /is no URL of a server/],
	])('could not run with %s', async (_, args, why) => {
		expect(await program().run(['tap', ...args])).toEqual(ending(2, '', why));
	});
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
