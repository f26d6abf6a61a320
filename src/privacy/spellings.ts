import type { Range } from './textSearch.ts';

/*
 * One text can be written in many ways: percent-encoded, escaped for JSON, a program or a shell, as HTML entities. A secret is searched
 * for in a text as it is, and in what is left when its escapes are decoded, layer by layer. What needs no escape, such as letters that are
 * decomposed and quotes that are doubled, is a spelling of the secret, which is much shorter than the text.
 */

/** Max depth of what is escaped inside what is escaped, such as JSON in JSON in a URL. */
const MAX_DEPTH = 4;

/** Max length of what is decoded (characters), or this many times the length of a longer text. */
const MAX_LENGTH = 100_000;
const MAX_TIMES = 3;

/** With what escapes begin, and whether those are read, as bits. */
const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26];
const [PERCENTS, BACKSLASHES, AMPERSANDS] = [1, 2, 4];
const ALL = PERCENTS | BACKSLASHES | AMPERSANDS;

const BEGIN = /[%\\&]/;

/** Escapes of one letter in JSON, C, and shells. Any other character that is escaped means itself. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => code);
for (const [letter, code] of Object.entries({ n: 10, t: 9, r: 13, b: 8, f: 12, v: 11, 0: 0, a: 7, e: 27 })) {
	LETTERS[letter.charCodeAt(0)] = code;
}

/** The entities of HTML for U+00A0 to U+00FF, in this order. */
const LATIN = [
	'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot',
	'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml',
	'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig',
	'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute',
	'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
].flatMap((line) => line.split(' '));

const ENTITIES = new Map([
	...LATIN.map((name, index) => [name, 0xa0 + index] as const),
	...Object.entries({ amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27, euro: 0x20ac }),
]);

/** A text in which a secret may be written. */
export class Layer {
	/** The position in the previous layer that each of its characters, and its end, comes from. */
	#places: Uint32Array | undefined;

	constructor(
		readonly text: string,
		/** The layer that it was decoded from; undefined if it is the given text. */
		readonly source?: { readonly layer: Layer; readonly kinds: number; readonly isCut: boolean },
	) {}

	/** Where a part of it comes from in the given text. Found out only when it is needed, because hardly any text has a secret. */
	rangeOf(start: number, end: number): Range {
		if (this.source === undefined) {
			return { start, end };
		}
		const { layer, kinds, isCut } = this.source;
		const places = this.#places ?? new Uint32Array(layer.text.length + 1);
		if (this.#places === undefined) {
			this.#places = places;
			decode(layer.text, kinds, isCut, places);
		}
		// Both halves of a pair come from one place.
		const after = places[end] === places[end - 1] ? end + 1 : end;
		return layer.rangeOf(places[start] as number, places[after] as number);
	}

	/** The same with its escapes of some kinds decoded; undefined if it has none of them. */
	decoded(kinds: number, isCut: boolean): Layer | undefined {
		const text = decode(this.text, kinds, isCut);
		return text === this.text ? undefined : new Layer(text, { layer: this, kinds, isCut });
	}
}

/**
 * A text in all the layers in which a secret may be written: each is one before with its escapes decoded.
 * @param isCut whether its end is missing, so that its last escape may be incomplete
 */
export function layersOf(text: string, isCut: boolean): readonly Layer[] {
	return decodings(text, isCut, ({ text: layer, source }) => {
		// A backslash escapes whatever follows, but may be text where there are other escapes.
		const isText = source !== undefined && source.kinds !== ALL;
		const hasOthers = layer.includes('\\') && (layer.includes('%') || layer.includes('&'));
		return isText ? [PERCENTS | AMPERSANDS] : hasOthers ? [ALL, PERCENTS | AMPERSANDS] : [ALL];
	});
}

/** @param kindsOf which escapes may be read as such in a layer; the others are text, too */
function decodings(text: string, isCut: boolean, kindsOf: (layer: Layer) => readonly number[]): readonly Layer[] {
	const layers = [new Layer(text)];
	if (!BEGIN.test(text)) {
		return layers;
	}
	let left = Math.max(MAX_LENGTH, MAX_TIMES * text.length);
	for (let depth = 0, next = 0; depth < MAX_DEPTH && next < layers.length; depth++) {
		const newest = layers.slice(next);
		next = layers.length;
		for (const layer of newest) {
			for (const kinds of kindsOf(layer)) {
				left -= layer.text.length;
				const decoded = left < 0 ? undefined : layer.decoded(kinds, isCut);
				if (decoded && !layers.some((other) => other.text === decoded.text)) {
					layers.push(decoded);
				}
			}
		}
	}
	return layers;
}

