import { formatNames } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleContent } from '../../../../src/elicitation/form/example.ts';
import { samplePattern } from '../../../../src/elicitation/form/samplePattern.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { runs } from '../../../nightly.ts';
import { tableRows } from '../../../tableRows.ts';
import { requestedSchemas } from '../../editor/debugging/trials/schemas.ts';
import { Bench } from '../../validation/validationBench.ts';

const rows = tableRows(import.meta.url);

const bench = new Bench();

const form = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
	type: 'object',
	properties,
	required,
});

describe('generated content for a form', () => {
	it('is allowed by every schema of the specification that allows anything', async () => {
		await fc.assert(
			fc.asyncProperty(requestedSchemas, async (schema) => {
				const { content, verdict } = await exampleContent(schema, bench);
				expect([verdict.status, content]).toEqual(['valid', expect.anything()]);
			}),
			{ numRuns: runs(200, 40), seed: 20_261_121 },
		);
	});

	it('keeps what the form proposes and leaves out what is optional', async () => {
		const schema = form(
			{ who: { type: 'string', default: 'Ada' }, why: { type: 'string' }, sure: { type: 'boolean', default: false } },
			['who'],
		);
		expect((await exampleContent(schema, bench)).content).toEqual({ who: 'Ada', sure: false });
	});

	it.each<[JsonObject, Json]>(rows('smallest'))('has the smallest value for %j', async (property, value) => {
		const schema = { ...form({ p: property }), $defs: { age: { type: 'integer', minimum: 18 } } };
		const { content, verdict } = await exampleContent(schema, bench);
		expect(content).toEqual({ p: value });
		expect(verdict).toEqual({ status: 'valid' });
	});

	it.each(formatNames)('is found for the format %s', async (format) => {
		const { verdict } = await exampleContent(form({ p: { type: 'string', format } }), bench);
		expect(verdict).toEqual({ status: 'valid' });
	});

	it('reports if nothing is found', async () => {
		const { verdict } = await exampleContent(form({ p: { type: 'string', minLength: 5, maxLength: 2 } }), bench);
		expect(verdict.status).toBe('invalid');
	});
});

describe('a text made from a pattern', () => {
	it.each([
		'^\\d{5}(-\\d{4})?$',
		'^(foo|bar)+$',
		'^[^a-z]{2}$',
		'^[\\w.]+@[a-z]+\\.com$',
		'^v(?<major>\\d+)\\.\\d+$',
		'^(?:\\+49|0)[1-9]\\d{2,}$',
		'^[\\]^-]?x{2,3}$',
		'a.c',
	])('matches %s', (pattern) => {
		expect(samplePattern(pattern) ?? 'nothing').toMatch(new RegExp(pattern));
	});

	it.each(['(?=a)b', '(a)\\1', '\\p{L}', '(a', '[a', 'a{999}{999}', '[^\\u0000-\\uffff]'])(
		'is not made from %s',
		(pattern) => {
			expect(samplePattern(pattern)).toBeUndefined();
		},
	);

	it('takes no time, whatever a server sends', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'ab01[](){}^$|?*+.,\\d-😀') }), (pattern) => {
				expect(samplePattern(pattern)?.length ?? 0).toBeLessThanOrEqual(1_000_000);
			}),
			{ numRuns: runs(2_000, 500) },
		);
	});
});
