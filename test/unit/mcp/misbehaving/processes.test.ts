import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';
import type { RawServerOptions } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { wordsOf } from '../faults/rawServerFixtures.ts';
import { define, type TestClient, testClients } from '../testClient.ts';
import { marked, marking, noneLeft } from './markedProcesses.ts';

/*
 * Misbehaving stdio servers. Each test states what the user reads (what happened, what to do), what works afterwards,
 * and that no process is left once the server is stopped.
 */

const world = testClients();
const scripted = fileURLToPath(new URL('scriptedBehavior.mjs', import.meta.url));

let folder: string;
let mark: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'elicitation-misbehaving-'));
	mark = folder;
});
afterEach(async () => {
	vi.useRealTimers();
	for (const pid of marked(mark)) process.kill(pid, 'SIGKILL');
	await rm(folder, { recursive: true });
});

/** A server whose behavior the test sets and whose processes can be found. */
async function scriptedServer(here: TestClient, behavior: 'well' | 'bad' | 'mute' | 'deaf') {
	const file = join(folder, 'behavior');
	const behave = (now: string) => writeFile(file, now);
	await behave(behavior);
	const definition = { command: process.execPath, args: [scripted, file], ...marking(mark) };
	return { connection: here.create(define('scripted', definition)), behave };
}

/** A raw server, not started yet. */
async function rawServerOn(here: TestClient, options?: RawServerOptions) {
	const rawServer = await RawStdioServer.open(options);
	onTestFinished(() => rawServer.close());
	return { rawServer, connection: here.create(define('raw-server', { ...rawServer.definition, ...marking(mark) })) };
}

const greeted = { content: [{ type: 'text', text: 'Hello' }] };

/** Checks that the server works, and that stopping it leaves no process. */
async function worksAndEnds(connection: Connection, rawServer?: RawStdioServer): Promise<void> {
	const calling = connection.callTool('greet', {});
	if (rawServer) rawServer.answer(await rawServer.expect('tools/call'), greeted);
	expect(await calling).toMatchObject(greeted);
	expect([connection.state, connection.failure]).toEqual(['running', undefined]);
	expect(marked(mark).length).toBeGreaterThan(0);
	await connection.stop();
	await noneLeft(mark);
}

