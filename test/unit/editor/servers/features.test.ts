import { expect, it, vi } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { featureNodes } = await import('../../../../src/editor/servers/serversView/features.ts');
const { toolItem } = await import('../../../../src/editor/calls/prepare.ts');

const tools = [
	{ name: 'book', title: ' ', inputSchema: {} },
	{ name: 'pay', title: 'Pay the bill', inputSchema: {} },
];

it('a tool is listed under its name where its title is blank', () => {
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
