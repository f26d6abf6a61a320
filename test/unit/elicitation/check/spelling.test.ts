import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../../src/elicitation/check/check.ts';
import { fixOf } from '../../../../src/elicitation/check/fixes.ts';
import { patternProblems } from '../../../../src/elicitation/check/patterns.ts';
import { meantBy } from '../../../../src/elicitation/check/spelling.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { Bench } from '../../validation/validationBench.ts';
import { applyEdits } from './applyEdits.ts';

function of(property: JsonObject, more: JsonObject = {}): JsonObject {
	return { message: 'm', requestedSchema: { type: 'object', properties: { p: property }, ...more } };
}

describe('a misspelled keyword', () => {
	it.each([
		['tittle', 'title'],
		['Title', 'title'],
		['tpye', 'type'],
		['maxlength', 'maxLength'],
		['minimun', 'minimum'],
		['desciption', 'description'],
		['oneof', 'oneOf'],
		['requird', 'required'],
		['additionalProprties', 'additionalProperties'],
	])('%s is told from %s', (written, meant) => {
		expect(meantBy(written)).toBe(meant);
	});

	it.each([
		'title',
		'enumNames',
		'if',
		'id',
		'not',
		'x-title',
		'$titel',
		'hint',
		'label',
		'unit',
		'name',
		'placeholder',
		'',
	])('%j is none', (name) => {
		expect(meantBy(name)).toBeUndefined();
	});

	it('is found at every depth, but not among names and values, and renamed on request', () => {
		const params = of(
			{ type: 'array', items: { type: 'string', Enum: ['a'] }, default: [{ tittle: 1 }] },
			{ propertes: {}, Required: ['p'], $defs: { tittle: { minimun: 1 } } },
		);
		const found = check(params).filter(({ rule }) => rule === 'misspelled');
		expect(found.map(({ pointer, message }) => `${pointer} ${render(message, english)}`)).toEqual([
			'/requestedSchema/Required The keyword "Required" is unknown. Did you mean "required"?',
			'/requestedSchema/$defs/tittle/minimun The keyword "minimun" is unknown. Did you mean "minimum"?',
			'/requestedSchema/properties/p/items/Enum The keyword "Enum" is unknown. Did you mean "enum"?',
		]);
		const fix = found[2]?.finding && fixOf(params, found[2].finding);
		expect(fix && render(fix.title, english)).toBe('Rename it to "enum"');
		expect(JSON.stringify(applyEdits(params, fix?.edits ?? []))).toContain('{"type":"string","enum":["a"]}');
	});

	it('is looked for in everything that a server may send', () => {
		fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => void meantBy(name)));
	});
});

describe('a pattern', () => {
	const bench = new Bench();

	it('that does not compile is told with the reason, which the worker finds', async () => {
		const params = of({
			type: 'array',
			items: { type: 'string', pattern: '^[a-z' },
			properties: { pattern: { pattern: '(' }, good: { pattern: '^\\-\\@$' } },
			default: { pattern: '[' },
		});
		const found = await patternProblems(params, bench);
		expect(found.map(({ pointer, message }) => `${pointer} ${render(message, english)}`)).toEqual([
			'/requestedSchema/properties/p/items/pattern Not checked here: the pattern ^[a-z does not compile in JavaScript (Unterminated character class).',
			'/requestedSchema/properties/p/properties/pattern/pattern Not checked here: the pattern ( does not compile in JavaScript (Unterminated group).',
		]);
	});
});
