/**
 * A localizable sentence. The English text is the key of its translation, as with `vscode.l10n.t`. Pure layers never
 * translate; surfaces do.
 */
export interface Sentence {
	/** English, with placeholders `{0}`, `{1}`, … for the arguments. */
	readonly text: string;
	readonly args?: readonly (string | number | Sentence)[];
}

export type Translate = (text: string, ...args: (string | number)[]) => string;

/** Creates a sentence: `localizable('At least {0} characters.', 3)`. */
export function localizable(text: string, ...args: (string | number | Sentence)[]): Sentence {
	return args.length > 0 ? { text, args } : { text };
}

/** Digits are grouped as in both languages of the texts, but not those of a year. */
const digits = new Intl.NumberFormat('en', { useGrouping: 'min2' });

/** Renders English: fills in the arguments and translates nothing. Codes and ports come as text, with their digits ungrouped. */
export const english: Translate = (text, ...args) =>
	text.replace(/\{(\d+)\}/g, (whole, index) => {
		const arg = args[Number(index)] ?? whole;
		return Number.isSafeInteger(arg) ? digits.format(arg as number) : String(arg);
	});

/** Renders a sentence with a translation. Renders sentences among its arguments first. */
export function render(sentence: Sentence, translate: Translate): string {
	const args = sentence.args?.map((arg) => (typeof arg === 'object' ? render(arg, translate) : arg)) ?? [];
	return translate(sentence.text, ...args);
}
