import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Memento } from 'vscode';
import { serveLines, WindowListener } from '../../../../../src/bridge/index.ts';
import { registerOffers } from '../../../../../src/editor/agentMode/otherClients/offers.ts';
import { openWindows } from '../../../../../src/window/openWindows.ts';
import { memento } from '../../storage.ts';
import { messages } from '../../surfaces.ts';
import { testCommands } from '../../testCommands.ts';
import { commands, EventEmitter, fakeVscode, Uri } from '../../vscode.ts';

const shown = messages(({ kind, click }) => kind === 'information' && click());
let choice = '';

/** The question of this number, once it is asked. */
const question = (count: number) =>
	vi.waitUntil(() => shown.filter(({ kind }) => kind === 'warning')[count - 1], { timeout: 20_000 });

fakeVscode({
	env: { clipboard: { writeText: async () => {} } },
	workspace: { isTrusted: true },
	window: {
		onDidChangeWindowState: new EventEmitter().event,
		showQuickPick: async (items: readonly { label: string }[]) => items.find(({ label }) => label === choice),
	},
});

/** A window with one server, whose connection is none of these tests' concern. */
function window(memory: Memento = memento()) {
	const home = mkdtempSync(join(tmpdir(), 'mcp-elicitation-home-'));
	vi.stubEnv('HOME', home);
	const changed = new EventEmitter();
	const definition = {};
	const entry = { state: 'stopped', configured: { name: 'mine', definition, inputs: [], problems: [], others: [] } };
	const servers = {
		settled: Promise.resolve(),
		entries: [entry],
		get: () => entry,
		identity: 'first',
		identityOf: () => servers.identity,
		onDidChange: changed.event,
		start: async () => {
			throw new Error('Not started in a test.');
		},
	};
	const registered = registerOffers({
		extensionUri: Uri.file('/extension') as never,
		commands: testCommands(undefined, servers),
		documents: {} as never,
		servers: servers as never,
		memory,
		loadBridge: async () => ({ WindowListener, serveLines }),
		call: async () => ({}),
	});
	const end = () => {
		registered.dispose();
		return vi.waitUntil(async () => (await openWindows()).length === 0);
	};
	onTestFinished(async () => {
		await end();
		vi.unstubAllEnvs();
		rmSync(home, { recursive: true });
	});
	const run = (label: string) => {
		choice = label;
		return commands.executeCommand('mcpElicitation.offerServer', 'mine');
	};
	return { servers, memory, end, run, change: () => changed.fire(undefined) };
}

/** A program that asks the window for the server; resolves to what the window says to its `initialize`. */
async function initialize(name: string, program = '/bin/agent'): Promise<{ socket: Socket; error: Promise<string> }> {
	const [{ address, secret } = { address: '', secret: '' }] = await openWindows();
	const socket = connect(address);
	socket.on('error', () => {});
	socket.write(`${JSON.stringify({ version: 1, purpose: 'connect', secret, server: 'mine', folder: '/', program })}\n`);
	expect(JSON.parse(String((await once(socket, 'data'))[0]))).toEqual({});
	const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } };
	socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
	const error = new Promise<string>((resolve) => {
		socket.once('data', (line) => resolve(JSON.parse(String(line)).error.message));
	});
	return { socket, error };
}

const REFUSED = /^The user did not let "agent" use "mine"\./;
const LET_IN = 'Not started in a test.';

it('lets a client in once the user has agreed, and asks again for another program or another name', async () => {
	const { run, memory, end } = window();
	await run('Any Other Client');
	const first = await initialize('agent');
	const asked = await question(1);
	expect(asked.text).toBe('Let another client, "agent", use the MCP server "mine"?');
	expect(asked.detail).toContain('Its program is /bin/agent.');
	asked.choose();
	expect(await first.error).toMatch(REFUSED);
	const second = await initialize('agent');
	(await question(2)).choose('Allow');
	expect(await second.error).toBe(LET_IN);
	expect(await (await initialize('agent')).error).toBe(LET_IN);
	for (const [at, name, program] of [
		[3, 'other', '/bin/agent'],
		[4, 'agent', '/bin/other'],
	] as const) {
		await initialize(name, program);
		(await question(at)).choose();
	}
	await end();
	// The next window of this workspace knows it.
	window(memory);
	await vi.waitUntil(async () => (await openWindows()).length === 1);
	expect(await (await initialize('agent')).error).toBe(LET_IN);
	expect(shown.filter(({ kind }) => kind === 'warning')).toHaveLength(4);
});

it('disconnects everybody, and forgets whom it let in, when the server is offered no more', async () => {
	const { run } = window();
	await run('Any Other Client');
	const { socket, error } = await initialize('agent');
	(await question(1)).choose('Allow');
	await error;
	const closed = once(socket, 'close');
	await run('Stop Offering It');
	await closed;
	expect(await openWindows()).toEqual([]);
	await run('Any Other Client');
	await initialize('agent');
	(await question(2)).choose();
});

it('offers no other server that has the name later', async () => {
	const { run, servers, change } = window();
	await run('Any Other Client');
	servers.identity = 'second';
	change();
	await vi.waitUntil(async () => (await openWindows()).length === 0);
});
