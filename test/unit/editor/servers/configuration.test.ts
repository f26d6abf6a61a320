import { beforeEach, describe, expect, it, vi } from 'vitest';

/** VS Code with settings and one folder that contains a file with servers. */
const editor = vi.hoisted(() => {
	type Event = { affectsConfiguration(key: string): boolean };
	const file = '{ "servers": { "docs": { "command": "node", "args": ["${config:docs.port}"] } } }';
	const state = {
		read: [] as string[],
		values: {} as Record<string, unknown>,
		changed: (_: Event) => {},
	};
	const uri = (path: string, scheme = 'file'): object => ({
		path,
		scheme,
		fsPath: path,
		with: (other: { scheme: string }) => uri(path, other.scheme),
		toString: () => `${scheme}:${path}`,
	});
	const folder = { uri: uri('/folder'), name: 'folder', index: 0 };
	const never = () => ({ dispose() {} });
	const api = {
		UIKind: { Web: 2 },
		FileSystemError: class extends Error {
			readonly code = 'FileNotFound';
		},
		EventEmitter: class {
			readonly #listeners = new Set<() => void>();
			readonly event = (listener: () => void) => {
				this.#listeners.add(listener);
				return { dispose: () => this.#listeners.delete(listener) };
			};
			fire() {
				for (const listener of this.#listeners) listener();
			}
			dispose() {}
		},
		RelativePattern: class {},
		Uri: { joinPath: (base: { path: string }, ...parts: string[]) => uri([base.path, ...parts].join('/')) },
		env: { remoteName: undefined, uiKind: 1 },
		l10n: { t: (text: string) => text },
		workspace: {
			isTrusted: true,
			workspaceFolders: [folder],
			textDocuments: [],
			onDidChangeConfiguration: (listener: (event: Event) => void) => {
				state.changed = listener;
				return { dispose() {} };
			},
			onDidChangeWorkspaceFolders: never,
			onDidGrantWorkspaceTrust: never,
			onDidOpenTextDocument: never,
			onDidSaveTextDocument: never,
			createFileSystemWatcher: () => ({
				dispose() {},
				onDidChange: never,
				onDidCreate: never,
				onDidDelete: never,
			}),
			getConfiguration: (section?: string) => ({
				get: (key: string) => state.values[section === undefined ? key : `${section}.${key}`],
				inspect: (key: string) => ({ globalValue: state.values[`${section}.${key}`] }),
			}),
			fs: {
				readFile: async ({ path }: { path: string }) => {
					state.read.push(path);
					if (path.endsWith('.vscode/mcp.json')) {
						return new TextEncoder().encode(file);
					}
					throw new api.FileSystemError('There is no such file.');
				},
			},
		},
	};
	return { api, state, uri };
});

vi.mock('vscode', () => editor.api);

const { Configuration } = await import('../../../../src/editor/servers/configuration.ts');

/** Changes a setting. Resolves to the number of files read, when all of them have been read. */
async function changes(setting: string, value: unknown): Promise<number> {
	editor.state.values[setting] = value;
	editor.state.read = [];
	editor.state.changed({ affectsConfiguration: (key) => setting === key || setting.startsWith(`${key}.`) });
	await configuration.settled;
	return editor.state.read.length;
}

let configuration: InstanceType<typeof Configuration>;

beforeEach(async () => {
	editor.state.values = { 'mcpElicitation.discoverMcpJson': true };
	configuration = new Configuration(editor.uri('/data/User/globalStorage/ours') as never);
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
