import { expect, it, vi } from 'vitest';
import { toolItem } from '../../../../src/editor/calls/prepare.ts';
import { featureNodes } from '../../../../src/editor/servers/serversView/featureNodes.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode } from '../vscode.ts';

/** A running server: its name, how it is connected, and where it is defined. */
const entry = (name: string, type: string, kind: string, temporaryFor?: string) => ({
	configured: { name, definition: { type }, source: { kind, uri: kind } },
	state: 'running',
	...(temporaryFor !== undefined && { temporaryFor }),
});

const entries = [
	entry('files', 'stdio', 'user'),
	entry('shop', 'http', 'folder'),
	entry('old', 'sse', 'folder'),
	entry('shop (trial)', 'http', 'folder', 'shop'),
	entry('demo', 'stdio', 'demo'),
];

it.each([
	['signOut', 'servers over HTTP', ['shop', 'old']],
	['showDefinition', 'servers that have a definition: not the demo', ['files', 'shop', 'old']],
] as const)('the command %s offers %s, but not the temporary connections of trials', async (command, _what, names) => {
	const showQuickPick = vi.fn(async (_items: readonly { label: string }[]) => undefined);
	fakeVscode({ window: { showQuickPick, showInformationMessage: async () => undefined } });
	const servers = {
		settled: Promise.resolve(),
		entries,
		get: (wanted: string) => entries.find(({ configured }) => configured.name === wanted),
	};
	const commands = testCommands(undefined, servers);
	await commands.choose(command, undefined);
	expect(showQuickPick.mock.calls[0]?.[0].map(({ label }) => label)).toEqual(names);
	expect(await commands.choose(command, 'shop')).toBe(entries[1]);
	expect(await commands.choose(command, { kind: 'server', server: 'demo' })).toBeUndefined();
});

it('a tool is listed under its name where its title is blank, with its name where it has another title, and said once where its description is only that', () => {
	const tools = [
		{ name: 'book', title: ' ', inputSchema: {} },
		{ name: 'pay', title: 'Pay the bill', inputSchema: {} },
		{ name: 'slow_human', description: 'Slow human.', inputSchema: {} },
		{ name: 'b', title: 'Book a table', description: 'book a table', inputSchema: {} },
	];
	const connection = { name: 'shop', tools, prompts: [], resources: [], resourceTemplates: [] };
	const rows = featureNodes(connection as unknown as Connection).map(({ item }) => [item.label, item.description]);
	expect(rows).toEqual([
		['book', ''],
		['Pay the bill', 'pay'],
		['slow_human', ''],
		['Book a table', 'b'],
	]);
	expect(tools.map(toolItem)).toMatchObject([
		{ label: 'book', description: '' },
		{ label: 'Pay the bill', description: 'pay' },
		{ label: 'slow_human', detail: '' },
		{ label: 'Book a table', description: 'b', detail: '' },
	]);
});
