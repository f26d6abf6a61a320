import { shorten } from '../display.ts';
import type { Json } from '../json.ts';
import { faultIn, notJson } from '../jsonFault.ts';
import { exactNumber, parseJson } from '../jsonText.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { hasType } from './options.ts';

type Literal = { readonly value: Json } | { readonly problem: Sentence };

/** A JSON number; also allows a leading `+` and leading zeros. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What can still become a number, as it is written from the left. */
const BEGUN = /^\s*[+-]?(?:\d[\d.,]*(?:[eE][+-]?\d*)?|[.,]\d*)?\s*$/;

/** Whether typing on can make a number of a text. */
export function canBecomeNumber(text: string): boolean {
	return BEGUN.test(text);
}

/** Parses a number, exactly. Rejects, with a reason, text that is ambiguous. */
export function readNumber(text: string, integer: boolean): Literal {
	const literal = text.trim();
	if (!NUMBER.test(literal)) {
		return { problem: notANumber(literal) };
	}
	// JSON has neither a plus nor leading zeros.
	const value = exactNumber(literal.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'));
	if (integer && !hasType(value, 'integer')) {
		return { problem: localizable('A whole number.') };
	}
	// JSON writes `-0` as `0`.
	return { value: value === 0 ? 0 : value };
}

function notANumber(literal: string): Sentence {
	if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(literal)) {
		return localizable(
			'Write {0}, or {1} if the comma is a decimal separator.',
			literal.replace(',', ''),
			literal.replace(',', '.'),
		);
	}
	if (/^[+-]?\d*,\d+$/.test(literal)) {
		return localizable(
			'Use a period as the decimal separator: {0}',
			literal.replace(',', '.').replace(/^([+-]?)\./, '$10.'),
		);
	}
	if (/^[+-]?\.\d+$/.test(literal) || /^[+-]?\d+\.$/.test(literal)) {
		return localizable('A decimal point needs digits on both sides, like 0.5.');
	}
	return localizable('A number, like 12 or 0.5.');
}

/** Parses JSON. Rejects, with a reason, what would not be sent as it is written. */
export function readJson(text: string): Literal {
	try {
		const value = parseJson(text);
		const problem = repeatedNameIn(text);
		return problem ? { problem } : { value };
	} catch {
		const fault = faultIn(text);
		return { problem: fault ? notJson(text, fault) : localizable('This is not JSON.') };
	}
}

/** The entries of a list in one line, separated by commas; in quotes if they would be read as others. */
export function writeEntries(entries: readonly string[]): string {
	return entries.map((entry) => (/[,\r\n]|^["\s]|\s$/.test(entry) ? JSON.stringify(entry) : entry)).join(', ');
}

/** Reads what `writeEntries` has written and the user has changed. */
export function readEntries(line: string): string[] {
	const entries = `,${line}`.matchAll(/,\s*(?:("(?:[^"\\]|\\.)*")\s*(?=,|$)|([^,]*))/gy);
	return [...entries].map(([, inQuotes, plain = '']) => {
		const read = inQuotes === undefined ? { value: plain.trim() } : readJson(inQuotes);
		return 'value' in read ? String(read.value) : (inQuotes ?? '');
	});
}

/** The first name that an object of a JSON text has twice: only the last value would be sent. */
function repeatedNameIn(json: string): Sentence | undefined {
	const open: Set<string>[] = [];
	for (const [token, colon] of json.matchAll(/[{}]|"(?:[^"\\]+|\\.)*"(\s*:)?/g)) {
		const names = open.at(-1);
		if (token === '{') {
			open.push(new Set());
		} else if (token === '}') {
			open.pop();
		} else if (colon !== undefined) {
			const name: string = JSON.parse(token.slice(0, -colon.length));
			if (names?.has(name)) {
				return localizable('An object has "{0}" twice; only the last value would be sent.', shorten(name, 40));
			}
			names?.add(name);
		}
	}
	return undefined;
}
