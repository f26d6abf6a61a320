import { describe, expect, it } from 'vitest';
import { blockedBy, findingsOf } from '../../../../src/elicitation/findings/findings.ts';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { initialInputs } from '../../../../src/elicitation/form/inputs.ts';
import { readElicitation } from '../../../../src/elicitation/request.ts';
import { english, render, type Sentence } from '../../../../src/elicitation/sentence.ts';
import { type RealWorldCase, ROWS } from '../../../realWorld/case.ts';
import { cases } from '../../../realWorld/cases.ts';
import { entered } from '../../../realWorld/person.ts';
import { Bench } from '../../validation/validationBench.ts';

const bench = new Bench();
const words = (sentence: Sentence | undefined) => sentence && render(sentence, english);

describe('the table', () => {
	it('has at least 150 cases, each with a name of its own and one outcome', () => {
		expect(cases.length).toBeGreaterThanOrEqual(150);
		const titles = cases.map(({ row, name }) => `${row}: ${name}`);
		expect(new Set(titles).size).toBe(titles.length);
		for (const { name, content, problems, blocked } of cases) {
			expect([name, [content, problems, blocked].filter((outcome) => outcome !== undefined).length]).toEqual([name, 1]);
		}
	});

	it.each(ROWS)('has several cases of: %s', (row) => {
		expect(cases.filter((candidate) => candidate.row === row).length).toBeGreaterThanOrEqual(3);
	});
});

/** A field with the labels and values of its options, as in the expected results. */
function factsOf(field: Field): object {
	const options = 'options' in field ? field.options : [];
	return { ...field, labels: options.map(({ label }) => label), values: options.map(({ value }) => value) };
}

/** Absent keys are expected to be `undefined`. */
function pick(from: object, keys: readonly string[]): object {
	return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(from, key) ? from[key as never] : undefined]));
}

async function outcomeOf(form: Form, realWorld: RealWorldCase): Promise<object> {
	const blocked = words(blockedBy(realWorld.params));
	const { content, problems, unchecked } = await form.review(
		entered(form.fields, initialInputs(form.fields), realWorld.enter),
	);
	if (blocked !== undefined) {
		return { blocked };
	}
	const lines = problems.map(({ field, message }) => {
		const key = field === undefined ? undefined : form.fields[field]?.key;
		return key === undefined ? words(message) : `${key}: ${words(message)}`;
	});
	return {
		// Compares text, to check the order of properties and names that objects cannot distinguish.
		...(lines.length === 0 ? { content: JSON.stringify(content) } : { problems: lines }),
		...(unchecked && { unchecked: words(unchecked) }),
	};
}

describe.each(ROWS)('%s', (row) => {
	it.each(cases.filter((candidate) => candidate.row === row))('$name', async (realWorld) => {
		const intake = readElicitation(realWorld.params);
		if (!intake.ok || intake.request.mode !== 'form') {
			throw new Error('The request was not taken for a form.');
		}
		const form = new Form(intake.request.requestedSchema, bench);
		const { fields, content, problems, blocked, unchecked, findings } = realWorld;

		if (fields) {
			expect(form.fields.map((field, at) => pick(factsOf(field), Object.keys(fields[at] ?? {})))).toEqual(fields);
		}
		expect(await outcomeOf(form, realWorld)).toEqual({
			...(content !== undefined && { content: JSON.stringify(content) }),
			...(problems && { problems }),
			...(blocked !== undefined && { blocked }),
			...(unchecked !== undefined && { unchecked }),
		});
		expect(findingsOf(realWorld.params, '2025-11-25').map(({ rule }) => rule)).toEqual(findings);
	});
});
