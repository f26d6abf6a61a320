import { afterEach, describe, expect, it } from 'vitest';
import { afterTest } from '../../../e2e/driver/skipAfterFailures.ts';

afterEach(({ task }) => afterTest(task));

describe.each(['one part', 'another part'])('%s', () => {
	it.each([1, 2, 3, 4])('fails %i', () => {
		expect.fail();
	});
});
