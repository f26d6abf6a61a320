/**
 * Server text made fit to be read. Characters that cannot be seen, or that reorder what is seen, would let a server
 * show one thing and mean another; they are written out instead.
 */

declare const nativeBrand: unique symbol;

/** Text that may go to a native surface of the editor (notification, quick pick, status bar). Only `native` makes it. */
export type NativeText = string & { readonly [nativeBrand]: true };

/** What a character class holds to match whatever is not seen, or reorders what is; of them people use tabs and line breaks. */
export const UNSEEN_CLASS = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

const hidden = new RegExp(`(?![\\t\\n])[${UNSEEN_CLASS}]`, 'gu');

/**
 * Invisible characters that are seen by what they do. At most one or two for each visible character, never a run, and where
 * they do nothing they are written out: room for a hidden text there is none.
 */
const effective = new RegExp(
	[
		// Joiners: within one emoji, between letters of Arabic script, behind an Indic virama.
		'(?<=\\p{ExtPict}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{ExtPict})',
		'(?<=\\p{Script=Arabic})\\u200c(?=\\p{Script=Arabic})',
		'(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d](?=\\p{L})',
		// Variation selectors: an emoji in colour or as text, and a keycap.
		'(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]',
		'(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
	].join('|'),
	'uy',
);

/** The text with every hidden character written as `‹U+202E›`. Line feeds (CRLF too) and tabs stay. */
export function visible(text: string): string {
	return writeOut(text.replaceAll('\r\n', '\n'), codePointName);
}

/** The text with every hidden character written as `write` says. */
export function writeOut(text: string, write: (character: string) => string): string {
	return text.replace(hidden, (character, at: number, whole: string) => {
		effective.lastIndex = at;
		return effective.test(whole) ? character : write(character);
	});
}

/** Like `visible`, on one line: line feeds and tabs are written out as well. */
export function visibleOnOneLine(text: string): string {
	return visible(text).replace(/[\n\t]/g, codePointName);
}

/** A character that cannot be seen, so that it can: `‹U+202E›`. */
export function codePointName(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/**
 * The text for a native surface: hidden characters visible, Markdown-like links and `$(icon)` taken apart by a
 * zero-width space, and at most `max` code points, the last of which is then an ellipsis.
 */
export function native(text: string, max = Number.POSITIVE_INFINITY): NativeText {
	// What is cut anyway need not be read: a server may have sent megabytes.
	const safe = visible(text.length > 4 * max ? text.slice(0, 4 * max) : text)
		.replaceAll('](', () => ']\u200b(')
		.replaceAll('$(', () => '$\u200b(');
	return shorten(safe, max) as NativeText;
}

/** At most `max` code points; what was cut is marked by an ellipsis. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) {
		return text;
	}
	const points = [...text.slice(0, 2 * max)];
	return points.length <= max && text.length <= 2 * max ? text : `${points.slice(0, Math.max(0, max - 1)).join('')}…`;
}
