import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { tableRows } from '../../../tableRows.ts';

const rows = tableRows(import.meta.url);

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

describe('fieldsOf: what the specification allows (F06–F11)', () => {
	it.each<[string, unknown, object]>(rows('allowed'))('%s', (_, property, expected) => {
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
	it.each<[string, unknown, readonly string[]]>(rows('alike'))(
		'are told apart by their values: %s',
		(_what, property, labels) => {
			const { options } = field(property) as Field & { kind: 'choice' };
			expect(options.map(({ label }) => label)).toEqual(labels);
		},
	);
});

describe('fieldsOf: defaults (F12)', () => {
	it.each<[string, unknown, unknown]>(rows('defaults'))('%s', (_, property, expected) => {
		expect(field(property)).toHaveProperty('default', expected);
	});

	it.each<[string, unknown]>(rows('unusedDefaults'))('not used: %s', (_, property) => {
		expect(field(property)).not.toHaveProperty('default');
	});
});

describe('fieldsOf: null', () => {
	it.each<[string, unknown, boolean]>(rows('nullable'))('%s', (_, property, nullable) => {
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

	it.each<[string, unknown, JsonObject]>(rows('references'))('%s', (_, property, root) => {
		expect(described(property, root)).toMatchObject({ kind: 'choice', ...RED_BLUE, description: 'A color' });
	});

	it('keeps the description that stands beside the reference', () => {
		expect(field({ $ref: '#/$defs/Color', description: 'Behind' }, { $defs }).description).toBe('Behind');
	});

	it.each<[string, unknown, JsonObject]>(rows('unresolved'))(
		'a reference to %s is asked as JSON',
		(_, property, root) => {
			expect(field(property, root)).toMatchObject({ kind: 'json', key: 'p' });
		},
	);

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
