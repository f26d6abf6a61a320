import * as vscode from 'vscode';
import { SECTION } from './contributions.ts';

/**
 * Closes the tabs of an earlier extension host, which VS Code leaves open when it starts another one in the same window, or
 * restores: panels look alive, but what is sent in them reaches nobody.
 */
export function closeLeftTabs(): void {
	const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
	const left = tabs.filter(
		({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes(`${SECTION}.`),
	);
	if (left.length > 0) {
		void vscode.window.tabGroups.close(left, true);
	}
}
