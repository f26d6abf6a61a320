import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { type Input, initialInputs, toContent, toInputs } from '../../../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import { type Json, type JsonObject, plainObject } from '../../../../src/elicitation/json.ts';
import { writeJson } from '../../../../src/elicitation/jsonText.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { runs } from '../../../nightly.ts';
import { tableRows } from '../../../tableRows.ts';
import { Bench } from '../../validation/validationBench.ts';

const rows = tableRows(import.meta.url);

const bench = new Bench();

function fields(properties: Record<string, unknown>, required: readonly string[] = []): readonly Field[] {
	return fieldsOf({ type: 'object', properties: properties as JsonObject, required: [...required] });
}

/** Reads one input into a field `p` with the given schema. */
function read(property: unknown, input: Input, required = false): { content: unknown; problems: string[] } {
	const { content, problems } = toContent(fields({ p: property }, required ? ['p'] : []), [input]);
	return { content: { ...content }, problems: problems.map(({ message }) => render(message, english)) };
}

const text = (value: string): Input => ({ kind: 'text', text: value });
const NOTHING = { content: {}, problems: [] };

describe('initialInputs (F12)', () => {
	it('prefills every default, falsy ones included, and nothing else', () => {
		const form = fields({
			blank: { type: 'string', default: '' },
			name: { type: 'string', default: 'Ann' },
			free: { type: 'string' },
			zero: { type: 'number', default: 0 },
			count: { type: 'integer' },
			no: { type: 'boolean', default: false },
			open: { type: 'boolean' },
			first: { enum: ['a', 'b'], default: 'a' },
			one: { enum: ['a', 'b'], default: 'b' },
			none: { enum: ['a', 'b'] },
			empty: { type: 'array', items: { enum: ['a'] }, default: [] },
			many: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
			unasked: { type: 'array', items: { enum: ['a'] } },
			list: { type: 'array', items: { type: 'number' }, default: [1, 1e21] },
			object: { type: 'object', default: { a: [1] } },
			fixed: { const: 1 },
		});
		const inputs = initialInputs(form);
		expect(inputs).toEqual([
			text(''),
			text('Ann'),
			text(''),
			text('0'),
			text(''),
			{ kind: 'boolean', value: false },
			{ kind: 'boolean', value: null },
			{ kind: 'choice', index: 0 },
			{ kind: 'choice', index: 1 },
			{ kind: 'choice', index: null },
			{ kind: 'choices', indexes: [] },
			{ kind: 'choices', indexes: [1] },
			{ kind: 'choices', indexes: null },
			{ kind: 'list', items: ['1', '1e+21'] },
			text('{\n  "a": [\n    1\n  ]\n}'),
			{ kind: 'const' },
		]);
		expect({ ...toContent(form, inputs).content }).toEqual({
			blank: '',
			name: 'Ann',
			zero: 0,
			no: false,
			first: 'a',
			one: 'b',
			empty: [],
			many: ['b'],
			list: [1, 1e21],
			object: { a: [1] },
			fixed: 1,
		});
	});
});

