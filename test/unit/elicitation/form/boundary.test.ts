import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BoundaryCase, boundaryCases, MAX_CASES } from '../../../../src/elicitation/form/boundary.ts';
import { exampleContent } from '../../../../src/elicitation/form/example.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { runs } from '../../../nightly.ts';
import { requestedSchemas } from '../../editor/debugging/trials/schemas.ts';
import { Bench } from '../../validation/validationBench.ts';

const bench = new Bench();

/** Names of the cases of a field's value. */
const WITHIN =
	/^(the shortest|the longest|the minimum|just above the excluded minimum|the maximum|just below the excluded maximum|true|false|the first option|the last option|as few as possible|as many as possible|present|left out)$/;
const BEYOND =
	/^(1 character too short|1 character too long|just below the minimum|the excluded minimum|just above the maximum|the excluded maximum|a fraction|not a multiple of .*|not in the format .*|not matching the pattern|not an option|1 too few|1 too many|with a wrong entry|wrong type|null|missing)$/;

async function casesOf(schema: JsonObject): Promise<BoundaryCase[]> {
	return boundaryCases(schema, (await exampleContent(schema, bench)).content, bench);
}

/** Name, content, and whether it is allowed. */
const shown = (cases: readonly BoundaryCase[]) =>
	cases.map(({ name, content, allowed }) => [render(name, english), content, allowed]);

function about({ name: { args } }: BoundaryCase): string {
	const [, what] = args ?? [];
	return typeof what === 'object' ? render(what, english) : '';
}

describe('boundary values', () => {
	it('are what they are said to be: within what the schema allows, or beyond it, and never the same twice', async () => {
		await fc.assert(
			fc.asyncProperty(requestedSchemas, async (schema) => {
				const cases = await casesOf(schema);
				expect(cases.filter((each) => WITHIN.test(about(each)) && each.allowed !== true)).toEqual([]);
				expect(cases.filter((each) => BEYOND.test(about(each)) && each.allowed !== false)).toEqual([]);
				expect(cases[0]?.allowed).toBe(true);
				const contents = cases.map(({ content }) => JSON.stringify(Object.entries(content).sort()));
				expect(new Set(contents).size).toBe(contents.length);
			}),
			{ numRuns: runs(100, 30), seed: 20_261_121 },
		);
	});

	it('are bounded in number', async () => {
		const properties = Object.fromEntries(Array.from({ length: 100 }, (_each, at) => [`p${at}`, { type: 'boolean' }]));
		expect((await casesOf({ type: 'object', properties })).length).toBeLessThanOrEqual(MAX_CASES + 10);
	});

	it('differ from a valid answer in one place', async () => {
		const schema = {
			type: 'object',
			properties: { n: { type: 'integer', minimum: 3, maximum: 9 }, why: { type: 'string', maxLength: 5 } },
			required: ['n'],
		};
		const long = 'a'.repeat(10_000);
		expect(shown(await casesOf(schema))).toEqual([
			['All valid', { n: 3 }, true],
			['n: just below the minimum', { n: 2 }, false],
			['n: the maximum', { n: 9 }, true],
			['n: just above the maximum', { n: 10 }, false],
			['n: a fraction', { n: 3.5 }, false],
			['n: wrong type', { n: '3' }, false],
			['n: null', { n: null }, false],
			['n: missing', {}, false],
			['why: the longest', { n: 3, why: 'aaaaa' }, true],
			['why: 1 character too long', { n: 3, why: 'aaaaaa' }, false],
			['why: empty', { n: 3, why: '' }, true],
			['why: very long', { n: 3, why: long }, false],
			['why: wrong type', { n: 3, why: 0 }, false],
			['why: null', { n: 3, why: null }, false],
			['why: present', { n: 3, why: 'a' }, true],
			['An unknown property', { n: 3, 'not a property of this form': 'x' }, true],
		]);
	});

	it('show what they change alone', async () => {
		const schema = {
			type: 'object',
			properties: { n: { type: 'integer', default: 1 }, sure: { type: 'boolean', default: true } },
		};
		expect((await casesOf(schema)).map(({ changed }) => changed)).toEqual([
			{ n: 1, sure: true },
			{ n: 0.5 },
			{ n: '0' },
			{ n: null },
			undefined,
			{ sure: false },
			{ sure: 'true' },
			{ sure: null },
			undefined,
			{ 'not a property of this form': 'x' },
		]);
	});

	it('have no lengths of texts whose format or pattern decides what they are', async () => {
		const properties = {
			mail: { type: 'string', format: 'email', maxLength: 90 },
			code: { pattern: '^a', maxLength: 9 },
		};
		const lengths = (await casesOf({ type: 'object', properties })).filter((each) =>
			/longest|too long/.test(about(each)),
		);
		expect(lengths).toEqual([]);
	});

	it('are of another type where that is the boundary', async () => {
		const list = (type: string) => ({ type: 'array', items: { type } });
		const properties = { texts: list('string'), numbers: list('number') };
		const wrong = (await casesOf({ type: 'object', properties })).filter((each) => /^w/.test(about(each)));
		expect(wrong.map(({ changed }) => changed)).toEqual([
			{ texts: [0] },
			{ texts: 'x' },
			{ numbers: ['x'] },
			{ numbers: 'x' },
		]);
	});

	it('respect what the schema says of unknown properties', async () => {
		const cases = await casesOf({ type: 'object', properties: {}, additionalProperties: false });
		expect(cases.at(-1)?.allowed).toBe(false);
	});
});