/** Advances time past the response timeout. */
function passTime() {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
	return (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
}

describe.runIf(process.platform === 'linux')('a process', () => {
	it.each<[string, string, (command: string) => Promise<unknown>, (command: string) => Promise<unknown>]>([
		[
			'whose command is missing: says which and where it is looked for',
			'was not found. Check "command" and "cwd" in its definition, and that the program is on the PATH that the editor was started with.',
			async () => {},
			(command) => symlink(process.execPath, command),
		],
		[
			'that may not be executed: says so',
			'is not executable. Make the file executable, or name its interpreter as the command.',
			(command) => writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o644 }),
			(command) => chmod(command, 0o755),
		],
	])('%s; once that is mended, it starts by hand', async (_what, words, before, mend) => {
		const here = world();
		const command = join(folder, 'my-server');
		await writeFile(join(folder, 'behavior'), 'well');
		await before(command);
		const args = [scripted, join(folder, 'behavior')];
		const connection = here.create(define('scripted', { command, args, ...marking(mark) }));
		expect(await wordsOf(connection.start())).toBe(`scripted: The command "${command}" ${words}`);
		expect(connection.state).toBe('failed');
		await noneLeft(mark);
		await mend(command);
		await connection.start();
		await worksAndEnds(connection);
	});

	it('that exits at once: its code and last words; no automatic restart, only a manual one', async () => {
		const here = world();
		const { connection, behave } = await scriptedServer(here, 'bad');
		expect(await wordsOf(connection.start())).toBe(
			'scripted: The server exited with code 7. Its last output: I do not feel well. Run the command in a terminal to see why, or look at its log.',
		);
		expect([connection.state, here.logs.filter((line) => line.startsWith('stderr'))]).toEqual([
			'failed',
			// Once for the probe and once for `initialize`.
			['stderr: I do not feel well', 'stderr: I do not feel well'],
		]);
		await noneLeft(mark);
		await behave('well');
		await connection.start();
		await worksAndEnds(connection);
		// The second start is no other than the first.
		await behave('bad');
		expect(await wordsOf(connection.start())).toMatch(/^scripted: The server exited with code 7\. /);
		expect(connection.state).toBe('failed');
		await noneLeft(mark);
	});

	it('that has closed its input and is slow to exit: its code and last words, once it has', async () => {
		const dies = 'exec 0<&-; sleep 1; echo "I do not feel well" >&2; exit 7';
		const connection = world().create(define('dying', { command: 'sh', args: ['-c', dies], ...marking(mark) }));
		expect(await wordsOf(connection.start())).toMatch(
			/^dying: The server exited with code 7\. Its last output: I do not feel well\./,
		);
		await noneLeft(mark);
	});

	it('that exits later: the call fails with its code and last words; it comes back automatically', async () => {
		const here = world();
		const { rawServer, connection } = await rawServerOn(here);
		await connection.start();
		const failing = wordsOf(connection.callTool('act', {}));
		await rawServer.expect('tools/call');
		rawServer.complain('out of luck\n');
		await here.until(() => here.logs.includes('stderr: out of luck'));
		await rawServer.die(9);
		expect(await failing).toBe(
			'raw-server: The server exited with code 9. Its last output: out of luck. Run the command in a terminal to see why, or look at its log.',
		);
		expect(connection.state).toBe('restarting');
		await here.until(() => connection.state === 'running');
		expect(rawServer.pids).toHaveLength(2);
		await worksAndEnds(connection, rawServer);
	});

	it('that exits between its handshake and its list of tools: is failed, not running without a process', async () => {
		const here = world();
		const { rawServer, connection } = await rawServerOn(here, { manual: ['tools/list'] });
		const failing = wordsOf(connection.start());
		await rawServer.expect('tools/list');
		await rawServer.die(4);
		expect(await failing).toBe(
			'raw-server: The server exited with code 4 and wrote nothing. Run the command in a terminal to see why, or look at its log.',
		);
		expect(connection.state).toBe('failed');
		await noneLeft(mark);
	});

	it('that never answers: the start fails and says how long it was waited for; then it starts by hand', async () => {
		const here = world();
		const { connection, behave } = await scriptedServer(here, 'mute');
		const pass = passTime();
		const failing = wordsOf(connection.start());
		await here.until(() => here.wire('sent', ({ method }) => method === 'server/discover')[0]);
		pass(15);
		await here.until(() => here.wire('sent', ({ method }) => method === 'initialize')[0]);
		pass(60);
		expect(await failing).toBe(
			'scripted: The server did not respond within 60 s. Check its log to see what it is waiting for, or correct its definition if this is not an MCP server.',
		);
		vi.useRealTimers();
		expect(connection.state).toBe('failed');
		await noneLeft(mark);
		await behave('well');
		await connection.start();
		await worksAndEnds(connection);
	});

	it('that frames its messages like a language server: the start fails at once, and says so', async () => {
		const here = world();
		const { rawServer, connection } = await rawServerOn(here, { manual: ['server/discover', 'initialize'] });
		const failing = wordsOf(connection.start());
		await rawServer.expect('server/discover');
		rawServer.raw('Content-Length: 52\r\n\r\n{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":""}}');
		expect(await failing).toBe(
			'raw-server: The server begins its messages with "Content-Length", as language servers do. ' +
				"Report it to the server's author: over stdio, MCP has one message per line, without headers.",
		);
		expect([connection.state, rawServer.requests('initialize')]).toEqual(['failed', []]);
		await noneLeft(mark);
	});

	it('that writes something else instead of an answer: the start fails with its words, also those without an end', async () => {
		const here = world();
		const { rawServer, connection } = await rawServerOn(here, { manual: ['server/discover', 'initialize'] });
		const pass = passTime();
		const failing = wordsOf(connection.start());
		await rawServer.expect('server/discover');
		rawServer.raw('Usage: tool [options]\n\n  --stdio  serve MCP\nContinue? (y/n) ');
		pass(15);
		await rawServer.expect('initialize');
		await here.until(() => here.logs.find((line) => line.includes('serve MCP')));
		pass(60);
		expect(await failing).toBe(
			'raw-server: What the program writes is no message of an MCP server: Usage: tool [options] ⏎ --stdio  serve MCP ⏎ Continue? (y/n). ' +
				'Check "command" and "args" in its definition; it may need an argument to serve MCP over stdio.',
		);
		await noneLeft(mark);
	});

	it('that never answers a call: the call fails after the time for it, the server is told, and the next call works', async () => {
		const here = world();
		here.timeout = 1;
		const { rawServer, connection } = await rawServerOn(here);
		await connection.start();
		const failing = wordsOf(connection.callTool('act', {}));
		const call = await rawServer.expect('tools/call');
		expect(await failing).toBe(
			'raw-server: "act" did not finish within 1 s. Increase "mcpElicitation.callTimeout" (in seconds) if it needs longer; the time spent waiting for you does not count.',
		);
		expect((await rawServer.expect('notifications/cancelled')).params.requestId).toBe(call.id);
		await worksAndEnds(connection, rawServer);
	});

	it('that never lists its tools: it is connected, says what is wrong with the list, and is heard when that has changed', async () => {
		const here = world();
		const { rawServer, connection } = await rawServerOn(here, { manual: ['tools/list'] });
		const pass = passTime();
		const starting = connection.start();
		await rawServer.expect('tools/list');
		pass(30);
		await starting;
		expect([connection.state, connection.tools]).toEqual(['running', []]);
		expect(connection.failure?.message).toBe(
			'raw-server: The server did not respond to "tools/list" within 30 s. See the server\'s log.',
		);
		vi.useRealTimers();
		rawServer.notify('notifications/tools/list_changed');
		rawServer.answer(await rawServer.expect('tools/list'), {
			tools: [{ name: 'act', inputSchema: { type: 'object' } }],
		});
		await here.until(() => connection.tools.length === 1);
		await worksAndEnds(connection, rawServer);
	});

	it('that ignores the end of its input and SIGTERM: is gone with its child when it has been stopped, and starts again', async () => {
		const here = world();
		const { connection, behave } = await scriptedServer(here, 'deaf');
		await connection.start();
		expect(marked(mark)).toHaveLength(2);
		await connection.stop();
		expect(connection.state).toBe('stopped');
		await noneLeft(mark);
		await behave('well');
		await connection.start();
		await worksAndEnds(connection);
	});
});
