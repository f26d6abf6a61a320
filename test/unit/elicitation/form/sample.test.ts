import { describe, expect, it } from 'vitest';
import type { JsonField } from '../../../../src/elicitation/form/fields.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import { withSamples } from '../../../../src/elicitation/form/sample.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { tableRows } from '../../../tableRows.ts';
import { Bench } from '../../validation/validationBench.ts';

const rows = tableRows(import.meta.url);

const bench = new Bench();

function sampled(property: Json, root: JsonObject = {}): JsonField {
	const schema = { ...root, type: 'object', properties: { p: property } } as JsonObject;
	const [field] = withSamples(fieldsOf(schema), schema);
	if (field?.kind !== 'json') {
		throw new Error(`The field is entered as ${field?.kind}.`);
	}
	return field;
}

describe('a field that is entered as JSON', () => {
	it.each<[string, JsonObject]>(rows('examples'))('has an example that is allowed: %s', async (_what, property) => {
		const { example } = sampled(property);
		expect(example).toBeDefined();
		const schema = { type: 'object', properties: { p: property }, required: ['p'] };
		expect(await bench.validate(schema, { p: example ?? null })).toMatchObject({ status: 'valid' });
	});

	it('has the properties of its object, with their types', () => {
		const { shape } = sampled(
			{
				type: 'object',
				properties: {
					name: { type: 'string' },
					tags: { type: 'array', items: { type: 'number' } },
					home: { $ref: '#/$defs/Address' },
					size: { enum: ['S', 'M'] },
					age: { type: ['integer', 'null'] },
					any: {},
				},
				required: ['name'],
			},
			{ $defs: { Address: { type: 'object', properties: { city: { type: 'string' } } } } },
		);
		expect(shape?.map(({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`)).toEqual([
			'name: string',
			'tags?: number[]',
			'home?: object',
			'size?: string',
			'age?: integer | null',
			'any?: any',
		]);
	});

	it('has neither where its schema says nothing', () => {
		const field = sampled({});
		expect([field.example, field.shape]).toEqual([undefined, undefined]);
	});

	it('has a bounded example where its schema never ends', () => {
		const $defs = {
			Tree: {
				type: 'object',
				properties: Object.fromEntries(
					Array.from({ length: 40 }, (_each, at) => [`branch ${at}`, { $ref: '#/$defs/Tree' }]),
				),
			},
		};
		const { example, shape } = sampled({ $ref: '#/$defs/Tree' }, { $defs });
		expect(shape).toHaveLength(30);
		expect(JSON.stringify(example).length).toBeLessThan(100_000);
	});

	it.each<[string, JsonObject, string]>(rows('types'))('has a property whose type is %s', (_what, Any, type) => {
		const { shape } = sampled({ type: 'object', properties: { it: { $ref: '#/$defs/Any' } } }, { $defs: { Any } });
		expect(shape?.[0]?.type).toBe(type);
	});

	it('has an example where a length in it is nonsense', () => {
		const properties = { name: { type: 'string', maxLength: -1 }, on: { type: 'boolean' } };
		expect(sampled({ type: 'object', properties }).example).toEqual({ name: '', on: false });
	});

	it('has a property of any type where its type is nonsense', () => {
		const properties = { a: { type: { toString: 1 } }, b: { type: [null, 'string'] }, c: { type: 1 } };
		const { shape } = sampled({ type: 'object', properties } as JsonObject);
		expect(shape?.map(({ type }) => type)).toEqual(['any', 'string', 'any']);
	});

	it('has a bounded example where its schema requires itself', () => {
		const names = Array.from({ length: 30 }, (_each, at) => `branch ${at}`);
		const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/Tree' }]));
		const $defs = { Tree: { type: 'object', properties, required: names } };
		const { example } = sampled({ $ref: '#/$defs/Tree' }, { $defs });
		expect(JSON.stringify(example).length).toBeLessThan(1_000_000);
	});
});
