import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/elicitation/json.ts';
import { type Expression, javaScript, literal, python } from '../../../../src/trace/case/literals.ts';
import { python as interpreter } from './stage.ts';

const none = new Map<string, Expression>();

/** Texts that look like code or are invisible. */
const nasty = fc.constantFrom(
	'"',
	"'",
	'\\',
	'`${process.exit(1)}`',
	'*/ throw 1 /*',
	'</script>',
	"'''",
	'"""',
	'\\u0022',
	'\u2028\u2029',
	'\u202e\u2066\u200b\ufeff',
	'\0\x1b\x7f\x85',
	'\r\n\t',
	'\ud83d',
	'\ude00\ud83d',
	'😀👩‍👩‍👧',
	'\u{e0041}\u{10ffff}',
	'‹MCP_TEST_X›',
	'# {x} %s {{',
	'__proto__',
	'constructor',
);
const text = fc
	.array(fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string()), { maxLength: 4 })
	.map((parts) => parts.join(''));
const number = fc.oneof(
	fc.double({ noNaN: true }),
	fc.integer(),
	fc.constantFrom(-0, 2 ** 53, 2 ** 53 - 1, 1e21, 2 ** 64, 5e-324, Number.POSITIVE_INFINITY),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		fc.constantFrom(null, true, false),
		number,
		text,
		fc.array(tie('value'), { maxLength: 5 }),
		// Created from entries, so that `__proto__` is an ordinary member.
		fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
	),
}));

/** Everything that could be displayed incorrectly or end a line. */
const INVISIBLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

it.each([
	['JavaScript', javaScript(none)],
	['Python', python(none)],
])('a literal of %s has no combining marks that would cover other lines', (_language, dialect) => {
	const marks = '\u0301'.repeat(6);
	expect(literal(`z${marks}\u0301\u20dd`, dialect)).toBe(`"z${marks}\\u0301\\u20dd"`);
});

describe('a literal of JavaScript', () => {
	it('is the value again', () => {
		fc.assert(
			fc.property(value, (original) => {
				const code = literal(original, javaScript(none));
				const read = new Function(`"use strict"; return (${code});`)();
				expect(isDeepStrictEqual(read, original)).toBe(true);
				expect(code).not.toMatch(INVISIBLE);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('holds expressions where markers stand, and nowhere else', () => {
		const markers = new Map([['‹X›', { alone: 'Number(env.X)', within: 'env.X' }]]);
		expect(literal(['‹X›', 'a ‹X›‹X› ‹Y›', ''], javaScript(markers))).toBe(
			'[Number(env.X), "a " + env.X + env.X + " ‹Y›", ""]',
		);
	});
});

describe.skipIf(interpreter === undefined)('a literal of Python', () => {
	it('is the value again', () => {
		const samples = fc.sample(value, 1_000);
		const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-literals-'));
		try {
			const file = join(folder, 'literals.py');
			const lines = samples.map((sample) => {
				const code = literal(sample, python(none));
				expect(code).not.toMatch(INVISIBLE);
				return `print(json.dumps(${code}))\n`;
			});
			writeFileSync(file, `import json\n${lines.join('')}`);
			const output = execFileSync(interpreter ?? '', [file], { encoding: 'utf8', maxBuffer: 1 << 28 });
			// Python prints Infinity for numbers that are too large, which JSON parsers reject.
			const read = output
				.trim()
				.split('\n')
				.map((line) => JSON.parse(line.replace(/(?<=^|[ [])(-?)Infinity(?=$|[,\]}])/g, '$11e999')));
			// Python integers have no negative zero.
			expect(read).toEqual(samples.map(withoutNegativeZero));
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});

function withoutNegativeZero(sample: Json): Json {
	if (Array.isArray(sample)) {
		return sample.map(withoutNegativeZero);
	}
	if (typeof sample === 'object' && sample !== null) {
		return Object.fromEntries(Object.entries(sample).map(([name, item]) => [name, withoutNegativeZero(item)]));
	}
	return Object.is(sample, -0) ? 0 : sample;
}
