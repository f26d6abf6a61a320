import { afterEach, describe, expect, it } from 'vitest';
import { afterAttempt } from '../../../e2e/driver/skipAfterFailures.ts';

afterEach(({ task }) => afterAttempt(task));

let attempts = 0;

describe.each(['one part', 'another part'])('%s', () => {
	it.each([1, 2, 3, 4])('fails %i', () => {
		console.log(`attempt ${++attempts}`);
		expect.fail();
	});
});
