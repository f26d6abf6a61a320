import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/elicitation/json.ts';
import { exceeds, LIMITS, schemaLimit } from '../../../src/elicitation/limits.ts';
import { modesOf, readElicitation } from '../../../src/elicitation/request.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';

const schema = { type: 'object', properties: {} };

describe('an elicitation capability', () => {
	it.each([
		[{}, 'form'],
		[{ form: {} }, 'form'],
		[{ url: {} }, 'url'],
		[{ form: {}, url: {} }, 'both'],
		[null, 'none'],
		[undefined, 'none'],
	] as const)('%j declares %s (E01)', (capability, modes) => {
		expect(modesOf(capability)).toBe(modes);
	});
});

describe('readElicitation', () => {
	it.each<[string, Json]>([
		['E08 no mode is form mode', { message: 'm', requestedSchema: schema }],
		['null for no mode', { mode: null, message: 'm', requestedSchema: schema }],
		['form mode', { mode: 'form', message: 'm', requestedSchema: schema }],
		['the alias "schema"', { message: 'm', schema }],
	])('%s', (_, params) => {
		expect(readElicitation(params)).toEqual({
			ok: true,
			request: { mode: 'form', message: 'm', requestedSchema: schema },
		});
	});

	it.each<Json>([{}, { properties: null }, { type: ['object'] }, { $ref: '#/$defs/A' }])(
		'tolerates the schema %j',
		(requestedSchema) => {
			expect(readElicitation({ message: '', requestedSchema })).toMatchObject({ ok: true });
		},
	);

	it('URL mode, with and without an id', () => {
		const params = { mode: 'url', message: 'm', url: 'https://example.com', elicitationId: 'e' };
		expect(readElicitation(params)).toEqual({ ok: true, request: params });
		for (const none of [{}, { elicitationId: null }]) {
			expect(readElicitation({ mode: 'url', message: 'm', url: 'x', ...none })).toEqual({
				ok: true,
				request: { mode: 'url', message: 'm', url: 'x' },
			});
		}
	});

	it.each<[string, Json, RegExp]>([
		['E07 unknown mode', { mode: 'voice', message: 'm', requestedSchema: schema }, /"voice" is unknown/],
		['a mode that is no text', { mode: 1, message: 'm', requestedSchema: schema }, /"mode"/],
		['no params', null, /params/],
		['a list of params', [], /params/],
		['no message', { requestedSchema: schema }, /"message"/],
		['a message that is no text', { message: 1, requestedSchema: schema }, /"message"/],
		['a schema that is no object', { message: 'm', requestedSchema: ['a'] }, /"requestedSchema"/],
		['an alias that is no object', { message: 'm', schema: 'x' }, /"schema"/],
		['a schema of something else', { message: 'm', requestedSchema: { type: 'string' } }, /"requestedSchema.type"/],
		[
			'properties that are no object',
			{ message: 'm', requestedSchema: { properties: ['a'] } },
			/"requestedSchema.properties"/,
		],
		['no URL', { mode: 'url', message: 'm' }, /"url"/],
		['an id that is no text', { mode: 'url', message: 'm', url: 'x', elicitationId: 1 }, /"elicitationId"/],
		['inherited members', Object.create({ message: 'm', requestedSchema: schema }) as Json, /"message"/],
		['a message that is too large', { message: '中'.repeat(40_000), requestedSchema: schema }, /message is larger/],
		[
			'a schema that is too large',
			{ message: 'm', requestedSchema: { title: 'x'.repeat(LIMITS.schemaBytes) } },
			/schema is larger/,
		],
		[
			'a request that is too large',
			{ message: 'm', requestedSchema: {}, _meta: { more: 'x'.repeat(LIMITS.requestBytes) } },
			/request is larger/,
		],
	])('refuses %s', (_, params, message) => {
		const read = readElicitation(params);
		expect(read.ok ? undefined : render(read.reason, english)).toMatch(message);
	});
});

it.each([
	['abc', 3, false],
	['abcd', 3, true],
	['éé', 4, false],
	['éé', 3, true],
	['中', 3, false],
	['中', 2, true],
	['😀', 4, false],
	['😀', 3, true],
])('whether "%s" exceeds %d bytes: %s', (text, bytes, expected) => {
	expect(exceeds(text, bytes)).toBe(expected);
});

describe('schemaLimit', () => {
	const many = (count: number) => Array.from({ length: count }, (_, i) => i);

	it.each<[string, Json, RegExp | undefined]>([
		['1,000 properties', { properties: Object.fromEntries(many(1_000).map((i) => [`p${i}`, {}])) }, undefined],
		['1,001 properties', { properties: Object.fromEntries(many(1_001).map((i) => [`p${i}`, {}])) }, /\{0\} properties/],
		[
			'properties in many places',
			{ a: many(11).map(() => ({ properties: Object.fromEntries(many(100).map((i) => [`p${i}`, {}])) })) },
			/\{0\} properties/,
		],
		['10,000 options', { enum: many(10_000) }, undefined],
		['10,001 options', { enum: many(10_001) }, /\{0\} options/],
		['10,001 branches', { oneOf: many(10_001).map((i) => ({ const: i })) }, /\{0\} options/],
		['32 levels', nested(32), undefined],
		['33 levels', nested(33), /nested deeper/],
		['200,000 levels', nested(200_000), /nested deeper/],
	])('%s', (_, schema, expected) => {
		const limit = schemaLimit(schema);
		if (expected === undefined) {
			expect(limit).toBeUndefined();
		} else {
			expect(limit?.text).toMatch(expected);
		}
	});
});

function nested(levels: number): Json {
	let schema: Json = {};
	for (let level = 1; level < levels; level++) {
		schema = { not: schema };
	}
	return schema;
}
