import { expect, it, vi } from 'vitest';
import { TabInputWebview } from 'vscode';

/** VS Code with these tabs. */
const editor = vi.hoisted(() => ({ tabs: [] as { input: unknown }[], closed: [] as unknown[] }));

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		window: {
			tabGroups: {
				get all() {
					return [{ tabs: editor.tabs.slice(0, 1) }, { tabs: editor.tabs.slice(1) }];
				},
				close: async (tabs: unknown[]) => void editor.closed.push(tabs),
			},
		},
	}),
);

const { closeLeftPanels } = await import('../../../../src/editor/common/leftPanels.ts');

it('closes the panels that a killed extension host has left, and no others', () => {
	const tab = (viewType: string) => ({ input: new TabInputWebview(viewType) });
	const ours = [tab('mainThreadWebview-mcpElicitation.form'), tab('mainThreadWebview-mcpElicitation.start')];
	const others = [tab('mainThreadWebview-markdown.preview'), { input: undefined }, { input: { uri: 'a.txt' } }];
	editor.tabs = others;
	closeLeftPanels();
	expect(editor.closed).toEqual([]);
	editor.tabs = [...ours.slice(0, 1), ...others, ...ours.slice(1)];
	closeLeftPanels();
	expect(editor.closed).toEqual([ours]);
});
