import type { NativeText } from '../../../elicitation/display.ts';
import { noAnswerOf } from '../../../elicitation/form/constraint.ts';
import { type ChoiceField, type ChoicesField, isOptional } from '../../../elicitation/form/fields.ts';
import type { Input } from '../../../elicitation/form/inputs.ts';
import { showUntilAccepted } from '../../common/guardedPicker.ts';
import { nativeText } from '../../common/localize.ts';
import { createQuickPick, type NativeItem } from '../../common/surfaces.ts';
import { optionItem } from './pickerModel.ts';

/**
 * Lets the user choose among the options of a field, in a picker of the editor.
 * @param input what is chosen so far
 * @param signal closes the picker
 * @returns undefined if the user leaves it as it is
 */
export function chooseOptions(
	title: NativeText,
	field: ChoiceField | ChoicesField,
	input: Input,
	signal: AbortSignal,
): Promise<Input | undefined> {
	type Item = NativeItem & { readonly index: number | null };
	const options = field.options.map((option, index): Item => ({ ...optionItem(option), index }));
	const picker = createQuickPick<Item>();
	picker.title = title;
	picker.matchOnDescription = true;
	signal.addEventListener('abort', () => picker.hide(), { once: true });
	if (field.kind === 'choices') {
		const chosen = new Set(input.kind === 'choices' ? input.indexes : []);
		picker.canSelectMany = true;
		picker.items = options;
		picker.selectedItems = options.filter((_option, index) => chosen.has(index));
		return showUntilAccepted(picker, () => {
			const indexes = picker.selectedItems.flatMap(({ index }) => index ?? []).sort((one, other) => one - other);
			return { kind: 'choices', indexes: indexes.length === 0 && isOptional(field) ? null : indexes };
		});
	}
	const current = options[input.kind === 'choice' ? (input.index ?? -1) : -1];
	const none: Item = { label: nativeText(noAnswerOf(field)), index: null };
	// Nothing is chosen that the user has not moved to.
	picker.items = isOptional(field) || !current ? [none, ...options] : options;
	picker.activeItems = [current ?? none];
	return showUntilAccepted(picker, () => {
		const [item] = picker.selectedItems;
		return item && { kind: 'choice', index: item.index };
	});
}
