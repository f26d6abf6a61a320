import { describe, expect, it } from 'vitest';
import { askArguments } from '../../../../../src/editor/elicitations/form/argumentsForm.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import type { FromForm, ToForm } from '../../../../../src/protocol.ts';
import { messages, pages, settled } from '../../surfaces.ts';

const shown = messages();
const { panels, extensionUri } = pages<ToForm, FromForm>();

/** Opens the form of the arguments of a tool. */
function open(inputSchema: JsonObject, values?: JsonObject) {
	return askArguments(
		extensionUri,
		{ validate: async () => ({ status: 'valid' }) },
		{ watch: () => ({ dispose: () => {} }) } as never,
		's',
		{ kind: 'tool', name: 'act', description: '', inputSchema },
		values,
	);
}

/** Asks for the arguments of a tool. The user accepts the form as it is. */
function ask(inputSchema: JsonObject, values?: JsonObject) {
	const asked = open(inputSchema, values);
	const panel = panels.at(-1);
	panel?.send({ type: 'submit', revision: 1, inputs: panel.last('show')?.model.inputs ?? [] });
	return asked;
}

const branch = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

describe('a tool without properties', () => {
	it.each<[string, JsonObject, string[]]>([
		['a map', { type: 'object', additionalProperties: { type: 'string' } }, ['json']],
		['what is expressly open', { type: 'object', properties: {}, additionalProperties: true }, []],
		['names of a pattern', { type: 'object', patternProperties: { '^x-': {} } }, ['json']],
		['one of two objects', { type: 'object', oneOf: [branch('a'), branch('b')] }, ['choice', 'text', 'text']],
		['any of two objects', { anyOf: [branch('a'), branch('b')] }, ['choice', 'text', 'text']],
		['a required property', { type: 'object', required: ['a'] }, []],
		['a number of properties', { type: 'object', minProperties: 1 }, ['json']],
	])('has its arguments entered where its schema takes %s', (_what, schema, kinds) => {
		void ask(schema);
		expect(panels.map((panel) => panel.last('show')?.model.fields.map(({ kind }) => kind))).toEqual([kinds]);
	});

	it.each<[JsonObject]>([
		[{}],
		[{ type: 'object' }],
		[{ type: 'object', properties: {}, required: [], additionalProperties: false }],
	])('is called at once where there is nothing to enter: %j', async (schema) => {
		expect(await ask(schema)).toEqual({});
		expect(await ask(schema, {})).toEqual({});
		expect(panels).toEqual([]);
	});

	it('keeps the arguments of an earlier call, which can be edited', async () => {
		expect(await ask({ type: 'object' }, { a: 'b' })).toEqual({ a: 'b' });
		expect(panels[0]?.last('show')?.model.rest).toEqual(['a']);
		const map = { type: 'object', additionalProperties: { type: 'string' } };
		expect(await ask(map, { c: 'd' })).toEqual({ c: 'd' });
	});
});

it.each([
	['Reopen', { a: 'typed' }],
	[undefined, undefined],
])('a form of arguments that is closed keeps what was entered: %s leads to %j', async (choice, expected) => {
	const asked = open({ type: 'object', properties: { a: { type: 'string' } } }, { a: 'before' });
	panels[0]?.send({ type: 'change', revision: 1, inputs: [{ kind: 'text', text: 'typed' }] });
	await settled();
	panels[0]?.dispose();
	await settled();
	expect(shown).toMatchObject([{ buttons: ['Reopen'] }]);
	shown[0]?.choose(choice);
	await settled();
	await settled();
	panels[1]?.send({ type: 'submit', revision: 1, inputs: panels[1].last('show')?.model.inputs ?? [] });
	expect(await asked).toEqual(expected);
});

it('a form of arguments that is closed as it was opened says nothing', async () => {
	const asked = open({ type: 'object', properties: { a: { type: 'string' } } }, { a: 'before' });
	panels[0]?.dispose();
	expect([await asked, shown]).toEqual([undefined, []]);
});
