import * as vscode from 'vscode';
import type { NativeText } from '../../elicitation/display.ts';

/** What the editor draws as text, in all of its types, except what the user enters. */
type Drawn =
	| 'label'
	| 'description'
	| 'detail'
	| 'message'
	| 'name'
	| 'placeHolder'
	| 'placeholder'
	| 'prompt'
	| 'text'
	| 'title'
	| 'tooltip'
	| 'validationMessage';

/**
 * An element of the editor that takes only text that is safe there. The elements of the editor itself take any; a lint
 * rule keeps them to this file and `notifications.ts`.
 */
type Native<T> = {
	[Key in keyof T]: Key extends Drawn
		? NativeText | Extract<T[Key], undefined>
		: Key extends 'buttons'
			? readonly NativeButton[] | Extract<T[Key], undefined>
			: Key extends 'onDidTriggerButton'
				? vscode.Event<NativeButton>
				: Key extends 'validateInput'
					? (value: string) => NativeText | undefined
					: T[Key];
};

export type NativeButton = Native<vscode.QuickInputButton>;
export type NativeItem = Native<vscode.QuickPickItem>;
export type NativeBox = Native<vscode.InputBox>;
export type NativePick<T extends NativeItem> = Native<vscode.QuickPick<T> & { prompt?: string | undefined }>;
export type NativeTreeItem = Native<vscode.TreeItem>;

type PickOptions = Native<vscode.QuickPickOptions>;

export function showQuickPick<T extends NativeItem>(
	items: readonly T[],
	options: PickOptions,
): Thenable<T | undefined> {
	return vscode.window.showQuickPick(items, options);
}

/** Lets the user pick several items. */
export function showQuickPicks<T extends NativeItem>(
	items: readonly T[],
	options: PickOptions,
): Thenable<T[] | undefined> {
	return vscode.window.showQuickPick(items, { ...options, canPickMany: true });
}

/** @param ended closes the box when it resolves */
export function showInputBox(
	options: Native<vscode.InputBoxOptions>,
	ended?: PromiseLike<unknown>,
): Thenable<string | undefined> {
	const source = new vscode.CancellationTokenSource();
	void ended?.then(() => source.cancel());
	return vscode.window.showInputBox(options, source.token);
}

export function createTerminal(options: Native<vscode.TerminalOptions>): vscode.Terminal {
	return vscode.window.createTerminal(options as vscode.TerminalOptions);
}

export function createQuickPick<T extends NativeItem>(): NativePick<T> {
	return vscode.window.createQuickPick<T>() as NativePick<T>;
}

/** Whether a list can have a prompt. VS Code 1.106 and 1.107 have the property, but throw when an extension sets it. */
export function hasPrompt(): boolean {
	return vscode.version.localeCompare('1.108', undefined, { numeric: true }) >= 0;
}

export function createInputBox(): NativeBox {
	return vscode.window.createInputBox() as NativeBox;
}

/** The button that leads to the step before. */
export function backButton(): NativeButton {
	return vscode.QuickInputButtons.Back as NativeButton;
}

export function createStatusBarItem(id: string, priority: number): Native<vscode.StatusBarItem> {
	return vscode.window.createStatusBarItem(
		id,
		vscode.StatusBarAlignment.Left,
		priority,
	) as Native<vscode.StatusBarItem>;
}

export function treeItem(label: NativeText, state?: vscode.TreeItemCollapsibleState): NativeTreeItem {
	return new vscode.TreeItem(label, state) as NativeTreeItem;
}
