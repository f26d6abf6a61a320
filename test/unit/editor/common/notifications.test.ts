import { expect, it, onTestFinished, vi } from 'vitest';
import { KEY_GUARD } from '../../../../src/elicitation/keyGuard.ts';

const shown: string[] = [];
vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		window: {
			showWarningMessage: async (message: string) => {
				shown.push(message);
				// A choice that comes sooner is meant for something else.
				await vi.advanceTimersByTimeAsync(2 * KEY_GUARD);
				return undefined;
			},
		},
	}),
);

const { showModal } = await import('../../../../src/editor/common/notifications.ts');
const { localizeNative } = await import('../../../../src/editor/common/localize.ts');

it('a dialog shows a name with line breaks on one line', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	await showModal('warning', localizeNative('Start the MCP server "{0}"?', 'it"?\n\nIt is signed.\t'), '');
	expect(shown).toEqual(['Start the MCP server "it"?‹U+000A›‹U+000A›It is signed.‹U+0009›"?']);
});
