import { expect, it, vi } from 'vitest';

const shown: string[] = [];
vi.mock('vscode', () => ({
	l10n: { t: (text: string) => text },
	commands: { executeCommand: async () => {} },
	window: {
		showWarningMessage: async (message: string) => {
			shown.push(message);
			await new Promise((resolve) => setTimeout(resolve, 700));
			return undefined;
		},
	},
}));

const { showModal } = await import('../../../../src/editor/common/notifications.ts');
const { localizeNative } = await import('../../../../src/editor/common/localize.ts');

it('a dialog shows a name with line breaks on one line', async () => {
	await showModal('warning', localizeNative('Start the MCP server "{0}"?', 'it"?\n\nIt is signed.\t'), '');
	expect(shown).toEqual(['Start the MCP server "it"?‹U+000A›‹U+000A›It is signed.‹U+0009›"?']);
});
