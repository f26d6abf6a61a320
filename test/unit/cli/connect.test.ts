import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClientInfo, serveLines, WindowListener } from '../../../src/bridge/index.ts';
import { openWindows, publishWindow, SOCKETS, withdrawWindow } from '../../../src/window/openWindows.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { hostOf } from '../bridge/host.ts';
import { form } from '../mcp/faults/rawServerFixtures.ts';
import { createRawServer } from '../mcp/rawServerSteps.ts';
import { testClients, type Wire } from '../mcp/testClient.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();
const world = testClients();

const TOOLS = [{ name: 'act', inputSchema: { type: 'object' } }];

/** A home of this user in which nothing is open. */
async function freshHome(): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), 'mcp-elicitation-home-'));
	vi.stubEnv('HOME', home);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, { recursive: true, force: true });
	});
	return home;
}

/** A window that offers a raw server. */
async function window({ admits = true } = {}) {
	const here = world();
	const { rawServer, connection } = await createRawServer(here, RawStdioServer.open, { tools: TOOLS });
	const clients: ClientInfo[] = [];
	const listener = await WindowListener.open((hello, socket) => {
		if (hello.server !== connection.name) return `"${hello.server}" is not offered.`;
		serveLines(socket, hello.server, async (client) => {
			clients.push(client);
			if (!admits) throw new Error('The user did not let it.');
			return hostOf(connection);
		});
		return undefined;
	});
	const { address, secret } = listener;
	const about = { address, secret, pid: process.pid, folders: [], servers: [connection.name], usedAt: 1 };
	const close = async () => {
		await Promise.all([withdrawWindow(process.pid), listener.close()]);
	};
	onTestFinished(close);
	await publishWindow(about);
	return { here, rawServer, connection, clients, about, close, listener };
}

/** A client on the official SDK that was given `connect` as the command of a server. */
async function client(...args: string[]) {
	const client = new Client({ name: 'agent', version: '3' }, { capabilities: {} });
	const command = { command: process.execPath, args: [program().file, 'connect', ...args], cwd: program().folder };
	const transport = new StdioClientTransport({
		...command,
		env: { HOME: process.env['HOME'] ?? '' },
		stderr: 'pipe',
	});
	let told = '';
	transport.stderr?.on('data', (chunk) => {
		told += chunk;
	});
	onTestFinished(() => client.close());
	await client.connect(transport);
	return Object.assign(client, { told: () => told });
}

