import { expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import type { BoundaryCase } from '../../../src/elicitation/form/boundary.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { judgeBoundaryValue } from '../../../src/trials/boundaryValues.ts';
import { World } from '../elicitation/world.ts';
import { textsOf } from './stand.ts';

/** What is remarked on a run that ended with a result after these forms, which have the same schema. */
function remarks(allowed: boolean, messages: readonly string[], before: readonly Elicitation[]) {
	const world = new World();
	const elicitations = messages.map((message) => world.form(message));
	const boundary: BoundaryCase = { name: localizable('n: the largest'), content: {}, changed: {}, allowed };
	return textsOf(judgeBoundaryValue(boundary, { outcome: 'result', message: '', elicitations, notes: [] }, before));
}

it('a call that always requests the same form twice did not send the request again', () => {
	const people = ['First person', 'Second person'];
	const world = new World();
	const before = people.map((message) => world.form(message));
	expect(remarks(true, people, before)).toEqual([]);
	expect(remarks(false, people, before)).toEqual(['⚠ The server accepted what its own schema forbids.']);
	expect(remarks(true, ['First person', ...people], before)).toEqual(['⚠ The server sent the request again.']);
});

it('a request that is sent again may say what was wrong', () => {
	const before = [new World().form('How many?')];
	expect(remarks(false, ['How many?', 'At most 5, please.'], before)).toEqual(['The server sent the request again.']);
});
