import { afterEach, describe, expect, it } from 'vitest';
import { giveUpWhereAllFails } from '../../../e2e/driver/givingUp.ts';

afterEach(({ task }) => giveUpWhereAllFails(task));

let attempts = 0;

describe.each(['one part', 'another part'])('%s', () => {
	it.each([1, 2, 3, 4])('fails %i', () => {
		console.log(`attempt ${++attempts}`);
		expect.fail();
	});
});
