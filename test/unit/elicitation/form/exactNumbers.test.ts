import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../src/elicitation/findings/findings.ts';
import { constraintOf } from '../../../../src/elicitation/form/constraint.ts';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { type Input, initialInputs } from '../../../../src/elicitation/form/inputs.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { exactIn, parseJson, unmarkNumbers, writeJson } from '../../../../src/elicitation/jsonText.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { Bench } from '../../validation/validationBench.ts';

const bench = new Bench();

describe('JSON', () => {
	it.each([
		'725653563933458433',
		'{"id":[725653563933458432,-9223372036854775809,18446744073709551615]}',
		'[1e400,123456789012345678.25,0.12345678901234567890123]',
		'{"a":"725653563933458433","b\\\\\\"725653563933458433":[1,0.1,9007199254740991]}',
		'["\\\\",725653563933458433,"\\ud83d\\ude00"]',
	])('is written as it was read: %s', (text) => {
		expect(writeJson(parseJson(text))).toBe(text.replace('\\ud83d\\ude00', '😀'));
	});

	it('has no text that passes for a number', () => {
		for (const text of ['["\\udc00123"]', '["\\uDC001e3",725653563933458433]']) {
			expect(exactIn((parseJson(text) as string[])[0])).toBeUndefined();
		}
		const inside = ['x"\udc00123', '\\"\udc001', 'x\udc001"'];
		expect(JSON.parse(unmarkNumbers(JSON.stringify(inside)))).toEqual(inside);
	});

	it('that is none is still none', () => {
		for (const text of [
			'{"a":012345678901234567890}',
			'[1234567890123456789.]',
			'"1234567890123456789',
			'{1234567890123456789:1}',
		]) {
			expect(() => parseJson(text)).toThrow(SyntaxError);
			expect(() => parseJson(text)).toThrow();
		}
	});
});

/** The form of a property `p`, whose schema is raw JSON. */
function form(property: string): Form {
	return new Form(parseJson(`{"type":"object","properties":{"p":${property}},"required":["p"]}`) as JsonObject, bench);
}

/** What is sent for an input, or what is wrong with it. */
async function outcome(of: Form, input: Input | undefined): Promise<string> {
	const inputs = input ? initialInputs(of.fields).with(0, input) : initialInputs(of.fields);
	const { content, problems } = await of.review(inputs);
	return problems.length > 0 ? problems.map(({ message }) => render(message, english)).join(' ') : writeJson(content);
}

const text = (typed: string): Input => ({ kind: 'text', text: typed });
const option = (index: number): Input => ({ kind: 'choice', index });

describe('a number that no double can hold', () => {
	it.each<[string, string, Input | undefined, string]>([
		[
			'enum',
			'{"type":"integer","enum":[725653563933458432,725653563933458433]}',
			option(1),
			'{"p":725653563933458433}',
		],
		[
			'titles',
			'{"oneOf":[{"const":725653563933458432,"title":"A"},{"const":725653563933458433,"title":"B"}]}',
			option(0),
			'{"p":725653563933458432}',
		],
		['const', '{"const":725653563933458433}', undefined, '{"p":725653563933458433}'],
		['default', '{"type":"integer","default":725653563933458433}', undefined, '{"p":725653563933458433}'],
		[
			'default of a choice',
			'{"enum":[1,725653563933458433],"default":725653563933458433}',
			undefined,
			'{"p":725653563933458433}',
		],
		[
			'several',
			'{"type":"array","uniqueItems":true,"items":{"type":"integer","enum":[725653563933458432,725653563933458433]}}',
			{ kind: 'choices', indexes: [0, 1] },
			'{"p":[725653563933458432,725653563933458433]}',
		],
		['typed', '{"type":"integer"}', text('+00725653563933458433'), '{"p":725653563933458433}'],
		[
			'typed list',
			'{"type":"array","items":{"type":"integer"}}',
			{ kind: 'list', items: ['725653563933458433'] },
			'{"p":[725653563933458433]}',
		],
		['JSON', '{"type":"object"}', text('{"a":725653563933458433}'), '{"p":{"a":725653563933458433}}'],
		['fraction', '{"type":"number"}', text('12345678901234567.25'), '{"p":12345678901234567.25}'],
		['fraction for an integer', '{"type":"integer"}', text('12345678901234567.25'), 'A whole number.'],
		[
			'minimum',
			'{"type":"integer","minimum":9007199254740993}',
			text('9007199254740992'),
			'At least 9007199254740993.',
		],
		[
			'at the minimum',
			'{"type":"integer","minimum":9007199254740993}',
			text('9007199254740993'),
			'{"p":9007199254740993}',
		],
		[
			'maximum',
			'{"type":"integer","maximum":9223372036854775807}',
			text('9223372036854775808'),
			'At most 9223372036854775807.',
		],
		[
			'exclusive',
			'{"type":"integer","exclusiveMaximum":9007199254740995}',
			text('9007199254740995'),
			'Less than 9007199254740995.',
		],
		['multiple', '{"type":"integer","multipleOf":5}', text('9007199254740993'), 'A multiple of 5.'],
		['no text', '{"type":"string"}', text('725653563933458433'), '{"p":"725653563933458433"}'],
		['nullable', '{"type":["integer","null"],"maximum":9223372036854775807}', text(''), '{"p":null}'],
		['not', '{"type":"integer","not":{"const":9007199254740992}}', text('9007199254740993'), '{"p":9007199254740993}'],
	])('%s', async (_, property, input, expected) => {
		expect(await outcome(form(property), input)).toBe(expected);
	});

	it('is shown digit by digit, where it is typed, listed, and demanded', () => {
		const shown = (property: string) => form(property).fields[0] as Field;
		expect(shown('{"enum":[725653563933458433,"725653563933458433"]}')).toMatchObject({
			options: [
				{ label: '725653563933458433 (725653563933458433)' },
				{ label: '725653563933458433 ("725653563933458433")' },
			],
		});
		expect(initialInputs([shown('{"type":"integer","default":725653563933458433}')])).toEqual([
			text('725653563933458433'),
		]);
		const constraint = constraintOf(
			shown('{"type":"integer","minimum":9007199254740993,"maximum":9223372036854775807}'),
		);
		expect(constraint.map((sentence) => render(sentence, english))).toEqual([
			'9007199254740993 to 9223372036854775807.',
			'Whole number.',
		]);
	});

	it('survives the way to JSON and back', async () => {
		const of = form('{"type":"integer"}');
		const review = await of.reviewJson('{"p":725653563933458433,"q":725653563933458435}');
		expect(review.inputs).toEqual([text('725653563933458433')]);
		expect(writeJson((await of.review(review.inputs ?? [], review.rest)).content)).toBe(
			'{"p":725653563933458433,"q":725653563933458435}',
		);
	});

	it('is a finding, and two of them are not the same', () => {
		const params = parseJson(
			`{"message":"m","requestedSchema":{"type":"object","properties":{"p":{"type":"string","oneOf":[{"const":725653563933458432,"title":"A"},{"const":725653563933458433,"title":"B"}]}}}}`,
		);
		expect(
			findingsOf(params as JsonObject, '2025-11-25').map(({ rule, message }) => [rule, render(message, english)]),
		).toEqual([
			['large-number', 'Most clients round 725653563933458432, which is beyond 2^53, and take it for another number.'],
		]);
	});
});