/** What a quote becomes inside quotes: in SQL, CSV, and shells. */
const QUOTES: readonly (readonly [quote: string, spelled: string])[] = [
	['"', '""'],
	["'", "''"],
	["'", "'\\''"],
	["'", `'"'"'`],
];

const LINE_ENDS = /\r\n?|\n/g;
const NOT_ASCII = /[\u0080-\uffff]/;

/** A secret in the spellings that have no escape, or none any more where a text around it is decoded. */
export function spellingsOf(secret: string): ReadonlySet<string> {
	const composed = NOT_ASCII.test(secret)
		? [secret, secret.normalize('NFC'), secret.normalize('NFD'), readAsUtf8(secret)]
		: [secret];
	const onLines = composed.flatMap((form) =>
		/[\r\n]/.test(form) ? [form, form.replace(LINE_ENDS, '\n'), form.replace(LINE_ENDS, '\r\n')] : [form],
	);
	const quoted = onLines.flatMap((form) => [
		form,
		...QUOTES.flatMap(([quote, spelled]) => (form.includes(quote) ? [form.replaceAll(quote, spelled)] : [])),
	]);
	const decoded = quoted.flatMap((form) =>
		BEGIN.test(form)
			? decodings(form, false, () => [ALL, PERCENTS, BACKSLASHES, AMPERSANDS]).map(({ text }) => text)
			: [form],
	);
	return new Set(decoded.filter((form) => form.trim() !== ''));
}

