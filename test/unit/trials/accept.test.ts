import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { accept } from '../../../src/trials/accept.ts';
import { World } from '../elicitation/world.ts';
import { Bench } from '../validation/validationBench.ts';

const bench = new Bench();
const count: JsonObject = { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] };
const other: JsonObject = { ...count, title: 'Another form' };

it.each<[string, JsonObject, JsonObject | undefined, JsonObject]>([
	['what the same form was accepted with', count, { n: 5 }, { n: 5 }],
	['what is generated where another form was accepted', other, { n: 5 }, { n: 3 }],
	['what is generated where the form was declined', count, undefined, { n: 3 }],
	['what is generated where the schema forbids what was sent', count, { n: 1 }, { n: 3 }],
])('a trial accepts a form with %s', async (_what, requestedSchema, sent, expected) => {
	const world = new World();
	const form = (schema: JsonObject) => world.add({ mode: 'form', message: 'How many?', requestedSchema: schema });
	const before = form(requestedSchema);
	await (sent ? before.accept(sent) : before.decline());
	const response = await accept(form(count), bench, [before], () => {});
	expect(response).toEqual({ action: 'accept', content: expected });
});
