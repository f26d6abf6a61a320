import * as vscode from 'vscode';
import { type NativeText, native, type Own } from '../../elicitation/display.ts';
import { english, render, type Sentence, type Translate } from '../../elicitation/sentence.ts';

/**
 * Translates the extension's own text. Server text in the arguments stays raw, so the result is for webviews only, unless
 * there are none. Arguments are filled in here because `vscode.l10n.t` leaves `${{0}}` as it is.
 */
export const localize = ((text: string, ...args: (string | number)[]) => english(vscode.l10n.t(text), ...args)) as (<
	const Text extends string,
>(
	text: Own<Text>,
) => NativeText) &
	Translate;

/**
 * Translates the extension's own text and makes it safe for native surfaces, including server text in the arguments.
 */
export function localizeNative(text: string, ...args: (string | number)[]): NativeText {
	return native(localize(text, ...args));
}

/** Translates a sentence from a pure layer for a native surface. */
export function nativeText(sentence: Sentence): NativeText {
	return native(render(sentence, localize));
}

/** A time in the user's language, in 24-hour format as in the timeline panel; with its day unless that is today. */
export function timeText(milliseconds: number): string {
	const date = new Date(milliseconds);
	const isToday = date.toDateString() === new Date().toDateString();
	return isToday
		? date.toLocaleTimeString(vscode.env.language, { hourCycle: 'h23' })
		: date.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}

/** Translates a sentence for a webview, which sets the text of servers in its arguments apart. */
export function localizeSentence({ text, args = [] }: Sentence): Sentence {
	return {
		text: vscode.l10n.t(text),
		args: args.map((arg) => (typeof arg === 'object' ? localizeSentence(arg) : arg)),
	};
}