describe('connect', () => {
	it('lets a client call a tool of a window, in which its requests are answered', async () => {
		await freshHome();
		const { here, rawServer, clients } = await window();
		const guest = await client('raw-server');
		expect(clients).toEqual([{ name: 'agent', version: '3' }]);
		expect((await guest.listTools()).tools).toEqual(TOOLS);
		const calling = guest.callTool({ name: 'act', arguments: { a: 1 } });
		const request = await rawServer.expect('tools/call');
		const asked = rawServer.ask(form, request);
		const [elicitation] = await here.asked();
		elicitation.accept({});
		expect(await asked.response).toMatchObject({ result: { action: 'accept' } });
		rawServer.finish(request, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
	});

	it('cancels the call that the client cancels, with its elicitation, and the calls of a client that is gone', async () => {
		await freshHome();
		const { here, rawServer } = await window();
		const guest = await client('raw-server');
		const abort = new AbortController();
		const calling = guest.callTool({ name: 'act' }, undefined, { signal: abort.signal }).catch(() => {});
		rawServer.ask(form, await rawServer.expect('tools/call'));
		const [elicitation] = await here.asked();
		abort.abort();
		expect(await elicitation.ended).toBe('cancelled');
		await calling;
		guest.callTool({ name: 'act' }).catch(() => {});
		await rawServer.expect('tools/call');
		await guest.close();
		await here.until(() => here.registry.calls.every(({ state }) => state === 'cancelled'));
	});

	it('begins without a window, says so, and goes on with one that comes', async () => {
		await freshHome();
		const guest = await client('raw-server');
		expect(guest.told()).toMatch(/^No window of the editor offers "raw-server"\./);
		expect(guest.getInstructions()).toMatch(/lists nothing: No window of the editor offers "raw-server"\./);
		expect((await guest.listTools()).tools).toEqual([]);
		await expect(guest.callTool({ name: 'act' })).rejects.toThrow(/No window of the editor offers "raw-server"\./);
		const changed = new Promise((resolve) => {
			guest.fallbackNotificationHandler = async ({ method }) => resolve(method);
		});
		const { rawServer, close } = await window();
		await changed;
		const calling = guest.callTool({ name: 'act' });
		await rawServer.expect('tools/call');
		await Promise.all([close(), expect(calling).rejects.toThrow(/closed or reloaded/)]);
	});

	it('ends at once without a window, if it is to', async () => {
		await freshHome();
		expect(await program().run(['connect', 'raw-server', '--fail'], { HOME: process.env['HOME'] ?? '' })).toMatchObject(
			{
				status: 2,
				stdout: '',
				stderr: expect.stringMatching(/^No window of the editor offers "raw-server"\./),
			},
		);
	});

	it('passes on that the user refuses', async () => {
		await freshHome();
		await window({ admits: false });
		await expect(client('raw-server')).rejects.toThrow('The user did not let it.');
	});
});

describe('a window', () => {
	it('is described for its user alone, and no more once its process is gone', async () => {
		const home = await freshHome();
		const { about } = await window();
		const folder = join(home, '.mcp-elicitation', 'windows');
		const [file = ''] = await readdir(folder);
		const modes = [folder, join(folder, file), join(about.address, '..')].map(
			async (path) => (await stat(path)).mode & 0o777,
		);
		expect(await Promise.all(modes)).toEqual([0o700, 0o600, 0o700]);
		expect(await openWindows()).toEqual([about]);
		// No process has such a number.
		const left = await mkdtemp(SOCKETS);
		await writeFile(join(left, 'window'), '');
		await publishWindow({ ...about, pid: 2 ** 30, address: join(left, 'window') });
		expect(await openWindows()).toEqual([about]);
		expect(await readdir(folder)).toEqual([file]);
		await expect(stat(left)).rejects.toThrow('ENOENT');
	});

	it.each<[string, (secret: string) => string]>([
		['does not know the secret', () => hello('wrong')],
		['sends no greeting', () => `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`],
		['comes as a page of a browser would', () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
		['sends a line without an end', () => 'x'.repeat(100_000)],
		['asks for another purpose', (secret) => hello(secret, { purpose: 'run' })],
	])('disconnects without a word whoever %s', async (_, said) => {
		await freshHome();
		const { about, clients } = await window();
		const socket = connect(about.address);
		const heard: string[] = [];
		socket.on('data', (chunk) => heard.push(String(chunk))).on('error', () => {});
		socket.write(said(about.secret));
		await once(socket, 'close');
		expect([heard, clients]).toEqual([[], []]);
	});

	it('says which server it does not offer', async () => {
		await freshHome();
		const { about } = await window();
		const socket = connect(about.address);
		socket.write(hello(about.secret, { server: 'other' }));
		const [reply] = await once(socket, 'data');
		expect(JSON.parse(String(reply))).toEqual({ error: '"other" is not offered.' });
	});

	it.each<[string, string, Wire]>([
		['a call before the session', '{"id":1,"method":"tools/call"}', { id: 1, error: { code: -32600 } }],
		['what is no JSON', 'x', { id: null, error: { code: -32700 } }],
		['what is nested too deeply', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, { id: null, error: { code: -32700 } }],
	])('refuses %s', async (_, line, expected) => {
		await freshHome();
		const { about } = await window();
		const socket = connect(about.address);
		socket.write(`${hello(about.secret)}${line}\n`);
		let heard = '';
		socket.on('data', (chunk) => {
			heard += chunk;
		});
		await vi.waitUntil(() => heard.split('\n').length > 2);
		expect(JSON.parse(heard.split('\n')[1] ?? '')).toMatchObject(expected);
		socket.destroy();
	});
});

function hello(secret: string, more = {}): string {
	const said = { version: 1, purpose: 'connect', secret, server: 'raw-server', folder: '/', program: '', ...more };
	return `${JSON.stringify(said)}\n`;
}
