import { expect, it, vi } from 'vitest';

const notices = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { isTrusted: true },
		window: { showInformationMessage: async (text: string) => void notices.push(text) },
	}),
);

const { registerDuplicateServerNotice } = await import(
	'../../../../../src/editor/agentMode/bridge/duplicateServers.ts'
);

it('tells of a server that the editor runs as well, but not of a temporary connection to it', async () => {
	let change = () => {};
	const source = { kind: 'file', uri: 'here' };
	const entry = (name: string, more: object = {}) => ({
		state: 'running',
		configured: { name, source, others: [], editor: { kind: 'file', uri: 'there' }, definition: {} },
		...more,
	});
	const servers = {
		entries: [entry('one (forms only)', { temporaryFor: 'one' })],
		onDidChange: (listener: () => void) => {
			change = listener;
			return { dispose: () => {} };
		},
	};
	const known: string[] = [];
	const memory = { get: () => known, update: async (_key: string, names: string[]) => void known.push(...names) };
	registerDuplicateServerNotice(servers as never, memory as never);
	change();
	await new Promise((resolve) => setImmediate(resolve));
	expect(notices).toEqual([]);
	servers.entries.push(entry('one'));
	change();
	await vi.waitFor(() => expect(notices).toEqual([expect.stringContaining('one runs here')]));
});
