import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distance } from '../../../src/elicitation/distance.ts';

it.each([
	['type', 'type', 0],
	['tpye', 'type', 1],
	['comand', 'command', 1],
	['argss', 'args', 1],
	['url', 'env', 3],
])('from %s to %s is %d', (one, other, steps) => {
	expect(distance(one, other, 10)).toBe(steps);
});

it('is the same up to the limit, whatever the limit is', () => {
	const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
	fc.assert(
		fc.property(word, word, fc.integer({ min: 1, max: 4 }), (one, other, limit) => {
			expect(distance(one, other, limit)).toBe(Math.min(limit, distance(one, other, 100)));
		}),
	);
});
