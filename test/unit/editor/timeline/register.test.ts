import { expect, it, vi } from 'vitest';

const editor = vi.hoisted(() => ({
	commands: new Map<string, (target?: unknown) => unknown>(),
	errors: [] as string[],
}));
const disposable = vi.hoisted(() => ({ dispose: () => {} }));

vi.mock('vscode', () => ({
	CancellationError: class extends Error {},
	commands: {
		registerCommand: (id: string, run: () => unknown) => {
			editor.commands.set(id, run);
			return disposable;
		},
		executeCommand: async () => {},
	},
	Disposable: { from: () => disposable },
	env: { language: 'en' },
	EventEmitter: class {},
	l10n: { t: (text: string) => text },
	window: {
		createTreeView: () => disposable,
		registerCustomEditorProvider: () => disposable,
		showErrorMessage: async (text: string) => void editor.errors.push(text),
	},
}));

const { registerTimeline } = await import('../../../../src/editor/timeline/register.ts');

it('tells why the timeline could not be cleared', async () => {
	const clear = () => {
		throw new Error('It is in use.');
	};
	registerTimeline({ trace: { clear } } as never);
	await editor.commands.get('mcpElicitation.clearTimeline')?.();
	expect(editor.errors).toEqual(['MCP Elicitation: It is in use.']);
});
