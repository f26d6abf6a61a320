/**
 * Server text made fit to be read. Characters that cannot be seen, or that reorder what is seen, would let a server
 * show one thing and mean another; they are written out instead.
 */

declare const nativeBrand: unique symbol;

/** Text that may go to a native surface of the editor (notification, quick pick, status bar). Only `native` makes it. */
export type NativeText = string & { readonly [nativeBrand]: true };

const hidden = new RegExp(
	[
		'[',
		'\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', // controls, but not tab and line feed
		'\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0', // soft hyphen, joiner, fillers
		'\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff', // zero width, separators, bidi
		'\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}', // interlinear annotation, tags
		'\\p{Cs}', // with the u flag: surrogates without their other half
		']',
	].join(''),
	'gu',
);

/** Joiners that are seen by what they do: within one emoji, between letters of Arabic script, behind an Indic virama. */
const joiner = new RegExp(
	[
		'(?<=\\p{ExtPict}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{ExtPict})',
		'(?<=\\p{Script=Arabic})\\u200c(?=\\p{Script=Arabic})',
		'(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d](?=\\p{L})',
	].join('|'),
	'uy',
);

/** The text with every hidden character written as `‹U+202E›`. Line feeds (CRLF too) and tabs stay. */
export function visible(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(hidden, (character, at: number, whole: string) => {
		joiner.lastIndex = at;
		return joiner.test(whole) ? character : codePointName(character);
	});
}

function codePointName(character: string): string {
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
