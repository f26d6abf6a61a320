import { expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { toolItem } from '../../../../src/editor/calls/prepare.ts';
import { registerSignOut } from '../../../../src/editor/servers/authorization/signOut.ts';
import { registerShowDefinition } from '../../../../src/editor/servers/definitions/showDefinition.ts';
import { featureNodes } from '../../../../src/editor/servers/serversView/features.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
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
	['signOut', 'servers over HTTP', registerSignOut, ['shop', 'old']],
	['showDefinition', 'servers that have a definition: not the demo', registerShowDefinition, ['files', 'shop', 'old']],
])('the command %s offers %s, but not the temporary connections of trials', async (command, _what, register, names) => {
	const showQuickPick = vi.fn(async (_items: readonly { name: string }[]) => undefined);
	fakeVscode({ window: { showQuickPick } });
	register({ settled: Promise.resolve(), entries } as never, {} as never);
	await commands.executeCommand(`mcpElicitation.${command}`);
	expect(showQuickPick.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(names);
});

it('a tool is listed under its name where its title is blank', () => {
	const tools = [
		{ name: 'book', title: ' ', inputSchema: {} },
		{ name: 'pay', title: 'Pay the bill', inputSchema: {} },
	];
	const connection = { name: 'shop', tools, prompts: [], resources: [], resourceTemplates: [] };
	const rows = featureNodes(connection as unknown as Connection).map(({ item }) => [item.label, item.description]);
	expect(rows).toEqual([
		['book', ''],
		['Pay the bill', ''],
	]);
	expect(tools.map(toolItem)).toMatchObject([
		{ label: 'book', description: '' },
		{ label: 'Pay the bill', description: 'pay' },
	]);
});
