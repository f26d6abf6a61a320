import type { Json } from '../json.ts';
import { localizable, type Sentence } from '../sentence.ts';

type Literal = { readonly value: Json } | { readonly problem: Sentence };

/** A JSON number; also allows a leading `+` and leading zeros. */
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Parses a number. Rejects, with a reason, text that is ambiguous or would lose digits. */
export function readNumber(text: string, integer: boolean): Literal {
	const literal = text.trim();
	if (!NUMBER.test(literal)) {
		return { problem: notANumber(literal) };
	}
	const value = Number(literal);
	const whole = /^[+-]?\d+$/.test(literal);
	if (!Number.isFinite(value) || ((integer || whole) && Number.isInteger(value) && !Number.isSafeInteger(value))) {
		return { problem: localizable('This number is too large to be sent exactly.') };
	}
	if (value === 0 && /^[+-]?[\d.]*[1-9]/.test(literal)) {
		return { problem: localizable('This number is too close to zero to be sent exactly.') };
	}
	if (integer && !Number.isInteger(value)) {
		return { problem: localizable('A whole number.') };
	}
	// JSON writes `-0` as `0`.
	return { value: value === 0 ? 0 : value };
}

function notANumber(literal: string): Sentence {
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

/** Parses JSON. */
export function readJson(text: string): Literal {
	try {
		return { value: JSON.parse(text) as Json };
	} catch (error) {
		const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
		if (position === undefined) {
			return { problem: localizable('This is not JSON. Texts need double quotes, like "blue".') };
		}
		const before = text.slice(0, Number(position)).split('\n');
		return {
			problem: localizable(
				'This is not JSON: look at line {0}, column {1}. Texts need double quotes, like "blue".',
				before.length,
				(before.at(-1)?.length ?? 0) + 1,
			),
		};
	}
}