describe('toContent: omit, never invent', () => {
	it.each<[string, unknown, Input]>(rows('leftOut'))('leaves out: %s', (_, property, input) => {
		expect(read(property, input)).toEqual(NOTHING);
		expect(read(property, input, true).problems).toEqual(
			JSON.stringify(property).includes('null') ? [] : ['This is required.'],
		);
	});

	it('leaves out a field without an input', () => {
		expect(toContent(fields({ p: { type: 'string' } }), [])).toEqual({ content: plainObject([]), problems: [] });
	});

	it('sends null for a blank required field that admits it', () => {
		expect(read({ type: ['integer', 'null'] }, text(''), true)).toEqual({ content: { p: null }, problems: [] });
	});

	it.each<[string, unknown, Input, Json]>(rows('sent'))('sends: %s', (_, property, input, expected) => {
		expect(read(property, input)).toEqual({ content: { p: expected }, problems: [] });
	});

	it.each<[string, Input]>([
		['choice', { kind: 'choice', index: 5 }],
		['choices', { kind: 'choices', indexes: [0, 5] }],
	])('refuses an index out of range: %s', (kind, input) => {
		const property = kind === 'choice' ? { enum: ['a'] } : { type: 'array', items: { enum: ['a'] } };
		const { content, problems } = read(property, input);
		expect(content).toEqual({});
		expect(problems).toHaveLength(1);
	});

	it('builds content in which __proto__ is an ordinary key, in the order of the fields', () => {
		const schema = JSON.parse(
			'{"properties":{"z":{"type":"string"},"__proto__":{"type":"string"},"a":{"type":"string"}}}',
		) as JsonObject;
		const { content } = toContent(fieldsOf(schema), [text('1'), text('2'), text('3')]);
		expect(JSON.stringify(content)).toBe('{"z":"1","__proto__":"2","a":"3"}');
		expect(Object.getPrototypeOf(content)).toBeNull();
	});

	it.each([
		['{\n  "a": blue }', '(line 2, column 8): This has no meaning in JSON. Texts need double quotes, like "blue".'],
		['{', '(line 1, column 2): A closing brace is missing.'],
		['{"a": 1,, "b": 2}', '(line 1, column 9): A name in double quotes is missing.'],
		['[1,, 2]', '(line 1, column 4): A value is missing.'],
		['[1 2]', '(line 1, column 4): A comma is missing.'],
		['{"a": 1,}', '(line 1, column 9): A name in double quotes is missing.'],
		['{} // none', '(line 1, column 4): JSON has no comments.'],
		['{"a": "b', '(line 1, column 7): The closing quotation mark is missing.'],
		['{} {}', '(line 1, column 4): The text should end here.'],
	])('says what is wrong with JSON and where: %s', (json, words) => {
		expect(read({ type: 'object' }, text(json)).problems).toEqual([`This is not JSON ${words}`]);
	});

	it('says of every text that is not JSON why it is none', () => {
		fc.assert(
			fc.property(fc.string(), (json) => {
				const { problems } = read({}, text(json));
				expect(problems.every((problem) => !problem.startsWith('This is not JSON.'))).toBe(true);
			}),
		);
	});

	it.each(['{"a": 1, "b": {"a": 2}, "a": 3}', '[{"c": "a:", "a": "{", "\\u0061" : []}]'])(
		'refuses JSON with an object of which one value would be lost: %s',
		(json) => {
			const problems = ['An object has "a" twice; only the last value would be sent.'];
			expect(read({}, text(json))).toEqual({ content: {}, problems });
		},
	);

	it('takes the same name in several objects of JSON', () => {
		const json = '[{"a": "a", "b": {"a": ["a", "a"]}}, {"a": 1}]';
		expect(read({}, text(json)).problems).toEqual([]);
	});

	it('takes digits in the texts of JSON for no numbers', () => {
		const long = `9007199254740993 "3.1415926535897932385 ${'\\'.repeat(1_000_000)}`;
		expect(read({}, text(JSON.stringify([long]))).problems).toEqual([]);
	});

	it('names the entry of a list that cannot be read', () => {
		expect(read({ type: 'array', items: { type: 'integer' } }, { kind: 'list', items: ['1', 'x'] }).problems).toEqual([
			'Entry 2: A number, like 12 or 0.5.',
		]);
	});

	it('counts blank rows when it names the entry of a list', async () => {
		const items = { type: 'integer', minimum: 5 };
		const form = new Form({ type: 'object', properties: { p: { type: 'array', items } } }, bench);
		const problemsOf = async (...rows: readonly string[]) =>
			(await form.review([{ kind: 'list', items: rows }])).problems.map(({ message }) => render(message, english));
		expect(await problemsOf('', '7', 'x')).toEqual(['Entry 3: A number, like 12 or 0.5.']);
		expect(await problemsOf('', '7', '3')).toEqual([expect.stringMatching(/^Entry 3: .*5/)]);
		const json = await form.reviewJson('{"p": [7, 3]}');
		expect(json.problems.map(({ message }) => render(message, english))).toEqual([
			expect.stringMatching(/^Entry 2: .*5/),
		]);
	});
});

describe('toContent: numbers (F07)', () => {
	it.each<[string, unknown, number]>(rows('numbers'))('reads %j', (typed, property, expected) => {
		const { content, problems } = read(property, text(typed));
		expect(problems).toEqual([]);
		expect(Object.is((content as { p: number }).p, expected)).toBe(true);
	});

	it.each(['1e999', '9007199254740993', '-12345678901234567.89', '3.1415926535897932385', '1e-999'])(
		'reads %s, which no double can hold, digit by digit',
		(typed) => {
			expect(writeJson(read({ type: 'number' }, text(typed)).content)).toBe(`{"p":${typed}}`);
		},
	);

	it.each<[string, unknown, string]>(rows('refusedNumbers'))('refuses %j with a reason', (typed, property, reason) => {
		const { content, problems } = read(property, text(typed));
		expect(content).toEqual({});
		expect(problems).toEqual([expect.stringMatching(reason)]);
	});
});

describe('toInputs', () => {
	it('returns what no field can show as the rest', () => {
		const form = fields(
			{
				name: { type: 'string' },
				age: { type: 'integer' },
				color: { enum: ['red'] },
				tags: { type: 'array', items: { enum: ['a'] } },
				list: { type: 'array', items: { type: 'string' } },
				fixed: { const: 1 },
				blank: { type: 'string' },
				maybe: { type: ['string', 'null'] },
			},
			['maybe'],
		);
		const wrong = { name: 1, age: '1', color: 'green', tags: ['z'], list: [''], fixed: 2, blank: '', extra: true };
		const { inputs, rest } = toInputs(form, { ...wrong, maybe: null });
		expect({ ...rest }).toEqual(wrong);
		expect(inputs).toEqual([
			text(''),
			text(''),
			{ kind: 'choice', index: null },
			{ kind: 'choices', indexes: null },
			{ kind: 'list', items: null },
			{ kind: 'const' },
			text(''),
			text(''),
		]);
	});

	it('leaves out what the content leaves out, also where the empty text is the default', () => {
		const form = fields({ note: { type: 'string', default: '' } });
		expect({ ...toContent(form, initialInputs(form)).content }).toEqual({ note: '' });
		expect({ ...toContent(form, toInputs(form, {}).inputs).content }).toEqual({});
		expect({ ...toContent(form, toInputs(form, { note: '' }).inputs).content }).toEqual({ note: '' });
	});

	it.each([null, 1, 'x', [1]])('takes content that is no object for an empty one: %j', (content) => {
		expect(toInputs(fields({ a: { type: 'string', default: 'd' } }), content)).toEqual({
			inputs: [text('')],
			rest: plainObject([]),
		});
	});

	it('treats __proto__ as data', () => {
		const { inputs, rest } = toInputs([], JSON.parse('{"__proto__":1}') as Json);
		expect(inputs).toEqual([]);
		expect(JSON.stringify(rest)).toBe('{"__proto__":1}');
	});
});

