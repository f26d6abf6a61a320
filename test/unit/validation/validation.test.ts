import { describe, expect, it } from 'vitest';
import { Form } from '../../../src/elicitation/form/form.ts';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';
import { about, Bench } from './validationBench.ts';

const rows = tableRows(import.meta.url);

const bench = new Bench();

function verdict(...args: Parameters<Bench['verdict']>): Promise<string[] | string> {
	return bench.verdict(...args);
}

describe('messages of violations (F05, F06, F07)', () => {
	it.each<[string, unknown, Json, string]>(rows('messages'))('%s', async (_, property, value, expected) => {
		expect(await verdict(about(property), { p: value })).toEqual([`/p ${expected}`]);
	});

	it('reports the location: missing, extra, dependent and nested properties', async () => {
		const schema = about(
			{ type: 'object', required: ['a/b'], properties: { list: { items: { type: 'string' } } } },
			{ required: ['q'], additionalProperties: false, dependentRequired: { p: ['r'] } },
		);
		const violations = await verdict(schema, { p: { list: ['x', 1] }, 'x~': 1 });
		expect([...violations].sort()).toEqual([
			'/p/a~1b This is required.',
			'/p/list/1 Text.',
			'/q This is required.',
			'/r This is required together with "p".',
			'/x~0 The server expects no such property.',
		]);
	});

	it('follows references and keeps a union to one sentence a place', async () => {
		const schema = about(
			{ anyOf: [{ $ref: '#/$defs/Color' }, { $ref: '#/$defs/Shape' }] },
			{
				$defs: {
					Color: { enum: ['red'] },
					Shape: { type: 'object', properties: { sides: { minimum: 3 } }, required: ['sides'] },
				},
			},
		);
		expect(await verdict(schema, { p: 'red' })).toBe('valid');
		expect(await verdict(schema, { p: { sides: 1 } })).toEqual(['/p/sides At least 3.']);
		expect(await verdict(schema, { p: {} })).toEqual(['/p/sides This is required.']);
	});

	it('limits the number of messages', async () => {
		const result = await bench.validate(about({ items: { type: 'string' } }), {
			p: Array.from({ length: 1_000 }, () => 1),
		});
		expect(result.status === 'invalid' && result.violations.length).toBe(100);
	});
});

describe('patterns and dialects', () => {
	it('what cannot be run makes nothing invalid that only it would have evaluated', async () => {
		const schema = about(
			{ allOf: [{ $ref: 'https://elsewhere.example/list' }], unevaluatedItems: false },
			{ $schema: 'https://json-schema.org/draft/2020-12/schema' },
		);
		expect(await verdict(schema, { p: [1] })).toMatch(/^valid\. Not checked here: /);
	});

	it.each<[string, string, string, string]>([
		['the u flag', '^\\p{Script=Han}+$', '汉字', 'abc'],
		['code points', '^.$', '💩', 'ab'],
		['an escape that is illegal with the u flag', '^[\\w\\-\\@]+$', 'a-@', 'a b'],
		['lookbehind', '(?<=a)b', 'ab', 'cb'],
		['back reference', '^(.)\\1$', 'aa', 'ab'],
	])('%s', async (_, pattern, good, bad) => {
		expect(await verdict(about({ pattern }), { p: good })).toBe('valid');
		expect(await verdict(about({ pattern }), { p: bad })).toHaveLength(1);
	});

	it.each<[string, JsonObject]>([
		['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#' }],
		['draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', id: 'http://x.test/a' }],
		['2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
		['none, written as draft 7', {}],
	])('tuples of %s', async (_, root) => {
		const schema = about({ items: [{ type: 'string' }, { type: 'number' }] }, root);
		expect(await verdict(schema, { p: ['a', 1] })).toBe('valid');
		expect(await verdict(schema, { p: ['a', 'b'] })).toEqual(['/p/1 A number.']);
	});

	it('prefixItems of 2020-12', async () => {
		expect(await verdict(about({ prefixItems: [{ type: 'string' }] }), { p: [1] })).toEqual(['/p/0 Text.']);
	});

	it.each<JsonObject>([
		about({ type: 'string' }, { required: null }),
		about({ type: 'string', required: true }),
		about({ type: 'string', nullable: 'yes' }),
		about({ title: 'x', nullable: true }),
		about({ type: 'string', format: 'unheard-of', 'x-order': 1 }),
		{ type: 'object', properties: null },
	])('tolerates %j', async (schema) => {
		expect(await verdict(schema, { p: 'x' })).toBe('valid');
	});

	it('takes 0.3 for a multiple of 0.1', async () => {
		expect(await verdict(about({ multipleOf: 0.1 }), { p: 0.3 })).toBe('valid');
	});
});

describe('Form', () => {
	it('reviews what was entered: one message a field, the unread before the violated', async () => {
		const schema: JsonObject = {
			type: 'object',
			properties: {
				name: { type: 'string', minLength: 3, pattern: '^[A-Z]' },
				age: { type: 'integer', minimum: 18 },
				tags: { type: 'array', items: { type: 'string', maxLength: 2 } },
				more: { type: 'object', properties: { a: { type: 'number' } } },
				city: { type: 'string' },
			},
			required: ['city'],
			minProperties: 9,
		};
		const form = new Form(schema, bench);
		const review = await form.review([
			{ kind: 'text', text: 'ab' },
			{ kind: 'text', text: '1,5' },
			{ kind: 'list', items: ['ab', 'abc'] },
			{ kind: 'text', text: '{"a":"x"}' },
			{ kind: 'text', text: '' },
		]);
		expect({ ...review.content }).toEqual({ name: 'ab', tags: ['ab', 'abc'], more: { a: 'x' } });
		expect(review.problems.map(({ field, message }) => [field, render(message, english)])).toEqual([
			[0, 'At least 3 characters; you have 2.'],
			[1, 'Use a period as the decimal separator: 1.5'],
			[2, 'Entry 2: At most 2 characters; you have 3.'],
			[3, 'a: A number.'],
			[4, 'This is required.'],
			[undefined, 'At least 9 properties.'],
		]);
	});

	it('lets the user send unchecked content', async () => {
		const form = new Form(about({ $ref: '#/properties/p' }), bench);
		const review = await form.review([{ kind: 'text', text: '1' }]);
		expect(review.problems).toEqual([]);
		expect(review.unchecked).toBeDefined();
		expect({ ...review.content }).toEqual({ p: 1 });
	});
});
