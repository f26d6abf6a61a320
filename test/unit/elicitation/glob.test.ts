import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher, globOf, MAX_GLOB_LENGTH } from '../../../src/elicitation/glob.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

describe('a glob', () => {
	it.each<[string, string, boolean]>(rows('matches'))('%j matches %j: %j', (pattern, text, matches) => {
		expect(globMatcher(pattern)(text)).toBe(matches);
	});

	const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '{', '}', ',', '\\', '\n', '😀', '\ud800') });

	it('made of a text matches it, and no other', () => {
		fc.assert(
			fc.property(texts, texts, (text, other) => {
				const matches = globMatcher(globOf(text));
				expect(matches(text)).toBe(true);
				expect(matches(other)).toBe(other === text);
			}),
		);
	});

	it('means the same as its regular expression, for any text', () => {
		const part = fc.constantFrom('a', 'b', '*', '?', '{a,b}', '{a*,{b,}a}', '\\*');
		const meaning: Record<string, string> = {
			'*': '[^]*',
			'?': '[^]',
			'{a,b}': '(?:a|b)',
			'{a*,{b,}a}': '(?:a[^]*|(?:b|)a)',
			'\\*': '\\*',
		};
		fc.assert(
			fc.property(
				fc.array(part, { maxLength: 8 }),
				fc.string({ unit: fc.constantFrom('a', 'b', '*') }),
				(parts, text) => {
					const expression = new RegExp(`^${parts.map((each) => meaning[each] ?? each).join('')}$`, 'u');
					expect(globMatcher(parts.join(''))(text)).toBe(expression.test(text));
				},
			),
		);
	});

	it('never throws, whatever it is', () => {
		fc.assert(
			fc.property(texts, texts, (pattern, text) => {
				expect(typeof globMatcher(pattern)(text)).toBe('boolean');
			}),
		);
	});

	it.each([
		['*a'.repeat(MAX_GLOB_LENGTH / 2), true],
		[`${'*a'.repeat(MAX_GLOB_LENGTH / 2)}b`, false],
		[`{${'*a*,'.repeat(MAX_GLOB_LENGTH / 4 - 1)}b}`, true],
		['{a,b}'.repeat(MAX_GLOB_LENGTH / 5), false],
		[`${'{'.repeat(300)}${',}'.repeat(300)}`, false],
		// A matcher that tries again from the beginning would not come to an end.
	])('comes to an end in a long text, however it is made: %.20s…', (pattern, expected) => {
		expect(globMatcher(pattern)('a'.repeat(3_000))).toBe(expected);
	});
});
