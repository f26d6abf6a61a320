import { type Json, type JsonObject, own, plainObject } from '../json.ts';
import { inDoubles } from '../jsonText.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { candidates, entriesOf, exampleValue, stepOf } from './example.ts';
import type { ChoiceField, ChoicesField, Field, ListField, NumberField, TextField } from './fields.ts';
import { sameJson } from './flatten.ts';
import { firstFields } from './readFields.ts';
import type { Validator } from './validate.ts';

/** No further fields are tested once there are this many cases. */
export const MAX_CASES = 200;

/** Far longer than expected (characters, entries). */
const FAR_LONGER = 10_000;
const MAX_LENGTH = 100_000;
const MAX_ENTRIES = 1_000;

/** Name of a property that no form has. */
const UNKNOWN = 'not a property of this form';

/** Content at or just beyond a limit of a form. */
export interface BoundaryCase {
	/** Contains raw server text. */
	readonly name: Sentence;
	readonly content: JsonObject;
	/** The changed member; undefined if a member is missing instead. */
	readonly changed: JsonObject | undefined;
	/** Whether the form's schema allows it; undefined if that could not be checked. */
	readonly allowed: boolean | undefined;
}

/** A test value for a field, or its absence. */
interface Edge {
	readonly name: Sentence;
	readonly value: Json | undefined;
}

/**
 * Varies valid content in one place: at its limits, just beyond them, of the wrong type, or missing. Contains no
 * duplicates.
 * @param valid content that the schema allows
 */
export async function boundaryCases(
	schema: JsonObject,
	valid: JsonObject,
	validator: Validator,
): Promise<BoundaryCase[]> {
	const cases = new Map<string, Pick<BoundaryCase, 'name' | 'content' | 'changed'>>();
	const add = (name: Sentence, key?: string, value?: Json) => {
		const content = key === undefined ? valid : withValue(valid, key, value);
		const identity = JSON.stringify(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)));
		if (!cases.has(identity)) {
			const changed = key === undefined ? valid : value === undefined ? undefined : plainObject([[key, value]]);
			cases.set(identity, { name, content, changed });
		}
	};
	add(localizable('All valid'));
	for (const field of firstFields(schema)) {
		if (cases.size >= MAX_CASES) {
			break;
		}
		const usual = own(valid, field.key) ?? (await exampleValue(schema, field, validator));
		for (const { name, value } of [...edges(field), ...presence(field, usual)]) {
			add(localizable('{0}: {1}', field.label, name), field.key, value);
		}
	}
	add(localizable('An unknown property'), UNKNOWN, 'x');
	return Promise.all(
		[...cases.values()].map(async (each) => {
			const { status } = await validator.validate(schema, each.content);
			return { ...each, allowed: status === 'unchecked' ? undefined : status === 'valid' };
		}),
	);
}

function withValue(content: JsonObject, key: string, value: Json | undefined): JsonObject {
	const others = Object.entries(content).filter(([name]) => name !== key);
	return plainObject(value === undefined ? others : [...others, [key, value]]);
}

/** Present or absent. */
function presence({ required }: Field, usual: Json | undefined): Edge[] {
	return [
		...(usual === undefined || required ? [] : [{ name: localizable('present'), value: usual }]),
		{ name: required ? localizable('missing') : localizable('left out'), value: undefined },
	];
}

function edges(field: Field): Edge[] {
	switch (field.kind) {
		case 'text':
			return textEdges(field);
		case 'number':
			return numberEdges(field);
		case 'boolean':
			return [
				{ name: localizable('true'), value: true },
				{ name: localizable('false'), value: false },
				...mistyped('true'),
			];
		case 'choice':
			return choiceEdges(field);
		case 'choices':
		case 'list':
			return listEdges(field);
		case 'const':
			return [
				{ name: localizable('another value'), value: sameJson(field.value, 'x') ? 'y' : 'x' },
				...mistyped(undefined),
			];
		case 'json':
			return mistyped(undefined);
	}
}

/** Values of the wrong type. */
function mistyped(value: Json | undefined): Edge[] {
	return [
		...(value === undefined ? [] : [{ name: localizable('wrong type'), value }]),
		{ name: localizable('null'), value: null },
	];
}

