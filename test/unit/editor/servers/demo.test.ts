import { expect, it, vi } from 'vitest';
import { Uri } from 'vscode';
import type { ConfiguredServer } from '../../../../src/editor/common/serverEntry.ts';
import { addDemoNamed, startDemo } from '../../../../src/editor/servers/ownServers.ts';
import type { Servers } from '../../../../src/editor/servers/servers.ts';
import { fakeVscode } from '../vscode.ts';

it('the demo server is started beside a server of the settings that has its name, not in its place', async () => {
	const executeCommand = vi.fn(async () => {});
	fakeVscode({ commands: { executeCommand } });
	const own = { name: 'demo', source: { kind: 'user', uri: 'user' } } as ConfiguredServer;
	let all: readonly ConfiguredServer[] = [own];
	const started: string[] = [];
	const servers = {
		settled: Promise.resolve(),
		get: (name: string) => {
			const configured = all.find((each) => each.name === name);
			return configured && { configured };
		},
		add: async (added: readonly ConfiguredServer[]) => {
			all = [own, ...added];
		},
		start: async (name: string) => void started.push(name),
	} as unknown as Servers;
	await startDemo(Uri.file('/extension'), servers, 'book_table');
	await startDemo(Uri.file('/extension'), servers, 'book_table');
	expect(started).toEqual(['demo 2', 'demo 2']);
	expect(executeCommand).toHaveBeenLastCalledWith('mcpElicitation.callTool', 'demo 2', 'book_table');
	expect(all.map(({ name }) => name)).toEqual(['demo', 'demo 2', 'demo (2025-11-25)']);
	// After a reload, a call of it is resumed by its name.
	all = [own];
	await addDemoNamed('demo 2', Uri.file('/extension'), servers);
	expect(all).toHaveLength(3);
});
