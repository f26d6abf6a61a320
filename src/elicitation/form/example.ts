import { type Json, type JsonObject, own, plainObject } from '../json.ts';
import { inDoubles, isExact, type Numeric } from '../jsonText.ts';
import type { Field, ListField, NumberField, TextField } from './fields.ts';
import { Flattener } from './flatten.ts';
import { initialInputs, toContent } from './inputs.ts';
import { firstFields } from './readFields.ts';
import { samplePattern } from './samplePattern.ts';
import { TEXT_FORMATS } from './textFormats.ts';
import type { Validator, Verdict } from './validate.ts';

/** Max length of a generated text. */
const MAX_LENGTH = 100_000;

/** Generated content and its validation result. */
export interface Example {
	readonly content: JsonObject;
	readonly verdict: Verdict;
}

/**
 * Generates minimal content for a form: its defaults, and the smallest valid value for each required field without one.
 * If none is found, the verdict says so.
 */
export async function exampleContent(schema: JsonObject, validator: Validator): Promise<Example> {
	const fields = firstFields(schema);
	const proposed = toContent(fields, initialInputs(fields)).content;
	const entries: [string, Json][] = [];
	for (const field of fields) {
		const value =
			own(proposed, field.key) ?? (field.required ? await exampleValue(schema, field, validator) : undefined);
		if (value !== undefined) {
			entries.push([field.key, value]);
		}
	}
	const content = plainObject(entries);
	return { content, verdict: await validator.validate(schema, content) };
}

/** The smallest value that the field allows; undefined if none is found. */
export async function exampleValue(schema: JsonObject, field: Field, validator: Validator): Promise<Json | undefined> {
	const alone = schemaOf(schema, field.key);
	for (const value of candidates(field)) {
		const { status } = await validator.validate(alone, plainObject([[field.key, value]]));
		if (status !== 'invalid') {
			return value;
		}
	}
	return undefined;
}

/** The schema reduced to one property. */
function schemaOf(schema: JsonObject, key: string): JsonObject {
	const property = own(own(new Flattener(schema).fold(schema) ?? schema, 'properties'), key) ?? true;
	const shared = ['$schema', '$id', '$defs', 'definitions'].flatMap((name): [string, Json][] => {
		const value = own(schema, name);
		return value === undefined ? [] : [[name, value]];
	});
	return plainObject([
		...shared,
		['type', 'object'],
		['properties', plainObject([[key, property]])],
		['required', [key]],
	]);
}

/** Values that a field probably allows, smallest first. */
export function candidates(field: Field): Json[] {
	switch (field.kind) {
		case 'text':
			return texts(field);
		case 'number':
			return numbers(field);
		case 'boolean':
			return [false, true];
		case 'choice':
			return field.options.map(({ value }) => value);
		case 'choices':
			return [field.options.slice(0, field.minItems ?? 0).map(({ value }) => value)];
		case 'list':
			return [entriesOf(field, field.minItems ?? 0)];
		case 'const':
			return [field.value];
		case 'json':
			return [null, false, 0, '', [], {}, 'a', ['a'], [0]];
	}
}

/** Generates distinct entries for a free list. */
export function entriesOf({ item }: ListField, count: number): (string | number)[] {
	return Array.from({ length: Math.min(count, 1_000) }, (_each, at) => (item === 'text' ? `entry ${at + 1}` : at));
}

function texts({ format, pattern, minLength = 0, maxLength = MAX_LENGTH }: TextField): string[] {
	const known = TEXT_FORMATS.get(format ?? '')?.example;
	// Most servers treat an empty text as missing.
	const length = Math.max(Math.min(Math.max(minLength, 1), maxLength), 0);
	const plain = length <= MAX_LENGTH ? ['a'.repeat(length)] : [];
	const sampled =
		pattern === undefined ? [] : [0, 1, 2, 4, 8, length].flatMap((more) => samplePattern(pattern, more) ?? []);
	return [...(known === undefined ? [] : [known]), ...new Set(sampled), ...plain, ''];
}

function numbers(field: NumberField): Numeric[] {
	const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = inDoubles(field);
	const step = stepOf(field);
	const least = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
	const most = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
	const up = Math.ceil(least / step) * step;
	const down = Math.floor(most / step) * step;
	const between = integer ? [] : [(least + most) / 2];
	const found = [0, least, up, up + step, most, down, down - step, ...between];
	return [
		...new Set(found.filter((value) => Number.isFinite(value) && least <= value && value <= most)),
		...[field.minimum, field.maximum].filter(isExact),
	];
}

/** The difference between adjacent valid numbers. */
export function stepOf(field: NumberField): number {
	const { multipleOf, integer } = inDoubles(field);
	return multipleOf !== undefined && multipleOf > 0 ? multipleOf : integer ? 1 : 0.5;
}
