import { describe, expect, it } from 'vitest';
import { type Field, fieldsOf } from '../../src/elicitation/fields.ts';
import type { JsonObject } from '../../src/elicitation/json.ts';

/** The one field of a schema with the property `p`. */
function field(property: unknown, root: JsonObject = {}): Field {
	const [only] = fieldsOf({ type: 'object', properties: { p: property as JsonObject }, ...root });
	if (only === undefined) {
		throw new Error('no field');
	}
	return only;
}

const RED_BLUE = [
	{ value: 'red', label: 'red' },
	{ value: 'blue', label: 'blue' },
];

describe('fieldsOf: what the specification allows', () => {
	it.each<[string, unknown, Partial<Field>]>([
		['F06 a string', { type: 'string' }, { kind: 'text', entry: 'line', required: false, nullable: false, label: 'p' }],
		[
			'F06 lengths and pattern',
			{ type: 'string', minLength: 0, maxLength: 5, pattern: '^a' },
			{ kind: 'text', minLength: 0, maxLength: 5, pattern: '^a' },
		],
		['F06 email', { type: 'string', format: 'email' }, { entry: 'email', format: 'email' }],
		['F06 uri', { type: 'string', format: 'uri' }, { entry: 'uri' }],
		['F06 date', { type: 'string', format: 'date' }, { entry: 'date' }],
		['F06 date-time', { type: 'string', format: 'date-time' }, { entry: 'date-time' }],
		[
			'F07 number',
			{ type: 'number', minimum: 0, maximum: 1.5 },
			{ kind: 'number', integer: false, minimum: 0, maximum: 1.5 },
		],
		['F07 integer', { type: 'integer', minimum: -3 }, { kind: 'number', integer: true, minimum: -3 }],
		['F08 boolean', { type: 'boolean' }, { kind: 'boolean' }],
		['F09 enum', { type: 'string', enum: ['red', 'blue'] }, { kind: 'choice', options: RED_BLUE }],
		[
			'F09 enumNames',
			{ type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'] },
			{
				options: [
					{ value: 'r', label: 'Red' },
					{ value: 'b', label: 'Blue' },
				],
			},
		],
		[
			'F10 oneOf with titles and descriptions',
			{
				type: 'string',
				oneOf: [
					{ const: 'r', title: 'Red', description: 'Warm' },
					{ const: 'b', title: 'Blue' },
				],
			},
			{
				kind: 'choice',
				options: [
					{ value: 'r', label: 'Red', description: 'Warm' },
					{ value: 'b', label: 'Blue' },
				],
			},
		],
		[
			'F11 items with enum',
			{ type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, minItems: 1, maxItems: 2 },
			{ kind: 'choices', options: RED_BLUE, minItems: 1, maxItems: 2 },
		],
		[
			'F11 items with anyOf',
			{ type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }, { const: 'b' }] } },
			{
				kind: 'choices',
				options: [
					{ value: 'r', label: 'Red' },
					{ value: 'b', label: 'b' },
				],
			},
		],
		[
			'title and description',
			{ type: 'string', title: 'Your name', description: 'As in the register' },
			{ key: 'p', label: 'Your name', description: 'As in the register' },
		],
	])('%s', (_, property, expected) => {
		expect(field(property)).toMatchObject(expected);
	});

	it('reads fields in the order of the properties and marks the required ones', () => {
		const fields = fieldsOf({
			type: 'object',
			properties: { z: { type: 'string' }, a: { type: 'number' } },
			required: ['a'],
		});
		expect(fields.map(({ key, required }) => [key, required])).toEqual([
			['z', false],
			['a', true],
		]);
	});

	it.each([{}, { properties: {} }, { properties: null }, { properties: [] }])('no fields for %j', (schema) => {
		expect(fieldsOf({ type: 'object', ...schema } as JsonObject)).toEqual([]);
	});
});

