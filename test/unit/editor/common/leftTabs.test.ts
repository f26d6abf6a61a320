import { expect, it, vi } from 'vitest';
import { TabInputText, TabInputWebview, Uri } from 'vscode';
import { closeLeftTabs } from '../../../../src/editor/common/leftTabs.ts';
import { fakeVscode } from '../vscode.ts';

it('closes the panels that an earlier extension host has left, and no others', () => {
	const close = vi.fn();
	const open = (...tabs: readonly object[]) =>
		fakeVscode({ window: { tabGroups: { all: [{ tabs: tabs.slice(0, 1) }, { tabs: tabs.slice(1) }], close } } });
	const panel = (viewType: string) => ({ input: new TabInputWebview(viewType) });
	const [first, ...ours] = [
		panel('mainThreadWebview-mcpElicitation.form'),
		panel('mainThreadWebview-mcpElicitation.start'),
	] as const;
	const others = [
		panel('mainThreadWebview-markdown.preview'),
		{ input: new TabInputText(Uri.parse('file:///a.txt')) },
		{ input: undefined },
	];
	open(...others);
	closeLeftTabs();
	expect(close).not.toHaveBeenCalled();
	open(first, ...others, ...ours);
	closeLeftTabs();
	expect(close.mock.calls).toEqual([[[first, ...ours], true]]);
});
