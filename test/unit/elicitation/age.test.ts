import { expect, it } from 'vitest';
import { ageOf } from '../../../src/elicitation/age.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';

it.each([
	[-1, 'just now'],
	[0, 'just now'],
	[9.9, 'just now'],
	[10, '10 s ago'],
	[59.9, '59 s ago'],
	[60, '1 min ago'],
	[3_599.9, '59 min ago'],
	[3_600, '1 h ago'],
	[7_300, '2 h ago'],
])('what was %d s ago was %s', (seconds, text) => {
	expect(render(ageOf(5_000, 5_000 + seconds * 1000), english)).toBe(text);
});
