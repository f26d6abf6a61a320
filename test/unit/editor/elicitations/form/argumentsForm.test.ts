import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft } from '../../../../../src/editor/elicitations/form/draft.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';

/** The form on the screen. The user accepts it as it is. */
const shown = vi.hoisted(() => ({ draft: undefined as Draft | undefined }));

vi.mock('vscode', async () => (await import('../../vscode.ts')).fakeVscode());
vi.mock('../../../../../src/editor/elicitations/form/formPanel.ts', () => ({
	FormPanel: class {
		readonly outcome;
		constructor({ draft }: { draft: Draft }) {
			shown.draft = draft;
			this.outcome = draft.review().then(({ content }) => ({ action: 'accept', content }));
		}
	},
}));

const { askArguments } = await import('../../../../../src/editor/elicitations/form/argumentsForm.ts');

const ask = (inputSchema: JsonObject, values?: JsonObject) =>
	askArguments(
		{} as never,
		{ validate: async () => ({ status: 'valid' }) },
		{} as never,
		's',
		{ kind: 'tool', name: 'act', description: undefined, inputSchema },
		values,
	);

beforeEach(() => {
	shown.draft = undefined;
});

const branch = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

describe('a tool without properties', () => {
	it.each<[string, JsonObject]>([
		['a map', { type: 'object', additionalProperties: { type: 'string' } }],
		['what is expressly open', { type: 'object', properties: {}, additionalProperties: true }],
		['names of a pattern', { type: 'object', patternProperties: { '^x-': {} } }],
		['one of two objects', { type: 'object', oneOf: [branch('a'), branch('b')] }],
		['any of two objects', { anyOf: [branch('a'), branch('b')] }],
		['a required property', { type: 'object', required: ['a'] }],
		['a number of properties', { type: 'object', minProperties: 1 }],
	])('has its arguments entered as JSON where its schema takes %s', async (_what, schema) => {
		await ask(schema);
		expect(shown.draft?.form.fields).toEqual([]);
	});

	it.each<[JsonObject]>([
		[{}],
		[{ type: 'object' }],
		[{ type: 'object', properties: {}, required: [], additionalProperties: false }],
	])('is called at once where there is nothing to enter: %j', async (schema) => {
		expect(await ask(schema)).toEqual({});
		expect(await ask(schema, {})).toEqual({});
		expect(shown.draft).toBeUndefined();
	});

	it('keeps the arguments of an earlier call, which can be edited', async () => {
		expect(await ask({ type: 'object' }, { a: 'b' })).toEqual({ a: 'b' });
		expect(shown.draft?.rest).toEqual({ a: 'b' });
		const map = { type: 'object', additionalProperties: { type: 'string' } };
		expect(await ask(map, { c: 'd' })).toEqual({ c: 'd' });
	});
});
