import { expect, it, vi } from 'vitest';

/** VS Code with these tabs. */
const editor = vi.hoisted(() => {
	class TabInputWebview {
		constructor(readonly viewType: string) {}
	}
	class TabInputText {
		constructor(readonly uri: { scheme: string }) {}
	}
	return { TabInputWebview, TabInputText, tabs: [] as { input: unknown }[], closed: [] as unknown[] };
});

vi.mock('vscode', () => ({
	TabInputWebview: editor.TabInputWebview,
	TabInputText: editor.TabInputText,
	window: {
		tabGroups: {
			get all() {
				return [{ tabs: editor.tabs.slice(0, 1) }, { tabs: editor.tabs.slice(1) }];
			},
			close: async (tabs: unknown[]) => void editor.closed.push(tabs),
		},
	},
}));

const { closeLeftTabs } = await import('../../../../src/editor/common/leftTabs.ts');

it('closes the panels and the responses that an earlier extension host has left, and no others', () => {
	const text = (scheme: string) => ({ input: new editor.TabInputText({ scheme }) });
	const tab = (viewType: string) => ({ input: new editor.TabInputWebview(viewType) });
	const ours = [
		tab('mainThreadWebview-mcpElicitation.form'),
		tab('mainThreadWebview-mcpElicitation.start'),
		text('mcp-elicitation-answer'),
	];
	const others = [tab('mainThreadWebview-markdown.preview'), text('file'), { input: undefined }];
	editor.tabs = others;
	closeLeftTabs();
	expect(editor.closed).toEqual([]);
	editor.tabs = [...ours.slice(0, 1), ...others, ...ours.slice(1)];
	closeLeftTabs();
	expect(editor.closed).toEqual([ours]);
});
