import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { wordsOf } from '../../../../../src/config/commandLine.ts';
import { readServers } from '../../../../../src/config/readDefinition.ts';
import { registerRecordClient } from '../../../../../src/editor/agentMode/otherClients/recordClient.ts';
import { messages, textsOf } from '../../surfaces.ts';
import { testCommands } from '../../testCommands.ts';
import { commands, fakeVscode, Uri } from '../../vscode.ts';

const shown = messages(({ click }) => click());
let copied = '';
let terminals: { shellArgs: string[] }[] = [];
let opened: unknown[] = [];

fakeVscode({
	env: {
		clipboard: {
			writeText: async (text: string) => {
				copied = text;
			},
		},
	},
	window: {
		showQuickPick: async (items: readonly { label: string }[]) =>
			items.find(({ label }) => label === 'Any Other Client'),
		createTerminal: (options: { shellArgs: string[] }) => {
			terminals.push(options);
			return { show: () => {} };
		},
	},
});

beforeEach(() => {
	terminals = [];
	opened = [];
	const open = commands.registerCommand('vscode.openWith', async (...args: unknown[]) => {
		opened = args;
	});
	onTestFinished(() => void open.dispose());
});

/** Hands out a definition of a server to another client; resolves to the folder of its recording. */
async function record(definition: object): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-recordings-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const [read] = readServers({ mine: definition }).servers;
	const source = { kind: 'demo', uri: 'demo' };
	const entry = { configured: { name: 'mine', source, definition: read, inputs: [], problems: [], others: [] } };
	const servers = { settled: Promise.resolve(), entries: [entry], get: () => entry };
	const registered = registerRecordClient({
		extensionUri: Uri.file('/extension') as never,
		storage: Uri.file(folder) as never,
		commands: testCommands(undefined, servers),
		documents: {} as never,
	});
	onTestFinished(() => void registered.dispose());
	await commands.executeCommand('mcpElicitation.recordClient', 'mine');
	return folder;
}

it('starts the program of a server with a tap in front, and names what it keeps to itself', async () => {
	const env = { LANG: 'de', API_KEY: 'abc', REGION: '${input:region}' };
	await record({ command: 'node', args: ['server.mjs', '--token', '${input:token}'], env });
	const words = wordsOf(copied) ?? [];
	expect(words).toEqual(expect.arrayContaining(['LANG=de', 'tap', '--name', 'mine', '--timeline']));
	expect(words.slice(words.indexOf('--'))).toEqual(['--', 'node', 'server.mjs', '--token', '${input:token}']);
	expect(copied).not.toMatch(/abc|REGION/);
	expect(textsOf(shown)).toContainEqual(
		'mine needs values that are not handed out. Enter them for the client: API_KEY, REGION, ${input:token}',
	);
});

it('serves a server with a URL from a terminal, at the same port each time, and hands out no headers', async () => {
	const definition = { type: 'http', url: 'https://example.com/mcp?a=1', headers: { Authorization: 'Bearer abc' } };
	await record(definition);
	const first = copied;
	expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d{5}\/mcp\?a=1$/);
	expect(terminals[0]?.shellArgs).toEqual(
		expect.arrayContaining(['tap', '--url', 'https://example.com/mcp?a=1', '--port', new URL(first).port]),
	);
	await record(definition);
	expect(copied).toBe(first);
	expect(JSON.stringify(terminals)).not.toContain('abc');
});

it('shows the recording, which only its user can read', { skip: process.platform === 'win32' }, async () => {
	const folder = await record({ command: 'node' });
	const [file] = opened as [{ fsPath: string }];
	expect(file.fsPath.startsWith(join(folder, 'recordings', 'mine-'))).toBe(true);
	expect(statSync(file.fsPath).mode & 0o777).toBe(0o600);
});
