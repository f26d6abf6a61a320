import { expect, it, vi } from 'vitest';

/** VS Code with these tabs. */
const editor = vi.hoisted(() => {
	class TabInputWebview {
		constructor(readonly viewType: string) {}
	}
	return { TabInputWebview, tabs: [] as { input: unknown }[], closed: [] as unknown[] };
});

vi.mock('vscode', () => ({
	TabInputWebview: editor.TabInputWebview,
	window: {
		tabGroups: {
			get all() {
				return [{ tabs: editor.tabs.slice(0, 1) }, { tabs: editor.tabs.slice(1) }];
			},
			close: async (tabs: unknown[]) => void editor.closed.push(tabs),
		},
	},
}));

const { closeLeftPanels } = await import('../../../../src/editor/common/leftPanels.ts');

it('closes the panels that a killed extension host has left, and no others', () => {
	const tab = (viewType: string) => ({ input: new editor.TabInputWebview(viewType) });
	const ours = [tab('mainThreadWebview-mcpElicitation.form'), tab('mainThreadWebview-mcpElicitation.start')];
	const others = [tab('mainThreadWebview-markdown.preview'), { input: undefined }, { input: { uri: 'a.txt' } }];
	editor.tabs = others;
	closeLeftPanels();
	expect(editor.closed).toEqual([]);
	editor.tabs = [...ours.slice(0, 1), ...others, ...ours.slice(1)];
	closeLeftPanels();
	expect(editor.closed).toEqual([ours]);
});
