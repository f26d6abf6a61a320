import type { Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../src/elicitation/form/fields.ts';
import { Form } from '../../../../src/elicitation/form/form.ts';
import { type Input, initialInputs, toContent, toInputs } from '../../../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import type { Validator } from '../../../../src/elicitation/form/validate.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { OPTIONS } from '../../../../src/validation/compile.ts';
import { explain } from '../../../../src/validation/explain.ts';
import { withoutContradictedFormats } from '../../../../src/validation/formats.ts';
import { neutralize } from '../../../../src/validation/neutralize.ts';
import { type Request, requests } from '../../../field/schemas/generator.ts';
import { runs } from '../../../nightly.ts';
import { Bench } from '../../validation/validationBench.ts';

/*
 * 10,000 schemas take about 35 s on one core; the limits below allow for a busy machine. The form runs schemas in this
 * thread with a shared validator that is replaced from time to time. A separate instance per schema, as in the
 * product's worker, takes about 7 ms, so it is used only for a sample, which must give the same results. A second
 * validator with the same options checks accepted content against the schema as the server sent it.
 */
const SCHEMAS = runs(10_000, 250);
const SAMPLE = runs(300, 40);

/** The schemas are the same in every run. Set WILD_SEED to use others. Failures report the seed and path. */
const run = { seed: Number(process.env.WILD_SEED ?? 20_261_121), verbose: fc.VerbosityLevel.None };

/** A validator that discards compiled schemas, so that 10,000 schemas fit into memory. */
class Shared {
	#ajv: Ajv2020;
	#uses = 0;

	constructor(private readonly options: Options) {
		this.#ajv = this.#create();
	}

	compile(schema: JsonObject) {
		if (++this.#uses % 500 === 0) {
			this.#ajv = this.#create();
		}
		return this.#ajv.compile(schema);
	}

	#create(): Ajv2020 {
		const ajv = new Ajv2020(this.options);
		(addFormats as unknown as (ajv: Ajv2020, options: { mode: 'full' }) => void)(ajv, { mode: 'full' });
		return ajv;
	}
}

// Only the yes-or-no result is used.
const plain = new Shared({ ...OPTIONS, allErrors: false, verbose: false });
const own = new Shared(OPTIONS);
let last: { text: string; schema: JsonObject; validate: ReturnType<Shared['compile']> } | undefined;

const inThisThread: Validator = {
	async validate(raw, content) {
		const text = JSON.stringify(raw);
		if (last?.text !== text) {
			const { schema: complete } = neutralize(raw);
			const schema = withoutContradictedFormats(complete, (part) => own.compile(part));
			last = { text, schema, validate: own.compile(schema) };
		}
		const { schema, validate } = last;
		return validate(content)
			? { status: 'valid' }
			: { status: 'invalid', violations: explain(validate.errors ?? [], schema) };
	},
};

const bench = new Bench();

/** The inputs after the user's actions: each field is untouched or has an input that fits it. */
function inputsOf(fields: readonly Field[], { acts }: Request): { inputs: Input[]; untouched: Set<string> } {
	const inputs = initialInputs(fields);
	const untouched = new Set<string>();
	fields.forEach((field, at) => {
		const act = acts[at % acts.length];
		const input = act?.(field);
		if (input === undefined) {
			untouched.add(field.key);
		} else {
			inputs[at] = input;
		}
	});
	return { inputs, untouched };
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Checks all invariants for one request and the actions on it. */
async function holds(request: Request): Promise<'accepted' | 'refused'> {
	const { schema, properties } = request;
	const form = new Form(schema, inThisThread);
	const { inputs, untouched } = inputsOf(form.fields, request);
	const read = toContent(form.fields, inputs);
	const review = await form.review(inputs);
	const accepted = review.problems.length === 0;

	// The form accepts exactly what the raw schema accepts without contradicted formats, provided that the inputs can be read.
	const decides = withoutContradictedFormats(copy(schema), (part) => plain.compile(part));
	const valid = plain.compile(decides)(copy(review.content)) === true;
	if (accepted || read.problems.length === 0) {
		expect(accepted).toBe(valid);
	}

	// Content contains only what the user entered or the schema proposes. As JSON, a user can enter anything.
	const isJson = form.fields.some((field) => 'whole' in field);
	for (const key of isJson ? [] : Object.keys(review.content)) {
		const property = properties.get(key);
		expect(property).toBeDefined();
		if (untouched.has(key) && property?.preset === false) {
			expect([key, property.required, review.content[key]]).toEqual([key, true, null]);
		}
	}

	// The result is the same for another copy of the schema.
	const again = new Form(copy(schema), inThisThread);
	expect(again.fields).toEqual(form.fields);
	expect(JSON.stringify(await again.review(inputs))).toBe(JSON.stringify(review));

	// Converting to JSON and back to inputs is lossless.
	if (read.problems.length === 0) {
		const back = toInputs(form.fields, copy(read.content));
		expect(Object.keys(back.rest)).toEqual([]);
		expect(JSON.stringify(toContent(form.fields, back.inputs).content)).toBe(JSON.stringify(read.content));
	}
	return accepted ? 'accepted' : 'refused';
}

describe('whatever a server asks and a user does', () => {
	it(`holds for ${SCHEMAS} schemas: valid, not invented, deterministic, reversible (F05, F12, F13)`, async () => {
		const counts = { accepted: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(requests, async (request) => {
				counts[await holds(request)]++;
			}),
			{ ...run, numRuns: SCHEMAS },
		);
		// The generator must produce enough of both.
		expect(counts.accepted).toBeGreaterThan(SCHEMAS / 10);
		expect(counts.refused).toBeGreaterThan(SCHEMAS / 10);
	}, 600_000);

	it('the worker comes to the same verdict', async () => {
		await fc.assert(
			fc.asyncProperty(requests, async (request) => {
				const fields = fieldsOf(request.schema);
				const { content } = toContent(fields, inputsOf(fields, request).inputs);
				const expected = await inThisThread.validate(request.schema, content);
				expect(await patiently(request.schema, content)).toEqual(copy(expected));
			}),
			{ ...run, numRuns: SAMPLE },
		);
	}, 600_000);
});

/** A busy machine may miss the worker's deadline. A schema that missed it is not run again, so retry with a copy. */
async function patiently(schema: JsonObject, content: JsonObject) {
	for (let attempt = 1; ; attempt++) {
		const verdict = await bench.validate(copy(schema), content);
		if (verdict.status !== 'unchecked' || attempt === 5) {
			return verdict;
		}
	}
}
