import { isObject, type Json, type JsonObject, plainObject } from './json.ts';
import { isTooDeep } from './nesting.ts';

/**
 * JSON has numbers of any size, JavaScript only doubles: 725653563933458433 would become 725653563933458400. A number that a
 * double cannot give back as it was written is therefore a text, its digits after a mark, from where JSON is read until it
 * is written. The mark is a low surrogate: no well-formed text begins with one.
 */
const MARK = '\udc00';
/** A text with the mark, as `JSON.stringify` writes it. An escaped quote is the end of another text. */
const WRITTEN = /(?<!\\)"\\udc00(-?\d[\d.eE+-]*)"/g;
/**
 * Matches a number that a double may not be able to hold: 16 digits, or an exponent of three digits. Every message is searched for it:
 * written out, the digits let V8 skip ahead, which takes a tenth of the time that a count takes.
 */
const SUSPECT = new RegExp(`\\d${'[\\d.]'.repeat(15)}|\\de[+-]?\\d\\d\\d|\\\\udc00`, 'i');
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/** A number: a double, or the exact digits of one that no double can hold. */
export type Numeric = number | string;

/** True for a number that no double can hold. */
export function isExact(value: unknown): value is string {
	return typeof value === 'string' && /^\udc00-?\d/.test(value);
}

/** True for a string that is not the digits of a number. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && !isExact(value);
}

export function isNumeric(value: unknown): value is Numeric {
	return typeof value === 'number' || isExact(value);
}

/** True for a number without a fraction, as it is written. */
export function isInteger(value: unknown): value is Numeric {
	return isExact(value) ? /^-?\d+$/.test(digitsOf(value)) : Number.isInteger(value);
}

/** An object without those of its members that are numbers no double can hold. */
export function inDoubles<T extends object>(object: T): WithDoubles<T> {
	return Object.fromEntries(Object.entries(object).filter(([, value]) => !isExact(value))) as WithDoubles<T>;
}

type WithDoubles<T> = { readonly [Name in keyof T]: Numeric extends T[Name] ? Exclude<T[Name], string> : T[Name] };

/** The digits of an exact number; any other text as it is. */
export function unmarked(text: string): string {
	return isExact(text) ? text.slice(MARK.length) : text;
}

/** The digits of a number. */
export function digitsOf(value: Numeric): string {
	return unmarked(String(value));
}

/** A number to compare with others: exact, unless it is a fraction that no double can hold. */
export function comparable(value: Numeric): number | bigint {
	return isExact(value) && isInteger(value) ? BigInt(digitsOf(value)) : Number(digitsOf(value));
}

/** Reads a number as JSON writes it, `725653563933458433`. */
export function exactNumber(literal: string): Numeric {
	const value = Number(literal);
	return isLossless(literal, value) ? value : MARK + literal;
}

/** Reads JSON without rounding its numbers. Throws a SyntaxError as `JSON.parse` does. */
export function parseJson(text: string): Json {
	return JSON.parse(markNumbers(text)) as Json;
}

