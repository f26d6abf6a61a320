import { unmarked } from './jsonText.ts';

/**
 * Makes server text safe to read. Invisible and reordering characters could make the text look like something else, and
 * stacked ones could cover other text, so they are escaped.
 */

declare const nativeBrand: unique symbol;

/**
 * Text that is safe for a native surface of the editor (notification, quick pick, status bar). `native` creates it,
 * `withIcon` and `together` put it together.
 */
export type NativeText = string & { readonly [nativeBrand]: true };

/** Shown instead of a secret. */
export const MASK = '••••••';

/** Character class contents that match invisible and reordering characters. Includes tabs and line breaks. */
export const INVISIBLE_CLASS = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

/** Matches combining marks beyond the sixth of a character: stacked, they would cover what is above or below the text. */
export const STACKED = '[\\p{Mn}\\p{Me}](?<=[\\p{Mn}\\p{Me}]{7})';

const hidden = new RegExp(`(?![\\t\\n])[${INVISIBLE_CLASS}]|${STACKED}`, 'gu');

/**
 * Invisible characters that have a visible effect. Each pattern allows at most one or two per visible character, so
 * that they cannot carry hidden text.
 */
const effective = new RegExp(
	[
		// Joiners: within an emoji, between Arabic letters, after an Indic virama.
		'(?<=\\p{ExtPict}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{ExtPict})',
		'(?<=\\p{Script=Arabic})\\u200c(?=\\p{Script=Arabic})',
		'(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d](?=\\p{L})',
		// Variation selectors: emoji or text presentation, and keycaps.
		'(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]',
		'(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
	].join('|'),
	'uy',
);

/** Escapes every hidden or stacked character as `‹U+202E›`. Keeps tabs and line feeds; CRLF becomes LF. */
export function visible(text: string): string {
	return replaceInvisible(unmarked(text).replaceAll('\r\n', '\n'), codePointName);
}

/** Replaces every hidden or stacked character with the result of `write`. */
export function replaceInvisible(text: string, write: (character: string) => string): string {
	return text.replace(hidden, (character, at: number, whole: string) => {
		effective.lastIndex = at;
		return effective.test(whole) ? character : write(character);
	});
}

/** The same JSON with hidden and stacked characters as escapes: `\u202e`. */
export function legibleJson(json: string): string {
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return replaceInvisible(json, (character) => character.split('').map(escaped).join(''));
}

/** Like `visible`, but also escapes line feeds and tabs. */
export function visibleOnOneLine(text: string): string {
	return withoutBreaks(visible(text));
}

/** Native text for a dialog, which shows line breaks: a name with some must not pass for the extension's own text. */
export function nativeOnOneLine(text: NativeText): NativeText {
	return withoutBreaks(text) as NativeText;
}

/** Escapes line feeds and tabs. */
function withoutBreaks(text: string): string {
	return text.replace(/[\n\t]/g, codePointName);
}

/** Joins lines with spaces. A pattern would try every space again: a message of spaces would take minutes. */
export function joinLines(text: string): string {
	const lines = text.split(/[\r\n]/).map((line) => line.trim());
	return lines.filter((line) => line !== '').join(' ');
}

/** Escapes a character: `‹U+202E›`. */
export function codePointName(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/**
 * Prepares text for a native surface. Escapes hidden characters, breaks Markdown links and `$(icon)` with a zero-width
 * space, and truncates to `max` code points including the ellipsis.
 */
export function native(text: string, max = Number.POSITIVE_INFINITY): NativeText {
	// Truncate first: the server may have sent megabytes.
	const safe = visible(text.length > 4 * max ? text.slice(0, 4 * max) : text)
		.replaceAll('](', () => ']\u200b(')
		.replaceAll('$(', () => '$\u200b(');
	return shorten(safe, max) as NativeText;
}

/** A text in our own source code: a type that no text from elsewhere has. */
export type Own<Text extends string> = string extends Text ? never : Text;

/** An icon of the editor, before a text. */
export function withIcon<const Icon extends string>(icon: Own<Icon>, text?: NativeText): NativeText {
	return (text === undefined ? `$(${icon})` : `$(${icon}) ${text}`) as NativeText;
}

/** Texts one after the other, without those that are empty. */
export function together<const Text extends string>(
	texts: readonly (NativeText | undefined)[],
	between: Own<Text>,
): NativeText {
	return texts.filter(Boolean).join(between) as NativeText;
}

/** Truncates to `max` code points including the ellipsis. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) {
		return text;
	}
	const points = [...text.slice(0, 2 * max)];
	return points.length <= max && text.length <= 2 * max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/** Escapes a text for a regular expression. */
export function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
