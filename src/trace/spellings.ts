/*
 * One text can be written in many ways: percent-encoded, escaped for JSON, a program or a shell, as HTML entities, composed or decomposed.
 * A secret is searched for in a text as it is, and in what is left when its escapes are decoded, layer by layer.
 */

/** A text whose escapes are decoded, and where each of its characters comes from. */
export interface Layer {
	readonly text: string;
	/** Where each character begins and ends in the given text; undefined if the text is the given one. */
	readonly places: { readonly starts: Uint32Array; readonly ends: Uint32Array } | undefined;
}

/** Max depth of what is escaped inside what is escaped, such as JSON in JSON in a URL. */
const MAX_DEPTH = 4;

/** Max length of all layers together (characters), or this many times the length of a longer text. */
const MAX_LENGTH = 100_000;
const MAX_TIMES = 4;

/** An escape for a byte that is no character of ASCII. */
const BYTE_OVER_127 = /(?:%|\\x)[89a-fA-F]|\\[23][0-7]{2}/;

/** What has several spellings without an escape: quotes, lines, and letters with marks. */
const VARIES = /\r|""|'\\?'|[\u00c0-\uffff]/;
const QUOTES = /\r|""|'\\?'/;
const FIRST_COMPOSED = 0xc0;

/** A quote inside the quotes of a shell. */
const QUOTED = "'\\''";

const [QUOTE, APOSTROPHE, PERCENT, BACKSLASH, AMPERSAND, RETURN] = [0x22, 0x27, 0x25, 0x5c, 0x26, 0x0d];

const ESCAPES = [PERCENT, BACKSLASH, AMPERSAND];

/** Escapes of one letter in JSON, C, and shells. Any other character that is escaped means itself. */
const LETTERS = new Map(
	Object.entries({ n: 10, t: 9, r: 13, b: 8, f: 12, v: 11, 0: 0, a: 7, e: 27 }).map(
		([letter, code]) => [letter.charCodeAt(0), code] as const,
	),
);

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

/**
 * A text in all the layers in which a secret may be written: each is one before with its escapes decoded.
 * @param isCut whether its end is missing, so that its last escape may be incomplete
 */
export function layersOf(text: string, isCut = false): readonly Layer[] {
	const layers = [folded({ text, places: undefined })];
	const seen = new Set([layers[0]?.text]);
	let left = Math.max(MAX_LENGTH, MAX_TIMES * text.length);
	for (let depth = 0, next = 0; depth < MAX_DEPTH && next < layers.length; depth++) {
		const newest = layers.slice(next);
		next = layers.length;
		for (const layer of newest) {
			for (const reading of readingsOf(layer.text)) {
				left -= layer.text.length;
				const decoded = left < 0 ? layer : folded(decode(layer, reading, isCut));
				if (!seen.has(decoded.text)) {
					seen.add(decoded.text);
					layers.push(decoded);
				}
			}
		}
	}
	return layers;
}

/** How the escapes of a text may be read. */
interface Reading {
	/** The characters with which escapes begin: any, or those of one kind, because the others are text. */
	readonly begins: readonly number[];
	/** Whether escapes of bytes are UTF-8, or a character each. */
	readonly isUtf8: boolean;
}

function readingsOf(text: string): readonly Reading[] {
	const kinds = ESCAPES.filter((begin) => text.includes(String.fromCharCode(begin)));
	const begins = kinds.length > 1 ? [kinds, ...kinds.map((kind) => [kind])] : kinds.length > 0 ? [kinds] : [];
	const readings = BYTE_OVER_127.test(text) ? [true, false] : [true];
	return begins.flatMap((each) => readings.map((isUtf8) => ({ begins: each, isUtf8 })));
}

/** A secret in the spellings that remain when everything around it is decoded. */
export function spellingsOf(secret: string): readonly string[] {
	const forms = [secret, secret.normalize('NFD')].flatMap((form) => layersOf(form).map(({ text }) => plus(text)));
	return [...new Set(forms)];
}

