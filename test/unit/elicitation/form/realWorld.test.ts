import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { blockedBy, findingsOf } from '../../../../src/elicitation/findings/findings.ts';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { initialInputs, type Problem } from '../../../../src/elicitation/form/inputs.ts';
import { readElicitation } from '../../../../src/elicitation/request.ts';
import { english, render, type Sentence } from '../../../../src/elicitation/sentence.ts';
import { cases, FILES, type RealWorldCase, ROWS } from '../../../field/schemas/case.ts';
import { entered } from '../../../field/schemas/person.ts';
import { Bench } from '../../validation/validationBench.ts';

const bench = new Bench();
const words = (sentence: Sentence | undefined) => sentence && render(sentence, english);

describe('the cases', () => {
	const json = (file: string) => JSON.parse(readFileSync(`test/field/schemas/${file}`, 'utf8'));
	const ajv = new Ajv2020({ allowUnionTypes: true });
	const validate = ajv.compile(json('cases.schema.json'));

	it.each(FILES)('of %s are as their schema says', (file) => {
		expect(validate(json(file)), ajv.errorsText(validate.errors)).toBe(true);
	});

	it('have names of their own, and one outcome', () => {
		const titles = cases.map(({ row, name }) => `${row}: ${name}`);
		expect(new Set(titles).size).toBe(titles.length);
		for (const { name, content, problems, blocked } of cases) {
			expect([name, [content, problems, blocked].filter((outcome) => outcome !== undefined).length]).toEqual([name, 1]);
		}
	});
});

/** What a field is, with the labels and values of its options, as far as a case says it. */
function factsOf(field: Field, { absent = [], ...facts }: Readonly<Record<string, unknown>>): object {
	const options = 'options' in field ? field.options : [];
	const all = { ...field, labels: options.map(({ label }) => label), values: options.map(({ value }) => value) };
	const stated = Object.keys(facts).map((key) => [key, Object.hasOwn(all, key) ? all[key as never] : undefined]);
	const missing = (absent as readonly (keyof typeof all)[]).filter((key) => all[key] === undefined);
	return { ...Object.fromEntries(stated), ...(missing.length > 0 && { absent: missing }) };
}

async function outcomeOf(form: Form, { params, enter }: RealWorldCase): Promise<object> {
	const blocked = words(blockedBy(params));
	const { content, problems, notes = [] } = await form.review(entered(form.fields, initialInputs(form.fields), enter));
	if (blocked !== undefined) {
		return { blocked };
	}
	const line = ({ field, message }: Problem) => {
		const key = field === undefined ? undefined : form.fields[field]?.key;
		return key === undefined ? words(message) : `${key}: ${words(message)}`;
	};
	const lines = problems.map(line);
	return {
		// Compares text, to check the order of properties and names that objects cannot distinguish.
		...(lines.length === 0 ? { content: JSON.stringify(content) } : { problems: lines }),
		...(notes.length > 0 && { notes: notes.map(line) }),
	};
}

describe.each(ROWS)('%s', (row) => {
	it.each(cases.filter((candidate) => candidate.row === row))('$name', async (realWorld) => {
		const intake = readElicitation(realWorld.params);
		if (!intake.ok || intake.request.mode !== 'form') {
			throw new Error('The request was not taken for a form.');
		}
		const form = new Form(intake.request.requestedSchema, bench);
		const { fields, content, problems, blocked, notes, findings } = realWorld;

		if (fields) {
			expect(form.fields.map((field, at) => factsOf(field, fields[at] ?? {}))).toEqual(fields);
		}
		expect(await outcomeOf(form, realWorld)).toEqual({
			...(content !== undefined && { content: JSON.stringify(content) }),
			...(problems && { problems }),
			...(blocked !== undefined && { blocked }),
			...(notes && { notes }),
		});
		expect(findingsOf(realWorld.params, '2025-11-25').map(({ rule }) => rule)).toEqual(findings);
	});
});