/** Parses a text, without rounding its numbers; undefined if it is not JSON. */
export function parsedJson(text: string): Json | undefined {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

/** Texts are not looked into beyond this length (characters), nor beyond this depth. */
const MAX_EMBEDDED = 1_000_000;
const MAX_EMBEDDED_DEPTH = 32;

/** The filled object or list that a text is as JSON, which many servers send; undefined for any other text. */
export function embeddedJson(text: unknown): JsonObject | readonly Json[] | undefined {
	const value = isText(text) && text.length <= MAX_EMBEDDED && /^\s*[[{]/.test(text) ? parsedJson(text) : undefined;
	return typeof value === 'object' &&
		value !== null &&
		Object.keys(value).length > 0 &&
		!isTooDeep(value, MAX_EMBEDDED_DEPTH)
		? value
		: undefined;
}

/** A value for people to read: a member whose text is JSON is read, and says so in its name, `text (JSON)`. */
export function withEmbedded(value: Json): Json {
	if (Array.isArray(value)) {
		return value.map(withEmbedded);
	}
	return isObject(value)
		? plainObject(
				Object.entries(value).map(([name, item]) => {
					const read = embeddedJson(item);
					return read ? [`${name} (JSON)`, withEmbedded(read)] : [name, withEmbedded(item)];
				}),
			)
		: value;
}

/** JSON as `JSON.stringify` writes it, with the exact digits of every number. */
export function writeJson(value: unknown, indent?: number | string): string {
	return unmarkNumbers(JSON.stringify(value, undefined, indent) ?? 'null');
}

/** A value as text. `String` throws for an object with a `toString` of its own, which servers and files can contain. */
export function textOf(value: Json | undefined): string {
	return typeof value === 'object' ? writeJson(value) : unmarked(String(value));
}

/** JSON whose numbers survive `JSON.parse`. */
function markNumbers(text: string): string {
	if (!SUSPECT.test(text)) {
		return text;
	}
	const parts: string[] = [];
	let end = 0;
	TOKEN.lastIndex = 0;
	for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
		const [literal] = token;
		if (literal === '"') {
			TOKEN.lastIndex = endOfText(text, token.index);
			// Nobody else may pass a text for a number.
			if (/^\\udc00/i.test(text.slice(token.index + 1, token.index + 7))) {
				parts.push(text.slice(end, token.index + 1), '\\ufffd');
				end = token.index + 7;
			}
		} else if (!isLossless(literal, Number(literal)) && !isName(text, TOKEN.lastIndex)) {
			parts.push(text.slice(end, token.index), `"\\udc00${literal}"`);
			end = TOKEN.lastIndex;
		}
	}
	return parts.length === 0 ? text : parts.join('') + text.slice(end);
}

/** The digits of the first number in a value that no double can hold. */
export function exactIn(value: unknown): string | undefined {
	return (JSON.stringify(value) ?? '').matchAll(WRITTEN).next().value?.[1];
}

/** True if JSON with marks has a number that no double can hold. */
export function hasExact(json: string): boolean {
	return json.includes('"\\udc00');
}

/** The reverse of `markNumbers`, after `JSON.stringify`. */
export function unmarkNumbers(json: string): string {
	return hasExact(json) ? json.replace(WRITTEN, '$1') : json;
}

/** True if a colon follows: a number is no name. */
function isName(json: string, end: number): boolean {
	let at = end;
	while (/\s/.test(json[at] ?? '')) {
		at++;
	}
	return json[at] === ':';
}

/** The index after the quote that ends a text. */
function endOfText(json: string, begin: number): number {
	for (let at = json.indexOf('"', begin + 1); at >= 0; at = json.indexOf('"', at + 1)) {
		let escapes = at;
		while (json[escapes - 1] === '\\') {
			escapes--;
		}
		if ((at - escapes) % 2 === 0) {
			return at + 1;
		}
	}
	return json.length;
}

/** True if a double is written as the same number again. What is no number of JSON is left to the reader of the JSON. */
function isLossless(literal: string, value: number): boolean {
	if (!SUSPECT.test(literal) || !NUMBER.test(literal)) {
		return true;
	}
	if (/^-?\d+$/.test(literal)) {
		return Number.isSafeInteger(value);
	}
	const written = significant(literal);
	// The same number may be written with more digits than are sent: 2.2999999999999998 is 2.3.
	const same = () => written.length <= 100 && significant(value.toPrecision(written.length)) === written;
	return Number.isFinite(value) && (significant(String(value)) === written || (written !== '' && same()));
}

/** The digits of a number between the zeros around them. */
function significant(literal: string): string {
	return literal
		.replace(/e.*$/i, '')
		.replace(/\D/g, '')
		.replace(/^0+|0+$/g, '');
}
