import { expect, it, vi } from 'vitest';
import { TabInputText, TabInputWebview, Uri } from 'vscode';

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

const { closeLeftTabs } = await import('../../../../src/editor/common/leftTabs.ts');

it('closes the panels and the responses that an earlier extension host has left, and no others', () => {
	const panel = (viewType: string) => ({ input: new TabInputWebview(viewType) });
	const file = (uri: string) => ({ input: new TabInputText(Uri.parse(uri)) });
	const ours = [
		panel('mainThreadWebview-mcpElicitation.form'),
		panel('mainThreadWebview-mcpElicitation.start'),
		file('mcp-elicitation-answer://0/response.mcp-answer.json'),
	];
	const others = [panel('mainThreadWebview-markdown.preview'), file('file:///a.txt'), { input: undefined }];
	editor.tabs = others;
	closeLeftTabs();
	expect(editor.closed).toEqual([]);
	editor.tabs = [...ours.slice(0, 1), ...others, ...ours.slice(1)];
	closeLeftTabs();
	expect(editor.closed).toEqual([ours]);
});
