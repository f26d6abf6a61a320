import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';

/** The one field of a schema with the property `p`. */
function field(property: unknown, root: JsonObject = {}): Field {
	const [only] = fieldsOf({ type: 'object', properties: { p: property as JsonObject }, ...root });
	if (only === undefined) {
		throw new Error('no field');
	}
	return only;
}

describe('fieldsOf: real-world schemas', () => {
	it.each<[string, unknown, Partial<Field>]>([
		[
			'integer enum',
			{ type: 'integer', enum: [1, 2] },
			{
				kind: 'choice',
				options: [
					{ value: 1, label: '1' },
					{ value: 2, label: '2' },
				],
			},
		],
		[
			'boolean enum',
			{ enum: [true, false] },
			{
				kind: 'choice',
				options: [
					{ value: true, label: 'true' },
					{ value: false, label: 'false' },
				],
			},
		],
		[
			'mixed enum that reads the same',
			{ enum: [1, '1'] },
			{
				kind: 'choice',
				options: [
					{ value: 1, label: '1 (1)' },
					{ value: '1', label: '1 ("1")' },
				] as never,
			},
		],
		['const', { const: 3 }, { kind: 'const', value: 3 }],
		[
			'enumNames shorter',
			{ enum: ['a', 'b'], enumNames: ['A'] },
			{
				options: [
					{ value: 'a', label: 'A' },
					{ value: 'b', label: 'b' },
				],
			},
		],
		['enumNames longer', { enum: ['a'], enumNames: ['A', 'B'] }, { options: [{ value: 'a', label: 'A' }] }],
		['enumNames of other things', { enum: ['a'], enumNames: [1] }, { options: [{ value: 'a', label: 'a' }] }],
		[
			'duplicate titles',
			{
				oneOf: [
					{ const: 'a', title: 'X' },
					{ const: 'b', title: 'X' },
				],
			},
			{
				options: [
					{ value: 'a', label: 'X (a)' },
					{ value: 'b', label: 'X (b)' },
				],
			},
		],
		[
			'duplicate values',
			{ enum: ['a', 'a', 'b'] },
			{
				options: [
					{ value: 'a', label: 'a' },
					{ value: 'b', label: 'b' },
				],
			},
		],
		[
			'a value that oneOf lists twice fits nothing',
			{ oneOf: [{ const: 'a' }, { const: 'a' }, { const: 'b' }] },
			{ options: [{ value: 'b', label: 'b' }] },
		],
		[
			'an empty value',
			{ enum: ['', 'a'] },
			{
				options: [
					{ value: '', label: '""' },
					{ value: 'a', label: 'a' },
				],
			},
		],
		['values of another type', { type: 'string', enum: ['a', 1] }, { options: [{ value: 'a', label: 'a' }] }],
		['objects as values', { enum: [{ a: 1 }] }, { options: [{ value: { a: 1 }, label: '{"a":1}' }] }],
		[
			'enum and titles at once',
			{
				enum: ['a', 'b'],
				oneOf: [
					{ const: 'a', title: 'A' },
					{ const: 'b', title: 'B' },
					{ const: 'c', title: 'C' },
				],
			},
			{
				options: [
					{ value: 'a', label: 'A' },
					{ value: 'b', label: 'B' },
				],
			},
		],
		[
			'a union of enums',
			{ anyOf: [{ enum: ['a', 'b'] }, { const: 'c', title: 'C' }] },
			{
				options: [
					{ value: 'a', label: 'a' },
					{ value: 'b', label: 'b' },
					{ value: 'c', label: 'C' },
				],
			},
		],
		[
			'exclusive bounds and multiples',
			{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
			{ kind: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
		],
		['uuid', { type: 'string', format: 'uuid' }, { kind: 'text', entry: 'line', format: 'uuid' }],
		['unknown format', { type: 'string', format: 'zip' }, { kind: 'text', entry: 'line', format: 'zip' }],
		['time', { type: 'string', format: 'time' }, { entry: 'time' }],
		['password format', { type: 'string', format: 'password' }, { entry: 'password' }],
		['writeOnly', { type: 'string', writeOnly: true, maxLength: 900 }, { entry: 'password' }],
		['long text', { type: 'string', maxLength: 201 }, { entry: 'area' }],
		['text that is not long', { type: 'string', maxLength: 200 }, { entry: 'line' }],
		['markdown', { type: 'string', format: 'markdown' }, { entry: 'area' }],
		['textarea', { type: 'string', format: 'textarea' }, { entry: 'area' }],
		['a default of several lines', { type: 'string', default: 'a\nb' }, { entry: 'area' }],
		[
			'a default that no date control can hold',
			{ type: 'string', format: 'date', default: 'tomorrow' },
			{ entry: 'line', default: 'tomorrow' },
		],
		[
			'a default that a date control can hold',
			{ type: 'string', format: 'date', default: '2026-01-31' },
			{ entry: 'date' },
		],
		[
			'free texts',
			{ type: 'array', items: { type: 'string' }, minItems: 1 },
			{ kind: 'list', item: 'text', minItems: 1 },
		],
		['free numbers', { type: 'array', items: { type: 'number' } }, { kind: 'list', item: 'number' }],
		['free whole numbers', { type: 'array', items: { type: 'integer' } }, { kind: 'list', item: 'integer' }],
		[
			'nested object',
			{ type: 'object', properties: { a: { type: 'string' } }, title: 'T' },
			{ kind: 'json', label: 'T' },
		],
		['union of unlike types', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, { kind: 'json' }],
		['list of unlike types', { type: ['string', 'integer'] }, { kind: 'json' }],
		['union of like types', { anyOf: [{ const: 'auto' }, { type: 'string', pattern: '^\\d+$' }] }, { kind: 'text' }],
		['integer or number', { type: ['integer', 'number'] }, { kind: 'number', integer: false }],
		['tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, { kind: 'json' }],
		['old tuple', { type: 'array', items: [{ type: 'string' }] }, { kind: 'json' }],
		['array of anything', { type: 'array' }, { kind: 'json' }],
		['array of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json' }],
		['array of booleans', { type: 'array', items: { type: 'boolean' } }, { kind: 'json' }],
		[
			'array that has to contain something',
			{ type: 'array', items: { type: 'string' }, contains: { const: 'a' } },
			{ kind: 'json' },
		],
		['anything', {}, { kind: 'json' }],
		['true', true, { kind: 'json' }],
		['false', false, { kind: 'json' }],
		['no schema', 'string', { kind: 'json' }],
		['a type nobody knows', { type: 'text' }, { kind: 'json' }],
		['no type but bounds of a number', { minimum: 1 }, { kind: 'number' }],
		['no type but a format', { format: 'email' }, { kind: 'text', entry: 'email' }],
		['bounds that are no numbers', { type: 'number', minimum: '3' }, { kind: 'number' }],
		['a contradiction that no control shows', { type: 'string', allOf: [{ type: 'number' }] }, { kind: 'json' }],
		['a blank title', { type: 'string', title: ' ' }, { label: 'p' }],
		['a title that is no text', { type: 'string', title: 5 }, { label: 'p' }],
		[
			'bounds in two places: the tighter',
			{ type: 'string', minLength: 2, allOf: [{ minLength: 5, maxLength: 9 }, { maxLength: 7 }] },
			{ minLength: 5, maxLength: 7 },
		],
	])('%s', (_, property, expected) => {
		expect(field(property)).toMatchObject(expected);
	});

	it.each([null, true, 'a', {}, [1, null]])('tolerates required: %j', (required) => {
		expect(field({ type: 'string' }, { required } as JsonObject).required).toBe(false);
	});

	it('treats every property name as data', () => {
		const schema = JSON.parse(
			'{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"},"toString":{"type":"number"},"":{"type":"string"},"\\u202eabc":{"type":"string"}},"required":["__proto__",""]}',
		) as JsonObject;
		expect(fieldsOf(schema).map(({ key, kind, required }) => [key, kind, required])).toEqual([
			['__proto__', 'text', true],
			['constructor', 'boolean', false],
			['toString', 'number', false],
			['', 'text', true],
			['\u202eabc', 'text', false],
		]);
	});

	it('reads nothing from prototypes', () => {
		const inherited = Object.create({ type: 'string', enum: ['x'] }) as JsonObject;
		expect(field(inherited).kind).toBe('json');
	});

	it('supports thousands of options and properties', () => {
		const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { $ref: '#/$defs/Many' }]));
		const $defs = { Many: { enum: Array.from({ length: 10_000 }, (_, i) => `v${i}`) } };
		const fields = fieldsOf({ type: 'object', properties, $defs });
		expect(fields).toHaveLength(1_000);
		expect(fields[0]).toMatchObject({ kind: 'choice' });
		expect(fields.at(-1)).toMatchObject({ kind: 'json' });
	});
});
