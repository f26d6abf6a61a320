import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConfigurationChangeEvent, FileSystemError, Uri } from 'vscode';

type Change = Pick<ConfigurationChangeEvent, 'affectsConfiguration'>;

/** VS Code with settings and one folder that contains a file with servers. */
const editor = vi.hoisted(() => ({
	read: [] as string[],
	values: {} as Record<string, unknown>,
	changed: (_: Change) => {},
}));

const FILE = '{ "servers": { "docs": { "command": "node", "args": ["${config:docs.port}"] } } }';

vi.mock('vscode', async () => {
	const { fakeVscode, Uri } = await import('../vscode.ts');
	return fakeVscode({
		FileSystemError: class extends Error {
			readonly code = 'FileNotFound';
		},
		workspace: {
			isTrusted: true,
			workspaceFolders: [{ uri: Uri.file('/folder'), name: 'folder', index: 0 }],
			onDidChangeConfiguration: (listener: typeof editor.changed) => {
				editor.changed = listener;
				return { dispose: () => {} };
			},
			getConfiguration: (section?: string) => ({
				get: (key: string) => editor.values[section === undefined ? key : `${section}.${key}`],
				inspect: (key: string) => ({ globalValue: editor.values[`${section}.${key}`] }),
			}),
			fs: {
				readFile: async ({ path }: Uri) => {
					editor.read.push(path);
					if (path.endsWith('.vscode/mcp.json')) {
						return new TextEncoder().encode(FILE);
					}
					throw new FileSystemError('There is no such file.');
				},
			},
		},
	});
});

const { Configuration } = await import('../../../../src/editor/servers/configuration.ts');

/** Changes a setting. Resolves to the number of files read, when all of them have been read. */
async function changes(setting: string, value: unknown): Promise<number> {
	editor.values[setting] = value;
	editor.read = [];
	editor.changed({ affectsConfiguration: (key) => setting === key || setting.startsWith(`${key}.`) });
	await configuration.settled;
	return editor.read.length;
}

let configuration: InstanceType<typeof Configuration>;

beforeEach(async () => {
	editor.values = { 'mcpElicitation.discoverMcpJson': true };
	configuration = new Configuration(Uri.file('/data/User/globalStorage/ours'));
	await configuration.settled;
});

describe('the configuration', () => {
	it('is not read again when an unrelated setting changes', async () => {
		expect(configuration.servers.map(({ name }) => name)).toEqual(['docs']);
		expect(await changes('editor.fontSize', 12)).toBe(0);
		expect(await changes('mcpElicitation.callTimeout', 5)).toBe(0);
		expect(await changes('mcpElicitation.agentBridge', true)).toBe(0);
	});

	it('takes a server for one of the editor only where it runs in the same folder', async () => {
		const docs = { command: 'node', args: ['${config:docs.port}'] };
		await changes('mcpElicitation.servers', { elsewhere: docs, same: { ...docs, cwd: '/folder' } });
		const shared = configuration.servers.filter((server) => server.editor !== undefined);
		expect(shared.map(({ name }) => name).sort()).toEqual(['docs', 'same']);
	});

	it('is read again when it changes, or when a setting used in a definition does', async () => {
		expect(configuration.servers[0]?.problems).not.toEqual([]);
		expect(await changes('docs.port', '8080')).toBeGreaterThan(0);
		expect(configuration.servers[0]?.problems).toEqual([]);
		expect(await changes('mcpElicitation.servers', { own: { command: 'node' } })).toBeGreaterThan(0);
		expect(configuration.servers.map(({ name }) => name).sort()).toEqual(['docs', 'own']);
		expect(await changes('mcpElicitation.inputs', [])).toBeGreaterThan(0);
		expect(await changes('mcpElicitation.discoverMcpJson', false)).toBeGreaterThan(0);
		expect(configuration.servers.map(({ name }) => name)).toEqual(['own']);
	});
});
