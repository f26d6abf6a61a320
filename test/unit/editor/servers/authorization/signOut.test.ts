import { expect, it, vi } from 'vitest';

const editor = vi.hoisted(() => ({
	run: async (_target?: unknown) => {},
	showQuickPick: vi.fn(async (_items: readonly { name: string }[]) => undefined),
}));

vi.mock('vscode', () => ({
	l10n: { t: (text: string) => text, bundle: undefined },
	commands: {
		registerCommand: (_id: string, run: typeof editor.run) => {
			editor.run = run;
			return { dispose: () => {} };
		},
	},
	window: { showQuickPick: editor.showQuickPick },
}));

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
	await editor.run();
	expect(editor.showQuickPick.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['shop', 'old']);
});