/** A property schema, and a generator of values that its control can represent. */
type Kind = { readonly schema: Json; readonly values: fc.Arbitrary<Json> };

const primitives = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const exact = numbers.filter(
	(value) => !Number.isInteger(value) || Number.isSafeInteger(value) || String(value).includes('e'),
);
const kinds: fc.Arbitrary<Kind> = fc.oneof(
	fc.constant<Kind>({ schema: { type: 'string' }, values: fc.string({ minLength: 1, unit: 'binary' }) }),
	fc.constant<Kind>({ schema: { type: 'string', default: '' }, values: fc.string() }),
	fc.constant<Kind>({ schema: { type: 'number' }, values: exact }),
	fc.constant<Kind>({ schema: { type: 'integer' }, values: fc.maxSafeInteger() }),
	fc.constant<Kind>({ schema: { type: 'boolean' }, values: fc.boolean() }),
	fc.constant<Kind>({
		schema: { type: 'object' },
		values: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>) as fc.Arbitrary<Json>,
	}),
	fc.constant<Kind>({ schema: { type: 'array', items: { type: 'integer' } }, values: fc.array(fc.maxSafeInteger()) }),
	fc.constant<Kind>({
		schema: { type: 'array', items: { type: 'string' } },
		values: fc
			.array(fc.string({ minLength: 1 }))
			.filter((list) => list.length === 0 || list.every((item) => item.trim() !== '')),
	}),
	fc
		.uniqueArray(primitives, { minLength: 1, maxLength: 8 })
		.map<Kind>((options) => ({ schema: { enum: options }, values: fc.constantFrom(...options) })),
	fc.uniqueArray(primitives, { minLength: 1, maxLength: 8 }).map<Kind>((options) => ({
		schema: { type: 'array', items: { anyOf: options.map((value) => ({ const: value })) } },
		values: fc.shuffledSubarray(options) as fc.Arbitrary<Json>,
	})),
);
/** Fields, and content that the form can represent. Any field may be missing. */
const expressible = fc
	.dictionary(fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('constructor')), kinds, {
		maxKeys: 8,
		noNullPrototype: false,
	})
	.chain((properties) => {
		const entries = Object.entries(properties);
		return fc.record({
			form: fc.constant(
				fieldsOf({ type: 'object', properties: plainObject(entries.map(([key, kind]) => [key, kind.schema])) }),
			),
			content: fc
				.tuple(
					...entries.map(([key, { values }]) =>
						fc.option(
							values.map((value) => [key, value] as const),
							{ nil: undefined },
						),
					),
				)
				.map((chosen) => plainObject(chosen.filter((entry) => entry !== undefined))),
		});
	});

describe('properties', () => {
	it('toContent(toInputs(content)) is the content, nothing added and nothing lost', () => {
		fc.assert(
			fc.property(expressible, ({ form, content }) => {
				const { inputs, rest } = toInputs(form, content);
				const back = toContent(form, inputs);
				expect(back.problems).toEqual([]);
				expect(Object.keys(rest)).toEqual([]);
				expect(JSON.parse(writeJson(back.content))).toEqual(JSON.parse(writeJson(content)));
			}),
			{ numRuns: runs(500, 150) },
		);
	});

	it('no untouched optional property appears, unless its default was shown', () => {
		fc.assert(
			fc.property(expressible, ({ form }) => {
				const { content, problems } = toContent(form, initialInputs(form));
				const preset = form.filter((field) => 'default' in field).map(({ key }) => key);
				expect(problems).toEqual([]);
				expect(Object.keys(content).sort()).toEqual(preset.sort());
			}),
			{ numRuns: runs(300, 100) },
		);
	});

	it('whatever is typed is read, left out or refused with a reason, and never throws', () => {
		fc.assert(
			fc.property(expressible, fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), ({ form }, typed) => {
				const inputs = form.map((_, index) => text(typed[index] ?? ''));
				const { content, problems } = toContent(form, inputs);
				for (const [index, field] of form.entries()) {
					const said = problems.some((problem) => problem.field === index);
					expect(said && Object.hasOwn(content, field.key)).toBe(false);
				}
			}),
			{ numRuns: runs(300, 100) },
		);
	});
});
