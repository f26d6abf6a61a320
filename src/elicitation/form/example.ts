import { type Json, type JsonObject, own, plainObject } from '../json.ts';
import { initialInputs, toContent } from './answer.ts';
import type { Field, ListField, NumberField, TextField } from './fields.ts';
import { Flattener } from './flatten.ts';
import { fieldsOf } from './readFields.ts';
import { samplePattern } from './samplePattern.ts';
import type { Validator, Verdict } from './validate.ts';

/** Texts longer than this are not made up (characters). */
const LONGEST = 100_000;

const OF_FORMAT: Readonly<Record<string, string>> = {
	email: 'a@example.com',
	'idn-email': 'a@example.com',
	uri: 'https://example.com/',
	'uri-reference': '/a',
	iri: 'https://example.com/',
	date: '2000-01-01',
	time: '00:00:00Z',
	'date-time': '2000-01-01T00:00:00Z',
	duration: 'P1D',
	uuid: '00000000-0000-4000-8000-000000000000',
	hostname: 'example.com',
	ipv4: '127.0.0.1',
	ipv6: '::1',
	'json-pointer': '/a',
	regex: 'a',
};

/** An answer made up for a form, and what its schema says to it. */
export interface Example {
	readonly content: JsonObject;
	readonly verdict: Verdict;
}

/**
 * The smallest answer that a form allows: what it proposes, and in required fields without a proposal the smallest value that
 * fits. Where none is found, the verdict says so.
 */
export async function exampleAnswer(schema: JsonObject, validator: Validator): Promise<Example> {
	const fields = fieldsOf(schema);
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

/** The smallest value that a field allows by itself; undefined where none is found. */
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

/** A form with this field alone. */
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

/** Values that a field may well allow, the smallest first. */
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

/** So many entries of a free list, each of them different. */
export function entriesOf({ item }: ListField, count: number): (string | number)[] {
	return Array.from({ length: Math.min(count, 1_000) }, (_each, at) => (item === 'text' ? `entry ${at + 1}` : at));
}

function texts({ format, pattern, minLength = 0, maxLength = LONGEST }: TextField): string[] {
	const known = own(OF_FORMAT, format ?? '');
	// To most servers an empty text is no answer.
	const length = Math.min(Math.max(minLength, 1), maxLength);
	const plain = length <= LONGEST ? ['a'.repeat(length)] : [];
	const sampled =
		pattern === undefined ? [] : [0, 1, 2, 4, 8, length].flatMap((more) => samplePattern(pattern, more) ?? []);
	return [...(typeof known === 'string' ? [known] : []), ...new Set(sampled), ...plain, ''];
}

function numbers(field: NumberField): number[] {
	const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field;
	const step = stepOf(field);
	const least = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
	const most = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
	const up = Math.ceil(least / step) * step;
	const down = Math.floor(most / step) * step;
	const between = integer ? [] : [(least + most) / 2];
	const found = [0, least, up, up + step, most, down, down - step, ...between];
	return [...new Set(found)].filter((value) => Number.isFinite(value) && least <= value && value <= most);
}

/** By how much a number differs from its neighbours. */
export function stepOf({ multipleOf, integer }: NumberField): number {
	return multipleOf !== undefined && multipleOf > 0 ? multipleOf : integer ? 1 : 0.5;
}