/** Spaces are `+` in forms of web pages. */
function plus(text: string): string {
	return text.replaceAll('+', ' ');
}

/** Builds a layer of another one, character by character. */
class Builder {
	readonly #codes: Uint16Array;
	readonly #starts: Uint32Array;
	readonly #ends: Uint32Array;
	#length = 0;

	/** @param longest max length of what is built */
	constructor(
		private readonly layer: Layer,
		longest: number,
	) {
		this.#codes = new Uint16Array(longest);
		this.#starts = new Uint32Array(longest);
		this.#ends = new Uint32Array(longest);
	}

	/** @param start where it comes from in the other layer, up to `end` */
	add(code: number, start: number, end: number): void {
		if (code > 0xffff) {
			const rest = code - 0x10000;
			this.add(0xd800 + (rest >> 10), start, end);
			this.add(0xdc00 + (rest & 0x3ff), start, end);
			return;
		}
		const { places } = this.layer;
		this.#codes[this.#length] = code;
		this.#starts[this.#length] = places ? (places.starts[start] as number) : start;
		this.#ends[this.#length] = places ? (places.ends[end - 1] as number) : end;
		this.#length++;
	}

	/** Adds characters as they are. */
	copy(text: string, start: number, end: number): void {
		const [codes, starts, ends] = [this.#codes, this.#starts, this.#ends];
		const { places } = this.layer;
		let length = this.#length;
		for (let at = start; at < end; at++, length++) {
			codes[length] = text.charCodeAt(at);
			starts[length] = places ? (places.starts[at] as number) : at;
			ends[length] = places ? (places.ends[at] as number) : at + 1;
		}
		this.#length = length;
	}

	end(): Layer {
		const text = UTF_16.decode(this.#codes.subarray(0, this.#length));
		return { text, places: { starts: this.#starts, ends: this.#ends } };
	}
}

/** Leaves the length as it is: what is no character becomes U+FFFD. */
const UTF_16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Decomposes letters, and leaves out what quoting adds to a text: a quote that is doubled, and a carriage return. */
function folded(layer: Layer): Layer {
	const { text } = layer;
	if (!VARIES.test(text)) {
		return layer;
	}
	const decomposed = text.normalize('NFD');
	if (decomposed === text && !QUOTES.test(text)) {
		return layer;
	}
	const builder = new Builder(layer, decomposed.length);
	let before = -1;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === APOSTROPHE && text.startsWith(QUOTED, at)) {
			at += QUOTED.length - 1;
		}
		const isDoubled = code === before && (code === QUOTE || code === APOSTROPHE);
		before = code;
		if (code < FIRST_COMPOSED) {
			if (!isDoubled && code !== RETURN) {
				builder.add(code, at, at + 1);
			}
			continue;
		}
		const isPair = code >= 0xd800 && code < 0xdc00 && at + 1 < text.length;
		const parts = isPair ? text.slice(at, at + 2).normalize('NFD') : partsOf(code);
		const end = at + (isPair ? 2 : 1);
		for (let index = 0; index < parts.length; index++) {
			builder.add(parts.charCodeAt(index), at, end);
		}
		at = end - 1;
	}
	return builder.end();
}

/** What each UTF-16 code unit decomposes to, filled as they are met. */
const PARTS = new Map<number, string>();

function partsOf(code: number): string {
	const known = PARTS.get(code);
	if (known !== undefined) {
		return known;
	}
	const parts = String.fromCharCode(code).normalize('NFD');
	PARTS.set(code, parts);
	return parts;
}

function decode(layer: Layer, { begins, isUtf8 }: Reading, isCut: boolean): Layer {
	const { text } = layer;
	const builder = new Builder(layer, text.length);
	const [first, second = first, third = first] = begins;
	let copied = 0;
	for (let at = 0; at < text.length; ) {
		const code = text.charCodeAt(at);
		if (code !== first && code !== second && code !== third) {
			at++;
			continue;
		}
		if (isCut && text.length - at < LONGEST_ESCAPE && INCOMPLETE.test(text.slice(at))) {
			builder.copy(text, copied, at);
			return builder.end();
		}
		const found = readEscape(text, at, isUtf8);
		if (found === undefined) {
			at++;
			continue;
		}
		builder.copy(text, copied, at);
		builder.add(found.code, at, found.end);
		at = found.end;
		copied = at;
	}
	if (copied === 0) {
		return layer;
	}
	builder.copy(text, copied, text.length);
	return builder.end();
}

interface Escape {
	readonly code: number;
	readonly end: number;
}

/** Longer escapes are none (characters). */
const LONGEST_ESCAPE = 16;

/** The beginning of an escape at the end of a text. Of several bytes of a character, some may be there. */
const INCOMPLETE =
	/^(?:(?:%[c-fC-F][\da-fA-F](?:%[89abAB][\da-fA-F]){0,2})?(?:%(?:u[\da-fA-F]{0,3}|[\da-fA-F]?))?|(?:\\x[c-fC-F][\da-fA-F](?:\\x[89abAB][\da-fA-F]){0,2})?(?:\\(?:u(?:[\da-fA-F]{0,3}|\{[\da-fA-F]{0,6})|U[\da-fA-F]{0,7}|x?[\da-fA-F]?|[0-3][0-7]?)?)?|&#?\w{0,8})$/;

/** The escape at a place, where one of `ESCAPES` stands. */
function readEscape(text: string, at: number, isUtf8: boolean): Escape | undefined {
	const begin = text.charCodeAt(at);
	if (begin === AMPERSAND) {
		return readEntity(text, at);
	}
	const byte = byteAt(text, at);
	if (byte >= 0) {
		const end = at + (begin === PERCENT ? 3 : 4);
		return (isUtf8 && byte > 127 && readUtf8(text, at, end, byte)) || { code: byte, end };
	}
	const letter = text.charCodeAt(at + 1);
	if (letter === LOWER_U) {
		const code = hexAt(text, at + 2, 4);
		const inBraces = code < 0 && begin === BACKSLASH ? BRACES.exec(text.slice(at + 2, at + LONGEST_ESCAPE)) : null;
		if (inBraces !== null) {
			return character(Number.parseInt(inBraces[1] ?? '', 16), at + 2 + inBraces[0].length);
		}
		if (code >= 0) {
			return { code, end: at + 6 };
		}
	}
	if (begin === PERCENT || at + 1 >= text.length) {
		return undefined;
	}
	const long = letter === UPPER_U ? hexAt(text, at + 2, 8) : -1;
	return long >= 0 ? character(long, at + 10) : { code: LETTERS.get(letter) ?? letter, end: at + 2 };
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

/** The character whose UTF-8 begins with a byte and continues in the escapes after it. */
function readUtf8(text: string, at: number, end: number, first: number): Escape | undefined {
	const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	let code = first & (0xff >> (length + 1));
	for (let index = 1, next = end; index < length; index++, next += end - at) {
		const byte = text.charCodeAt(next) === text.charCodeAt(at) ? byteAt(text, next) : -1;
		if (byte < 0 || (byte & 0xc0) !== 0x80) {
			return undefined;
		}
		code = (code << 6) | (byte & 0x3f);
	}
	return length === 0 ? undefined : { code, end: at + length * (end - at) };
}

const [NUMBER_SIGN, LOWER_A] = [0x23, 0x61];
const ENTITY = /^&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,7}));/;

function readEntity(text: string, at: number): Escape | undefined {
	const next = text.charCodeAt(at + 1);
	const mayBegin = next === NUMBER_SIGN || (next | 0x20) >= LOWER_A;
	const found = mayBegin ? ENTITY.exec(text.slice(at, at + LONGEST_ESCAPE)) : null;
	if (found === null) {
		return undefined;
	}
	const [whole, decimal, hex, name = ''] = found;
	const end = at + whole.length;
	const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : ENTITIES.get(name);
	return code === undefined ? undefined : character(code, end);
}

function character(code: number, end: number): Escape | undefined {
	return code > 0x10ffff ? undefined : { code, end };
}
