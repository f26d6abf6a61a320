import * as vscode from 'vscode';
import { type NativeText, native } from '../../elicitation/display.ts';
import { english, render, type Sentence, type Translate } from '../../elicitation/sentence.ts';

/**
 * Our own words in the user's language. Server text among the arguments stays raw: for webviews only.
 * The editor only looks the text up: left to it, `${{0}}` would stay as it is.
 */
export const localize: Translate = (text, ...args) => english(vscode.l10n.t(text), ...args);

/** Our own words, made fit for a native surface whatever server text is among the arguments. */
export function localizeNative(text: string, ...args: (string | number)[]): NativeText {
	return native(localize(text, ...args));
}

/** A sentence of a pure room for a native surface. */
export function nativeText(sentence: Sentence): NativeText {
	return native(render(sentence, localize));
}

/** The time of day in the user's language, with 24 hours like that of the timeline's tab. */
export function timeOfDay(milliseconds: number): string {
	return new Date(milliseconds).toLocaleTimeString(vscode.env.language, { hourCycle: 'h23' });
}

/** The translations of the user's language for a webview: English text → translation; nothing for English itself. */
export function translations(): Readonly<Record<string, string>> {
	return vscode.l10n.bundle ?? {};
}
