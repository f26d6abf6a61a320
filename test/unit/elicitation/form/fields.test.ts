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

/** The field, with the labels and values of its options. */
function described(property: unknown, root: JsonObject = {}): object {
	const only = field(property, root);
	const options = 'options' in only ? only.options : [];
	return { ...only, labels: options.map(({ label }) => label), values: options.map(({ value }) => value) };
}

const RED_BLUE = { labels: ['red', 'blue'], values: ['red', 'blue'] };

describe('fieldsOf: what the specification allows', () => {
	it.each<[string, unknown, object]>([
		['F06 a string', { type: 'string' }, { kind: 'text', entry: 'line', required: false, nullable: false, label: 'p' }],
		['F06 lengths', { type: 'string', minLength: 0, maxLength: 5 }, { kind: 'text', minLength: 0, maxLength: 5 }],
		['F06 pattern', { type: 'string', pattern: '^a' }, { kind: 'text', pattern: '^a' }],
		['F06 email', { type: 'string', format: 'email' }, { entry: 'email', format: 'email' }],
		['F06 uri', { type: 'string', format: 'uri' }, { entry: 'uri' }],
		['F06 date', { type: 'string', format: 'date' }, { entry: 'date' }],
		['F06 date-time', { type: 'string', format: 'date-time' }, { entry: 'date-time' }],
		['F07 number', { type: 'number', maximum: 1.5 }, { kind: 'number', integer: false, maximum: 1.5 }],
		['F07 integer', { type: 'integer', minimum: -3 }, { kind: 'number', integer: true, minimum: -3 }],
		['F07 a bound of zero', { type: 'number', minimum: 0 }, { minimum: 0 }],
		['F08 boolean', { type: 'boolean' }, { kind: 'boolean' }],
		['F09 enum', { type: 'string', enum: ['red', 'blue'] }, { kind: 'choice', ...RED_BLUE }],
		[
			'F09 enumNames',
			{ type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'] },
			{ labels: ['Red', 'Blue'], values: ['r', 'b'] },
		],
		[
			'F10 oneOf with titles and descriptions',
			{ type: 'string', oneOf: [{ const: 'r', title: 'Red', description: 'Warm' }, { const: 'b' }] },
			{
				kind: 'choice',
				options: [
					{ value: 'r', label: 'Red', description: 'Warm' },
					{ value: 'b', label: 'b' },
				],
			},
		],
		[
			'F11 items with enum',
			{ type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, minItems: 1, maxItems: 2 },
			{ kind: 'choices', ...RED_BLUE, minItems: 1, maxItems: 2 },
		],
		[
			'F11 items with anyOf',
			{ type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }, { const: 'b' }] } },
			{ kind: 'choices', labels: ['Red', 'b'], values: ['r', 'b'] },
		],
		[
			'title and description',
			{ type: 'string', title: 'Your name', description: 'As in the register' },
			{ key: 'p', label: 'Your name', description: 'As in the register' },
		],
	])('%s', (_, property, expected) => {
		expect(described(property)).toMatchObject(expected);
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

describe('fieldsOf: options that look alike', () => {
	it.each<[string, unknown, readonly string[]]>([
		['values that differ in spaces', { enum: ['yes', 'yes ', 'no'] }, ['yes ("yes")', 'yes  ("yes ")', 'no']],
		[
			'titles that differ in spaces',
			{
				oneOf: [
					{ const: 1, title: 'A B' },
					{ const: 2, title: 'A  B' },
				],
			},
			['A B (1)', 'A  B (2)'],
		],
		[
			'a title like another with its value',
			{ enum: [1, 2, 3], enumNames: ['A', 'A', 'A (1)'] },
			['A (1) (1)', 'A (2)', 'A (1) (3)'],
		],
	])('are told apart by their values: %s', (_what, property, labels) => {
		const { options } = field(property) as Field & { kind: 'choice' };
		expect(options.map(({ label }) => label)).toEqual(labels);
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

	it.each([
		{ enum: ['red', null, 'blue'] },
		{ anyOf: [{ enum: ['red', 'blue'] }, { type: 'null' }] },
		{ oneOf: [{ const: 'red' }, { const: 'blue' }, { type: 'null' }] },
	])('is no option of a choice but what a blank one means: %j', (property) => {
		expect(described(property)).toMatchObject({ kind: 'choice', ...RED_BLUE, nullable: true });
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
		expect(described(property, root)).toMatchObject({ kind: 'choice', ...RED_BLUE, description: 'A color' });
	});

	it('keeps the description that stands beside the reference', () => {
		expect(field({ $ref: '#/$defs/Color', description: 'Behind' }, { $defs }).description).toBe('Behind');
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

	it('comes to an end with references that double', () => {
		const defs: Record<string, JsonObject> = { d40: { type: 'string' } };
		for (let i = 0; i < 40; i++) {
			const next = { $ref: `#/$defs/d${i + 1}` };
			defs[`d${i}`] = { allOf: [next, next] };
		}
		expect(field({ $ref: '#/$defs/d0' }, { $defs: defs }).kind).toBe('json');
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

describe('the fields of any schema', () => {
	it.each([null, true, 'a', {}, [1, null]])('tolerate required: %j', (required) => {
		expect(field({ type: 'string' }, { required } as JsonObject).required).toBe(false);
	});

	it('read nothing from prototypes', () => {
		const inherited = Object.create({ type: 'string', enum: ['x'] }) as JsonObject;
		expect(field(inherited).kind).toBe('json');
	});

	it('support thousands of options and properties', () => {
		const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { $ref: '#/$defs/Many' }]));
		const $defs = { Many: { enum: Array.from({ length: 10_000 }, (_, i) => `v${i}`) } };
		const fields = fieldsOf({ type: 'object', properties, $defs });
		expect(fields).toHaveLength(1_000);
		expect(fields[0]).toMatchObject({ kind: 'choice' });
		expect(fields.at(-1)).toMatchObject({ kind: 'json' });
	});
});
