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

/** Renders English: fills in the arguments and translates nothing. */
export const english: Translate = (text, ...args) =>
	text.replace(/\{(\d+)\}/g, (whole, index) => String(args[Number(index)] ?? whole));

/** Renders a sentence with a translation. Renders sentences among its arguments first. */
export function render(sentence: Sentence, translate: Translate): string {
	const args = sentence.args?.map((arg) => (typeof arg === 'object' ? render(arg, translate) : arg)) ?? [];
	return translate(sentence.text, ...args);
}
