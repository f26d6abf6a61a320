import { expect, it, vi } from 'vitest';
import { commands } from 'vscode';

const showQuickPick = vi.hoisted(() => vi.fn(async (_items: readonly { name: string }[]) => undefined));

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode({ window: { showQuickPick } }));

const { registerSignOut } = await import('../../../../../src/editor/servers/authorization/signOut.ts');

it('the command offers servers over HTTP, but not the temporary connections of trials', async () => {
	const entry = (name: string, type: string, more: object = {}) => ({
		configured: { name, definition: { type } },
		state: 'running',
		...more,
	});
	const entries = [
		entry('files', 'stdio'),
		entry('shop', 'http'),
		entry('old', 'sse'),
		entry('shop (trial)', 'http', { temporaryFor: 'shop' }),
	];
	registerSignOut({ settled: Promise.resolve(), entries } as never, {} as never);
	await commands.executeCommand('mcpElicitation.signOut');
	expect(showQuickPick.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['shop', 'old']);
});