describe('fieldsOf: defaults (F12)', () => {
	it.each<[string, unknown, unknown]>([
		['text', { type: 'string', default: 'x' }, 'x'],
		['blank text', { type: 'string', default: '' }, ''],
		['zero', { type: 'integer', default: 0 }, 0],
		['false', { type: 'boolean', default: false }, false],
		['no entries chosen', { type: 'array', items: { enum: ['a'] }, default: [] }, []],
		['no entries listed', { type: 'array', items: { type: 'string' }, default: [] }, []],
		['option', { enum: ['a', 'b'], default: 'b' }, 1],
		['options', { type: 'array', items: { enum: ['a', 'b'] }, default: ['b', 'a'] }, [1, 0]],
		['entries', { type: 'array', items: { type: 'integer' }, default: [1, 2] }, [1, 2]],
		['an object', { type: 'object', default: { a: 1 } }, { a: 1 }],
		['one that violates the schema is still shown', { type: 'string', maxLength: 1, default: 'long' }, 'long'],
		['a fraction for an integer is still shown', { type: 'integer', default: 1.5 }, 1.5],
	])('%s', (_, property, expected) => {
		expect(field(property)).toHaveProperty('default', expected);
	});

	it.each<[string, unknown]>([
		['null', { type: 'string', default: null }],
		['text for a number', { type: 'number', default: '3' }],
		['number for a text', { type: 'string', default: 3 }],
		['text for a boolean', { type: 'boolean', default: 'false' }],
		['no member', { enum: ['a'], default: 'z' }],
		['not all members', { type: 'array', items: { enum: ['a'] }, default: ['a', 'z'] }],
		['the same member twice', { type: 'array', items: { enum: ['a'] }, default: ['a', 'a'] }],
		['no list', { type: 'array', items: { enum: ['a'] }, default: 'a' }],
		['entries of another type', { type: 'array', items: { type: 'number' }, default: ['1'] }],
	])('not used: %s', (_, property) => {
		expect(field(property)).not.toHaveProperty('default');
	});
});

describe('fieldsOf: null', () => {
	it.each<[string, unknown, boolean]>([
		['anyOf', { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'P' }, true],
		['oneOf', { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }], title: 'P' }, true],
		['type list', { type: ['integer', 'null'], minimum: 1, title: 'P' }, true],
		['nullable', { type: 'integer', nullable: true, minimum: 1, title: 'P' }, true],
		['const null', { anyOf: [{ type: 'integer', minimum: 1 }, { const: null }], title: 'P' }, true],
		['only the default', { type: 'integer', minimum: 1, default: null, title: 'P' }, false],
		['the outer type forbids it', { type: 'integer', anyOf: [{ minimum: 1 }, { type: 'null' }], title: 'P' }, false],
		['not forbids it', { type: ['integer', 'null'], minimum: 1, not: { type: 'null' }, title: 'P' }, false],
		[
			'oneOf of two that admit it',
			{ oneOf: [{ type: ['integer', 'null'], minimum: 1 }, { type: 'null' }], title: 'P' },
			false,
		],
	])('%s', (_, property, nullable) => {
		expect(field(property)).toMatchObject({ kind: 'number', integer: true, minimum: 1, label: 'P', nullable });
	});

	it('is no option of a choice but what a blank one means', () => {
		const expected = { kind: 'choice', options: RED_BLUE, nullable: true };
		expect(field({ enum: ['red', null, 'blue'] })).toMatchObject(expected);
		expect(field({ anyOf: [{ enum: ['red', 'blue'] }, { type: 'null' }] })).toMatchObject(expected);
		expect(field({ oneOf: [{ const: 'red' }, { const: 'blue' }, { type: 'null' }] })).toMatchObject(expected);
	});

	it('alone is a constant', () => {
		expect(field({ type: 'null' })).toMatchObject({ kind: 'const', value: null });
	});

	it('does not turn a nullable constant into one that is always sent', () => {
		expect(field({ anyOf: [{ const: 'a' }, { type: 'null' }], default: 'a' })).toMatchObject({
			kind: 'choice',
			options: [{ value: 'a' }],
			default: 0,
		});
	});
});

