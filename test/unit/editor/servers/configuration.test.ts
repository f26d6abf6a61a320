import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { ConfigurationChangeEvent } from 'vscode';
import { Configuration } from '../../../../src/editor/servers/configuration.ts';
import { unreadableNodes } from '../../../../src/editor/servers/serversView/noteNodes.ts';
import { FileSystemError, fakeVscode, Uri } from '../vscode.ts';

const FILE = '{ "servers": { "docs": { "command": "node", "args": ["${config:docs.port}"] } } }';

/** Settings, and one folder that contains a file with servers. */
let values: Record<string, unknown>;
let read: number;
let changed = (_: Pick<ConfigurationChangeEvent, 'affectsConfiguration'>) => {};
let configuration: Configuration;

fakeVscode({
	workspace: {
		isTrusted: true,
		workspaceFolders: [{ uri: Uri.parse('vscode-vfs:/folder'), name: 'folder', index: 0 }],
		onDidChangeConfiguration: (listener: typeof changed) => {
			changed = listener;
			return { dispose: () => {} };
		},
		getConfiguration: (section?: string) => ({
			get: (key: string) => values[section === undefined ? key : `${section}.${key}`],
			inspect: (key: string) => ({ globalValue: values[`${section}.${key}`] }),
		}),
		fs: {
			stat: async ({ path }: Uri) => {
				read++;
				if (path.endsWith('.vscode/mcp.json')) {
					return { type: 1, size: FILE.length };
				}
				throw new FileSystemError('There is no such file.');
			},
			readFile: async () => new TextEncoder().encode(FILE),
		},
	},
});

/** Changes a setting. Resolves to the number of files read, when all of them have been read. */
async function changes(setting: string, value: unknown): Promise<number> {
	values[setting] = value;
	read = 0;
	changed({ affectsConfiguration: (key) => setting === key || setting.startsWith(`${key}.`) });
	await configuration.settled;
	return read;
}

const names = () => configuration.servers.map(({ name }) => name).sort();

beforeEach(async () => {
	values = { 'mcpElicitation.discoverMcpJson': true };
	configuration = new Configuration(Uri.file('/data/User/globalStorage/ours') as never);
	await configuration.settled;
});

it('the configuration is not read again when an unrelated setting changes', async () => {
	expect(names()).toEqual(['docs']);
	expect(await changes('editor.fontSize', 12)).toBe(0);
	expect(await changes('mcpElicitation.callTimeout', 5)).toBe(0);
	expect(await changes('mcpElicitation.agentBridge', true)).toBe(0);
});

it('the configuration is read again when it changes, or when a setting used in a definition does', async () => {
	expect(configuration.servers[0]?.problems).not.toEqual([]);
	expect(await changes('docs.port', '8080')).toBeGreaterThan(0);
	expect(configuration.servers[0]?.problems).toEqual([]);
	expect(await changes('mcpElicitation.servers', { own: { command: 'node' } })).toBeGreaterThan(0);
	expect(names()).toEqual(['docs', 'own']);
	expect(await changes('mcpElicitation.inputs', [])).toBeGreaterThan(0);
	expect(await changes('mcpElicitation.discoverMcpJson', false)).toBeGreaterThan(0);
	expect(names()).toEqual(['own']);
});

it('the configuration takes a server for one of the editor only where it runs in the same folder', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-configuration-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, '.vscode'));
	writeFileSync(join(folder, '.vscode', 'mcp.json'), FILE);
	fakeVscode({ workspace: { workspaceFolders: [{ uri: Uri.file(folder), name: 'folder', index: 0 }] } });
	const docs = { command: 'node', args: ['${config:docs.port}'] };
	await changes('mcpElicitation.servers', { elsewhere: docs, same: { ...docs, cwd: folder } });
	const shared = configuration.servers.filter((server) => server.editor !== undefined);
	expect(shared.map(({ name }) => name).sort()).toEqual(['docs', 'same']);
});

it('the configuration tells a whole command line in "command" from a program with a space in its path, and says what is broken', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-configuration-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, 'My Tools'));
	writeFileSync(join(folder, 'My Tools', 'server'), '');
	const good = { command: 'My Tools/server' };
	const servers = {
		good,
		inside: { command: '${workspaceFolder}/My Tools/server' },
		line: { command: 'node a.js', args: [] },
	};
	writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
	mkdirSync(join(folder, '.vscode'));
	writeFileSync(join(folder, '.vscode', 'mcp.json'), '{\n "servers": {\n  "a": 1\n  "b": 2\n}}');
	fakeVscode({ workspace: { workspaceFolders: [{ uri: Uri.file(folder), name: 'folder', index: 0 }] } });
	await changes('mcpElicitation.servers', {});
	expect(configuration.servers.map(({ name, problems }) => [name, problems.map(({ path }) => path)])).toEqual([
		['good', []],
		['inside', []],
		['line', [['command']]],
	]);
	const [row, ...others] = unreadableNodes(configuration.sources);
	expect(others).toEqual([]);
	expect(row).toMatchObject({
		label: 'Cannot read .vscode/mcp.json: line 4',
		description: 'A comma is missing.',
	});
	expect(String(row?.command?.arguments?.[0])).toBe(String(Uri.file(join(folder, '.vscode', 'mcp.json'))));
});

it.each([
	['[]', 1, 'The file must be an object.'],
	['{\n "servers": []\n}', 2, '"servers" must be an object: the name of each server with its definition.'],
	[
		'{\n "mcpServers": { "docs": { "command": "node" } } }',
		2,
		'"mcpServers" is unknown and has no effect. Did you mean "servers"?',
	],
])('a file in which no servers are found is a row that leads to the line: %j', async (text, line, why) => {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-configuration-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, '.vscode'));
	writeFileSync(join(folder, '.vscode', 'mcp.json'), text);
	fakeVscode({ workspace: { workspaceFolders: [{ uri: Uri.file(folder), name: 'folder', index: 0 }] } });
	await changes('mcpElicitation.servers', {});
	expect(unreadableNodes(configuration.sources)).toMatchObject([
		{ label: `Cannot read .vscode/mcp.json: line ${line}`, description: why },
	]);
});
