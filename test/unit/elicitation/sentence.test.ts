import { expect, it } from 'vitest';
import { english } from '../../../src/elicitation/sentence.ts';

it.each([
	[100_000, '100,000'],
	[-1_234_567, '-1,234,567'],
	[2_026, '2026'],
	[0.123_456, '0.123456'],
	[1e30, '1e+30'],
	['-32603', '-32603'],
])('the digits of %s are written as %s', (arg, written) => {
	expect(english('{0} of {1}', arg)).toBe(`${written} of {1}`);
});