describe('fieldsOf: references', () => {
	const $defs = { Color: { title: 'Color', type: 'string', enum: ['red', 'blue'], description: 'A color' } };

	it.each<[string, unknown, JsonObject]>([
		['$defs', { $ref: '#/$defs/Color' }, { $defs }],
		['definitions', { $ref: '#/definitions/Color' }, { definitions: $defs }],
		['any place of the document', { $ref: '#/x/0' }, { x: [$defs.Color] }],
		['escaped tokens', { $ref: '#/$defs/a~1b%20c~0d' }, { $defs: { 'a/b c~d': $defs.Color } }],
		['a chain', { $ref: '#/$defs/A' }, { $defs: { ...$defs, A: { $ref: '#/$defs/Color' } } }],
		['inside allOf', { allOf: [{ $ref: '#/$defs/Color' }] }, { $defs }],
		['with null', { anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }] }, { $defs }],
	])('%s', (_, property, root) => {
		expect(field(property, root)).toMatchObject({ kind: 'choice', options: RED_BLUE, description: 'A color' });
	});

	it('keeps what stands beside the reference, the default included', () => {
		expect(
			field({ $ref: '#/$defs/Color', default: 'blue', title: 'Background', description: 'Behind' }, { $defs }),
		).toMatchObject({
			kind: 'choice',
			default: 1,
			label: 'Background',
			description: 'Behind',
		});
	});

	it('does not call a property by the name of its type', () => {
		expect(field({ $ref: '#/$defs/Color' }, { $defs }).label).toBe('p');
	});

	it('reaches items', () => {
		expect(field({ type: 'array', items: { $ref: '#/$defs/Color' } }, { $defs })).toMatchObject({
			kind: 'choices',
			options: RED_BLUE,
		});
	});

	it.each<[string, unknown, JsonObject]>([
		['itself', { $ref: '#/properties/p' }, {}],
		['a circle', { $ref: '#/$defs/A' }, { $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }],
		['nothing', { $ref: '#/$defs/No' }, {}],
		['the network', { $ref: 'https://schemas.example/x.json' }, {}],
		['a broken pointer', { $ref: '#/%zz' }, {}],
		['a prototype', { $ref: '#/constructor' }, {}],
		['a number', { $ref: 1 }, {}],
		['dynamically', { $dynamicRef: '#x' }, {}],
	])('a reference to %s is asked as JSON', (_, property, root) => {
		expect(field(property, root)).toMatchObject({ kind: 'json', key: 'p' });
	});

	it('does not take long over doubling references', () => {
		const defs: Record<string, JsonObject> = { d40: { type: 'string' } };
		for (let i = 0; i < 40; i++) {
			const next = { $ref: `#/$defs/d${i + 1}` };
			defs[`d${i}`] = { allOf: [next, next] };
		}
		const start = performance.now();
		expect(field({ $ref: '#/$defs/d0' }, { $defs: defs }).kind).toBe('json');
		expect(performance.now() - start).toBeLessThan(2_000);
	});

	it('follows the root itself', () => {
		const schema = {
			$ref: '#/$defs/Root',
			$defs: { Root: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
		};
		expect(fieldsOf(schema)).toMatchObject([{ key: 'a', required: true }]);
	});

	it('puts the properties of allOf together', () => {
		const fields = fieldsOf({
			allOf: [
				{ properties: { a: { type: 'string' } }, required: ['a'] },
				{ properties: { a: { minLength: 2 }, b: { type: 'boolean' } }, required: ['b'] },
			],
		});
		expect(fields).toMatchObject([
			{ key: 'a', kind: 'text', minLength: 2, required: true },
			{ key: 'b', kind: 'boolean', required: true },
		]);
	});
});

describe('fieldsOf: what libraries and hands write', () => {
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

	it('copes with thousands of options and properties', () => {
		const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { $ref: '#/$defs/Many' }]));
		const $defs = { Many: { enum: Array.from({ length: 10_000 }, (_, i) => `v${i}`) } };
		const start = performance.now();
		const fields = fieldsOf({ type: 'object', properties, $defs });
		expect(fields).toHaveLength(1_000);
		expect(fields[0]).toMatchObject({ kind: 'choice' });
		expect(fields.at(-1)).toMatchObject({ kind: 'json' });
		expect(performance.now() - start).toBeLessThan(3_000);
	});
});