function textEdges(field: TextField): Edge[] {
	const { format, pattern, minLength = 0, maxLength } = field;
	const edge = (name: Sentence, length: number): Edge[] =>
		length >= 0 && length <= MAX_LENGTH ? [{ name, value: 'a'.repeat(length) }] : [];
	// The length of a text with a format or pattern cannot be chosen freely.
	const lengths =
		format !== undefined || pattern !== undefined
			? []
			: [
					...(minLength > 0
						? [
								...edge(localizable('the shortest'), minLength),
								...edge(localizable('1 character too short'), minLength - 1),
							]
						: []),
					...(maxLength === undefined
						? []
						: [
								...edge(localizable('the longest'), maxLength),
								...edge(localizable('1 character too long'), maxLength + 1),
							]),
				];
	return [
		...lengths,
		...edge(localizable('empty'), 0),
		...edge(localizable('very long'), Math.max(FAR_LONGER, (maxLength ?? 0) * 2)),
		...(format === undefined ? [] : [{ name: localizable('not in the format {0}', format), value: '\u2603 not this' }]),
		...(pattern === undefined ? [] : [{ name: localizable('not matching the pattern'), value: '\u2603' }]),
		...mistyped(0),
	];
}

function numberEdges(field: NumberField): Edge[] {
	const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = inDoubles(field);
	const step = stepOf(field);
	const at = (bound: number | undefined, sides: (bound: number) => Edge[]) => (bound === undefined ? [] : sides(bound));
	const [usual = 0] = candidates(field);
	return [
		...at(minimum, (bound) => [
			{ name: localizable('the minimum'), value: bound },
			{ name: localizable('just below the minimum'), value: bound - step },
		]),
		...at(exclusiveMinimum, (bound) => [
			{ name: localizable('just above the excluded minimum'), value: bound + step },
			{ name: localizable('the excluded minimum'), value: bound },
		]),
		...at(maximum, (bound) => [
			{ name: localizable('the maximum'), value: bound },
			{ name: localizable('just above the maximum'), value: bound + step },
		]),
		...at(exclusiveMaximum, (bound) => [
			{ name: localizable('just below the excluded maximum'), value: bound - step },
			{ name: localizable('the excluded maximum'), value: bound },
		]),
		...(integer ? [{ name: localizable('a fraction'), value: Number(usual) + 0.5 }] : []),
		...at(multipleOf, (factor) => [
			{ name: localizable('not a multiple of {0}', factor), value: Number(usual) + factor / 2 },
		]),
		...mistyped(String(usual)),
	];
}

function choiceEdges({ options }: ChoiceField): Edge[] {
	const values = options.map(({ value }) => value);
	return [
		...[values[0], values.at(-1)].flatMap((value, at) =>
			value === undefined
				? []
				: [{ name: at === 0 ? localizable('the first option') : localizable('the last option'), value }],
		),
		{ name: localizable('not an option'), value: unlistedValue(values) },
		...mistyped(typeof values[0] === 'string' ? 0 : '0'),
	];
}

function listEdges(field: ChoicesField | ListField): Edge[] {
	const { minItems = 0, maxItems } = field;
	const some = (count: number) =>
		field.kind === 'list' ? entriesOf(field, count) : field.options.slice(0, count).map(({ value }) => value);
	const edge = (name: Sentence, count: number): Edge[] => {
		const value = count >= 0 && count <= MAX_ENTRIES ? some(count) : [];
		// There may not be enough options.
		return value.length === count ? [{ name, value }] : [];
	};
	const wrong =
		field.kind === 'list' ? (field.item === 'text' ? 0 : 'x') : unlistedValue(field.options.map(({ value }) => value));
	return [
		...edge(localizable('as few as possible'), minItems),
		...edge(localizable('1 too few'), minItems - 1),
		...(maxItems === undefined
			? []
			: [...edge(localizable('as many as possible'), maxItems), ...edge(localizable('1 too many'), maxItems + 1)]),
		...edge(localizable('empty'), 0),
		{ name: localizable('with a wrong entry'), value: [...some(Math.max(minItems - 1, 0)), wrong] },
		...mistyped('x'),
	];
}

/** A text that is not among the values. */
function unlistedValue(values: readonly Json[]): string {
	let text = 'not an option';
	while (values.includes(text)) {
		text += '!';
	}
	return text;
}
