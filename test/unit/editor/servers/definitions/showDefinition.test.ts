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
	DiagnosticSeverity: {},
	CodeActionKind: {},
}));

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
	await editor.run();
	expect(editor.showQuickPick.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['files', 'shop']);
});
