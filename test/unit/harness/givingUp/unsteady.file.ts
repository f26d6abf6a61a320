import { afterEach, expect, it } from 'vitest';
import { afterTest } from '../../../e2e/driver/skipAfterFailures.ts';

afterEach(({ task }) => afterTest(task));

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('passes every other time: %i', (number) => {
	expect(number % 2).toBe(1);
});
