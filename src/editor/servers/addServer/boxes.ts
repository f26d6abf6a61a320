import * as vscode from 'vscode';
import type { KeyGuard } from '../../../elicitation/keyGuard.ts';
import { localize } from '../../common/localize.ts';
import { guardShown } from '../../common/notifications.ts';

/** The user wants to see the step before. */
export const BACK = Symbol('back');

/** What a step led to; undefined if the user dismissed it. */
export type Answer<T> = T | typeof BACK | undefined;

type Box = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/**
 * Shows a step until the user completes it, goes back or dismisses it. A second Enter that was meant for the step before
 * does not complete it.
 * @param accepted what Enter leads to; undefined if the step is not complete yet
 */
export function show<T>(box: Box, accepted: () => T | undefined, isFirst = false): Promise<Answer<T>> {
	box.title = localize('Add Server');
	box.ignoreFocusOut = true;
	box.buttons = isFirst ? [] : [vscode.QuickInputButtons.Back];
	return new Promise((resolve) => {
		const end = (answer: Answer<T>) => {
			resolve(answer);
			box.dispose();
		};
		let guard: KeyGuard | undefined;
		box.onDidAccept(() => {
			if (guard && !guard.takesKeys(performance.now())) {
				if ('selectedItems' in box && !box.canSelectMany) {
					// VS Code does not report a second click on an item that is already selected.
					box.selectedItems = [];
				}
				return;
			}
			const answer = accepted();
			if (answer !== undefined) {
				end(answer);
			}
		});
		box.onDidTriggerButton(() => end(BACK));
		box.onDidHide(() => end(undefined));
		box.show();
		guard = isFirst ? undefined : guardShown();
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