/** What escapes of its characters are read as: two of them may be one character in UTF-8. */
function readAsUtf8(text: string): string {
	const escaped = text.replace(/[%\u0080-\u00ff]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
	return decode(escaped, PERCENTS, false);
}

/** Most texts are short, and need no memory of their own to be decoded in, nor a decoder. */
const SHORT_CODES = new Uint16Array(8_192);
const SHORT_TEXT = 256;

/** Leaves the length as it is: what is no character becomes U+FFFD. */
const UTF_16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/** @param places is filled with where the characters of the result, and its end, come from */
function decode(text: string, kinds: number, isCut: boolean, places?: Uint32Array): string {
	const codes = text.length <= SHORT_CODES.length ? SHORT_CODES : new Uint16Array(text.length);
	let [length, isSame] = [0, true];
	let at = 0;
	while (at < text.length) {
		const begin = text.charCodeAt(at);
		// Most characters are no escape.
		if (begin > BACKSLASH || !isBegin(begin, kinds)) {
			if (places !== undefined) {
				places[length] = at;
			}
			codes[length++] = begin;
			at++;
			continue;
		}
		if (isCut && text.length - at < LONGEST_ESCAPE && INCOMPLETE.test(text.slice(at))) {
			isSame = false;
			break;
		}
		const found = readEscape(text, at);
		isSame &&= found === NONE;
		let code = found === NONE ? begin : found >> LENGTH_BITS;
		const end = at + (found === NONE ? 1 : found & LENGTH_MASK);
		for (; code >= 0; code = code > 0xffff ? 0xdc00 + (code & 0x3ff) : -1) {
			codes[length] = code > 0xffff ? 0xd800 + ((code - 0x10000) >> 10) : code;
			if (places !== undefined) {
				places[length] = at;
			}
			length++;
		}
		at = end;
	}
	if (places !== undefined) {
		places[length] = at;
	}
	if (isSame) {
		return text;
	}
	return length <= SHORT_TEXT
		? String.fromCharCode.apply(null, codes.subarray(0, length) as unknown as number[])
		: UTF_16.decode(codes.subarray(0, length));
}

function isBegin(code: number, kinds: number): boolean {
	return (
		(code === PERCENT && (kinds & PERCENTS) !== 0) ||
		(code === BACKSLASH && (kinds & BACKSLASHES) !== 0) ||
		(code === AMPERSAND && (kinds & AMPERSANDS) !== 0)
	);
}

/** Longer escapes are none (characters). */
const LONGEST_ESCAPE = 16;

/** An escape is a number: the character that it stands for, and its length. Millions of objects would take their time. */
const LENGTH_BITS = 5;
const LENGTH_MASK = 0x1f;
const NONE = -1;

function escapeOf(code: number, length: number): number {
	return code > 0x10ffff ? NONE : (code << LENGTH_BITS) | length;
}

/** The beginning of an escape at the end of a text. Of several bytes of a character, some may be there. */
const INCOMPLETE =
	/^(?:(?:%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F]){0,2})?(?:%(?:u[\da-fA-F]{0,3}|[\da-fA-F]?))?|(?:\\x[c-fC-F][\da-fA-F](?:\\x[89abAB][\da-fA-F]){0,2})?(?:\\(?:u(?:[\da-fA-F]{0,3}|\{[\da-fA-F]{0,6})|U[\da-fA-F]{0,7}|x?[\da-fA-F]?|[0-3][0-7]?)?)?|&#?\w{0,8})$/;

/** The escape at a place, where one begins; `NONE` if there is none. */
function readEscape(text: string, at: number): number {
	const begin = text.charCodeAt(at);
	if (begin === AMPERSAND) {
		return readEntity(text, at);
	}
	const letter = text.charCodeAt(at + 1);
	if (letter === LOWER_U) {
		return readUnit(text, at, begin);
	}
	const byte = byteAt(text, at);
	if (byte >= 0) {
		const length = begin === PERCENT ? 3 : 4;
		const character = byte > 127 ? readUtf8(text, at, length, byte) : NONE;
		return character === NONE ? escapeOf(byte, length) : character;
	}
	if (begin === PERCENT || at + 1 >= text.length) {
		return NONE;
	}
	const long = letter === UPPER_U ? hexAt(text, at + 2, 8) : -1;
	return long >= 0 ? escapeOf(long, 10) : letterAt(letter);
}

/** `\u0041`, `\u{41}`, or `%u0041`. */
function readUnit(text: string, at: number, begin: number): number {
	const code = hexAt(text, at + 2, 4);
	if (code >= 0) {
		return escapeOf(code, 6);
	}
	if (begin === PERCENT) {
		return NONE;
	}
	const inBraces = BRACES.exec(text.slice(at + 2, at + LONGEST_ESCAPE));
	return inBraces === null
		? letterAt(LOWER_U)
		: escapeOf(Number.parseInt(inBraces[1] ?? '', 16), 2 + inBraces[0].length);
}

function letterAt(letter: number): number {
	return escapeOf(LETTERS[letter] ?? letter, 2);
}

const [LOWER_U, UPPER_U, LOWER_X] = [0x75, 0x55, 0x78];
const BRACES = /^\{([\da-fA-F]{1,6})\}/;

/** The byte that an escape such as `%41`, `\\x41` or `\\101` stands for; -1 if there is none. */
function byteAt(text: string, at: number): number {
	const begin = text.charCodeAt(at);
	if (begin === PERCENT) {
		return hexAt(text, at + 1, 2);
	}
	if (begin !== BACKSLASH) {
		return -1;
	}
	const next = text.charCodeAt(at + 1);
	if (next === LOWER_X) {
		return hexAt(text, at + 2, 2);
	}
	const high = next - DIGIT_0;
	if (!(high >= 0 && high < 4)) {
		return -1;
	}
	const [middle, low] = [text.charCodeAt(at + 2) - DIGIT_0, text.charCodeAt(at + 3) - DIGIT_0];
	return middle >= 0 && middle < 8 && low >= 0 && low < 8 ? 64 * high + 8 * middle + low : -1;
}

const DIGIT_0 = 0x30;

/** The number that so many hexadecimal digits are; -1 if they are none. */
function hexAt(text: string, at: number, digits: number): number {
	let value = 0;
	for (let index = at; index < at + digits; index++) {
		const code = text.charCodeAt(index);
		const lower = code | 0x20;
		const digit = code >= DIGIT_0 && code <= 0x39 ? code - DIGIT_0 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
		// The end of the text is no number.
		if (!(digit >= 0)) {
			return -1;
		}
		value = 16 * value + digit;
	}
	return value;
}

/** The character whose UTF-8 begins with a byte and continues in the escapes after it, which are equally long. */
function readUtf8(text: string, at: number, size: number, first: number): number {
	const count = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	let code = first & (0xff >> (count + 1));
	for (let index = 1, next = at + size; index < count; index++, next += size) {
		const byte = text.charCodeAt(next) === text.charCodeAt(at) ? byteAt(text, next) : -1;
		if (byte < 0 || (byte & 0xc0) !== 0x80) {
			return NONE;
		}
		code = (code << 6) | (byte & 0x3f);
	}
	return count === 0 ? NONE : escapeOf(code, count * size);
}

const [NUMBER_SIGN, SEMICOLON] = [0x23, 0x3b];
const ENTITY = /^&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,7}));/;
const [SHORTEST_ENTITY, LONGEST_ENTITY] = [4, 10];

function readEntity(text: string, at: number): number {
	const next = text.charCodeAt(at + 1);
	if (next !== NUMBER_SIGN && !(next >= 0x41 && next <= 0x7a)) {
		return NONE;
	}
	let end = at + SHORTEST_ENTITY - 1;
	while (end < at + LONGEST_ENTITY && text.charCodeAt(end) !== SEMICOLON) {
		end++;
	}
	const [whole = '', decimal, hex, name = ''] = ENTITY.exec(text.slice(at, end + 1)) ?? [];
	const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : ENTITIES.get(name);
	return code === undefined ? NONE : escapeOf(code, whole.length);
}
