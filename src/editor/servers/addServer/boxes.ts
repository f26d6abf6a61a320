import * as vscode from 'vscode';
import { type Picker, showUntilAccepted } from '../../common/guardedPicker.ts';
import { localize } from '../../common/localize.ts';

/** The user wants to see the step before. */
export const BACK = Symbol('back');

/** What a step led to; undefined if the user dismissed it. */
export type Answer<T> = T | typeof BACK | undefined;

/**
 * Shows a step until the user completes it, goes back or dismisses it. A second Enter that was meant for the step before
 * does not complete it.
 * @param accepted what Enter leads to; undefined if the step is not complete yet
 */
export function show<T>(box: Picker, accepted: () => T | undefined, isFirst = false): Promise<Answer<T>> {
	box.title = localize('Add Server');
	box.ignoreFocusOut = true;
	box.buttons = isFirst ? [] : [vscode.QuickInputButtons.Back];
	return new Promise((resolve) => {
		box.onDidTriggerButton(() => {
			resolve(BACK);
			box.dispose();
		});
		void showUntilAccepted(box, accepted, !isFirst).then(resolve);
	});
}

/** Lets the user pick one item. */
export function pickOne<T extends vscode.QuickPickItem>(items: readonly T[], placeHolder: string): Promise<Answer<T>> {
	const picker = vscode.window.createQuickPick<T>();
	picker.items = items;
	picker.placeholder = placeHolder;
	return show(picker, () => picker.selectedItems[0]);
}

/** Lets the user pick several items, all of them picked at first. */
export function pickMany<T extends vscode.QuickPickItem>(
	items: readonly T[],
	placeHolder: string,
): Promise<Answer<readonly T[]>> {
	const picker = vscode.window.createQuickPick<T>();
	picker.canSelectMany = true;
	picker.items = items;
	picker.selectedItems = items;
	picker.placeholder = placeHolder;
	return show(picker, () => (picker.selectedItems.length > 0 ? picker.selectedItems : undefined));
}

/** Asks for a text. `check` returns what is wrong with it. */
export function askText(
	prompt: string,
	value: string,
	check: (text: string) => string | undefined,
): Promise<Answer<string>> {
	const box = vscode.window.createInputBox();
	box.prompt = prompt;
	box.value = value;
	const tell = () => {
		box.validationMessage = check(box.value);
	};
	box.onDidChangeValue(tell);
	return show(box, () => {
		tell();
		return box.validationMessage ? undefined : box.value;
	});
}
