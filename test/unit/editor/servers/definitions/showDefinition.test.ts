import { expect, it, vi } from 'vitest';
import { commands } from 'vscode';

const showQuickPick = vi.hoisted(() => vi.fn(async (_items: readonly { name: string }[]) => undefined));

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode({ window: { showQuickPick } }));

const { registerShowDefinition } = await import('../../../../../src/editor/servers/definitions/showDefinition.ts');

it('the command offers servers that have a definition: not the demo, and no temporary connections', async () => {
	const entry = (name: string, kind: string, more: object = {}) => ({
		configured: { name, source: { kind, uri: kind } },
		state: 'running',
		...more,
	});
	const entries = [
		entry('files', 'user'),
		entry('shop', 'folder'),
		entry('shop (trial)', 'folder', { temporaryFor: 'shop' }),
		entry('demo', 'demo'),
	];
	registerShowDefinition({ settled: Promise.resolve(), entries } as never, {} as never);
	await commands.executeCommand('mcpElicitation.showDefinition');
	expect(showQuickPick.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['files', 'shop']);
});
