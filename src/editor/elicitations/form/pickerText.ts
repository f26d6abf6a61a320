import { joinLines, MASK, type NativeText, shorten } from '../../../elicitation/display.ts';
import { type Field, isOptional } from '../../../elicitation/form/fields.ts';
import { type Input, isBlank, textOf } from '../../../elicitation/form/inputs.ts';
import { readEntries, writeEntries } from '../../../elicitation/form/literals.ts';
import { localizable, render, type Translate } from '../../../elicitation/sentence.ts';
import { hasPrompt, type NativeBox, type NativeItem, type NativePick } from '../../common/surfaces.ts';

/** Approximate width of a picker row in columns. A Chinese character takes two. */
const COLUMNS = 84;

/** Approximate width of a picker's title between its buttons, without the count of steps. */
const TITLE_COLUMNS = 56;

/** Replaces line breaks in single-line input boxes. */
const LINE_BREAK = '⏎';

/** Texts in one line. */
export function joined(texts: readonly NativeText[]): NativeText {
	return texts.map(joinLines).filter(Boolean).join(' — ') as NativeText;
}

/** True if VS Code would cut off the end of a placeholder, or of the label of a row. */
export function isCutOff(line: string): boolean {
	return columns(line) > COLUMNS;
}

/** Joins the parts of a title and shortens the longest ones, so that VS Code does not cut off its end. */
export function onOneTitle(parts: readonly string[]): string {
	for (let most = TITLE_COLUMNS; ; most--) {
		const title = parts.map((part) => shorten(part, most)).join(' · ');
		if (most === 1 || columns(title) <= TITLE_COLUMNS) {
			return title;
		}
	}
}

function columns(text: string): number {
	return [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0);
}

/** An input as the text of an input box, which drops line breaks. Between JSON tokens they do not matter. */
export function onOneLine(field: Field, input: Input): string {
	const text = lineOf(input);
	if (!/[\r\n]/.test(text)) {
		return text;
	}
	return hasLines(field, text) ? text.replace(/\r\n|[\r\n]/g, LINE_BREAK) : joinLines(text);
}

/** The input that the user has made of `before` in an input box. */
export function entered(field: Field, before: Input, text: string): Input {
	if (field.kind !== 'list') {
		return { kind: 'text', text: hasLines(field, lineOf(before)) ? text.replaceAll(LINE_BREAK, '\n') : text };
	}
	return { kind: 'list', items: text.trim() === '' ? null : readEntries(text) };
}

function lineOf(input: Input): string {
	return input.kind === 'list' ? writeEntries(input.items ?? []) : textOf(input);
}

function hasLines(field: Field, text: string): boolean {
	return field.kind === 'text' && (field.entry === 'area' || /[\r\n]/.test(text));
}

/** The input of a field, formatted for the user. Server text. */
export function inputSummary(field: Field, input: Input | undefined, showsSecrets: boolean, t: Translate): string {
	const none = field.required
		? field.nullable
			? render(localizable('Empty (null)'), t)
			: render(localizable('no response yet'), t)
		: render(localizable('left blank'), t);
	if (field.secret && !showsSecrets && !isBlank(input)) {
		return MASK;
	}
	switch (input?.kind) {
		case 'text':
			return input.text || none;
		case 'boolean':
			return input.value === null ? none : input.value ? render(localizable('Yes'), t) : render(localizable('No'), t);
		case 'choice':
			return input.index === null || field.kind !== 'choice' ? none : (field.options[input.index]?.label ?? none);
		case 'choices':
			return input.indexes === null || field.kind !== 'choices'
				? none
				: input.indexes.map((index) => field.options[index]?.label ?? '').join(', ') ||
						render(localizable('nothing'), t);
		case 'list':
			return input.items === null ? none : input.items.join(', ');
		default:
			return none;
	}
}

/** A required field is marked with an asterisk, as in the form. */
export function markOf(field: Field): string {
	return isOptional(field) ? '' : ' *';
}

/** Says something below the box of a picker, where there is room for it, and a hint in it. */
export function setTexts(picker: NativeBox | NativePick<NativeItem>, prompt: NativeText, hint: NativeText): void {
	if (!('items' in picker) || hasPrompt()) {
		picker.prompt = prompt;
		picker.placeholder = hint;
	} else {
		picker.placeholder = joined([prompt, hint]);
	}
}
