import type { NativeText } from '../../../elicitation/display.ts';
import { type Picker, showUntilAccepted } from '../../common/guardedPicker.ts';
import { localize } from '../../common/localize.ts';
import { backButton, createInputBox, createQuickPick, type NativeItem } from '../../common/surfaces.ts';

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
	box.buttons = isFirst ? [] : [backButton()];
	return showUntilAccepted<T | typeof BACK>(box, { accepted, pressed: () => BACK, guarded: !isFirst });
}

/** Lets the user pick one item. */
export function pickOne<T extends NativeItem>(items: readonly T[], placeHolder: NativeText): Promise<Answer<T>> {
	const picker = createQuickPick<T>();
	picker.items = items;
	picker.placeholder = placeHolder;
	return show(picker, () => picker.selectedItems[0]);
}

/** Lets the user pick several items, all of them picked at first. */
export function pickMany<T extends NativeItem>(
	items: readonly T[],
	placeHolder: NativeText,
): Promise<Answer<readonly T[]>> {
	const picker = createQuickPick<T>();
	picker.canSelectMany = true;
	picker.items = items;
	picker.selectedItems = items;
	picker.placeholder = placeHolder;
	return show(picker, () => (picker.selectedItems.length > 0 ? picker.selectedItems : undefined));
}

/** Asks for a text. `check` returns what is wrong with it. */
export function askText(
	prompt: NativeText,
	value: string,
	check: (text: string) => NativeText | undefined,
): Promise<Answer<string>> {
	const box = createInputBox();
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
