import { isObject, type Json, type JsonObject, own, plainObject } from '../json.ts';
import { digitsOf, isNumeric, isText, type Numeric, writeJson } from '../jsonText.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { type ChoicesField, type Field, isOptional, type ListField } from './fields.ts';
import { sameJson } from './flatten.ts';
import { readJson, readNumber } from './literals.ts';

/**
 * The raw input of one field. `null` and the empty text mean that the field is blank: the property is omitted, or sent
 * as `null` if a required field allows it. Where the empty text is the default, it is a value, and only `null` is blank.
 */
export type Input =
	| { readonly kind: 'text'; readonly text: string | null }
	| { readonly kind: 'boolean'; readonly value: boolean | null }
	| { readonly kind: 'choice'; readonly index: number | null }
	| { readonly kind: 'choices'; readonly indexes: readonly number[] | null }
	| { readonly kind: 'list'; readonly items: readonly string[] | null }
	| { readonly kind: 'const' };

/** A problem with the input. `field` is the index of the field; absent if the problem concerns the whole content. */
export interface Problem {
	readonly field?: number;
	readonly message: Sentence;
}

/** The result of reading a field: blank, a value, or a problem. */
type Reading = undefined | { readonly value: Json } | { readonly problem: Sentence };

/** The initial inputs of a form. Prefills every default including falsy ones (F12), and nothing else. */
export function initialInputs(fields: readonly Field[]): Input[] {
	return fields.map(initialInput);
}

function initialInput(field: Field): Input {
	switch (field.kind) {
		case 'text':
			return { kind: 'text', text: field.default ?? '' };
		case 'number':
			return { kind: 'text', text: field.default === undefined ? '' : digitsOf(field.default) };
		case 'json':
			return { kind: 'text', text: field.default === undefined ? '' : writeJson(field.default, 2) };
		case 'boolean':
			return { kind: 'boolean', value: field.default ?? null };
		case 'choice':
			return { kind: 'choice', index: field.default ?? null };
		case 'choices':
			return { kind: 'choices', indexes: field.default ?? null };
		case 'list':
			return { kind: 'list', items: field.default?.map(digitsOf) ?? null };
		case 'const':
			return { kind: 'const' };
	}
}

/** Converts inputs to content. Untouched optional fields are omitted. */
export function toContent(
	fields: readonly Field[],
	inputs: readonly Input[],
): { content: JsonObject; problems: Problem[] } {
	const entries: [string, Json][] = [];
	const problems: Problem[] = [];
	for (const [index, field] of fields.entries()) {
		if (!isActive(field, inputs)) {
			continue;
		}
		const reading = read(field, inputs[index]);
		if (reading === undefined) {
			if (field.required && field.nullable) {
				entries.push([field.key, null]);
			} else if (field.required) {
				problems.push({ field: index, message: localizable('This is required.') });
			}
		} else if ('problem' in reading) {
			problems.push({ field: index, message: reading.problem });
		} else if (field.kind === 'json' && field.whole) {
			entries.push(...Object.entries(isObject(reading.value) ? reading.value : {}));
			if (!isObject(reading.value)) {
				problems.push({ field: index, message: localizable('A JSON object is required, in braces.') });
			}
		} else if (field.kind !== 'choice' || !field.unsent) {
			entries.push([field.key, reading.value]);
		}
	}
	return { content: plainObject(entries), problems };
}

/** True if a field is part of the form with these inputs: it may belong to an alternative that is not chosen. */
export function isActive({ variant }: Field, inputs: readonly Input[]): boolean {
	const choice = variant && inputs[variant.field];
	return (
		variant === undefined ||
		(choice?.kind === 'choice' && choice.index !== null && variant.options.includes(choice.index))
	);
}

/** An input of the wrong kind cannot come from our form and counts as blank. */
function read(field: Field, input: Input | undefined): Reading {
	if (field.kind === 'const') {
		return { value: field.value };
	}
	switch (input?.kind) {
		case 'text':
			return input.text === null ? undefined : readText(field, input.text);
		case 'boolean':
			return field.kind === 'boolean' && input.value !== null ? { value: input.value } : undefined;
		case 'choice':
			return field.kind === 'choice' && input.index !== null ? member(field.options[input.index]) : undefined;
		case 'choices':
			return field.kind === 'choices' && input.indexes !== null
				? all([...new Set(input.indexes)].map((index) => member(field.options[index])).entries())
				: undefined;
		case 'list':
			return field.kind === 'list' && input.items !== null ? readList(field, input.items) : undefined;
		default:
			return undefined;
	}
}

function readText(field: Field, text: string): Reading {
	switch (field.kind) {
		case 'text':
			return text === '' && field.default !== '' ? undefined : { value: text };
		case 'number':
			return text.trim() === '' ? undefined : readNumber(text, field.integer);
		case 'json':
			return text.trim() === '' ? undefined : readJson(text);
		case 'boolean':
		case 'choice':
		case 'choices':
		case 'list':
		case 'const':
			return undefined;
	}
}

function member(option: { readonly value: Json } | undefined): Reading {
	return option === undefined ? { problem: localizable('Must be one of the listed values.') } : { value: option.value };
}

function readList(field: ListField, items: readonly string[]): Reading {
	const rows = filledRows(field, items);
	if (rows.length === 0 && items.length > 0) {
		return undefined;
	}
	return all(
		rows.map((row) => {
			const item = items[row] ?? '';
			return [row, field.item === 'text' ? { value: item } : readNumber(item, field.item === 'integer')];
		}),
	);
}

/** The rows of a list that are sent. Blank entries are unused rows, unless the server itself proposed a blank entry. */
export function filledRows(field: ListField, items: readonly string[]): readonly number[] {
	return items.flatMap((item, row) => (item.trim() !== '' || keepsBlank(field, item) ? [row] : []));
}

function keepsBlank(field: ListField, item: string): boolean {
	return field.item === 'text' && (item !== '' || field.default?.includes('') === true);
}

function all(readings: Iterable<readonly [row: number, Reading]>): Reading {
	const values: Json[] = [];
	for (const [row, reading] of readings) {
		if (reading === undefined || 'problem' in reading) {
			return reading && { problem: localizable('Entry {0}: {1}', row + 1, reading.problem) };
		}
		values.push(reading.value);
	}
	return { value: values };
}

/**
 * Converts content to inputs, for switching from JSON back to the form. `rest` holds unknown properties and values that
 * the field's control cannot represent.
 */
export function toInputs(fields: readonly Field[], content: Json): { inputs: Input[]; rest: JsonObject } {
	const rest = new Map(isObject(content) ? Object.entries(content) : []);
	if (fields.some((field) => field.kind === 'json' && field.whole)) {
		return { inputs: [{ kind: 'text', text: rest.size === 0 ? '' : writeJson(content, 2) }], rest: {} };
	}
	const chosen: Input = { kind: 'choice', index: alternativeOf(fields, content) };
	const inputs = fields.map((field): Input => {
		if (field.kind === 'choice' && field.unsent) {
			return chosen;
		}
		const value = isActive(field, [chosen]) ? own(content, field.key) : undefined;
		// A blank required field that allows `null` is sent as `null`.
		const input =
			value === null && field.required && field.nullable ? blank(field) : value !== undefined && show(field, value);
		if (input) {
			rest.delete(field.key);
		}
		return input || blank(field);
	});
	return { inputs, rest: plainObject(rest) };
}

/** The alternative that content is of: the one that it names, or else whose fields it has. `null` if it has none. */
function alternativeOf(fields: readonly Field[], content: Json): number | null {
	const [choice] = fields;
	if (choice?.kind !== 'choice' || !fields.some(({ variant }) => variant)) {
		return null;
	}
	if (!choice.unsent) {
		const named = choice.options.findIndex(({ value }) => sameJson(value, own(content, choice.key) ?? null));
		return named < 0 ? null : named;
	}
	const scores = choice.options.map((_, option) => {
		const its = fields.filter(({ variant }) => variant?.options.includes(option));
		const held = its.filter(({ key }) => own(content, key) !== undefined).length;
		const lacking = its.filter(({ key, required }) => required && own(content, key) === undefined).length;
		return held === 0 ? 0 : held / (1 + lacking);
	});
	const best = Math.max(...scores);
	return best > 0 ? scores.indexOf(best) : null;
}

/** The input of a field that is left out. */
export function blank(field: Field): Input {
	const { kind } = field;
	switch (kind) {
		case 'text':
			return { kind, text: field.default === '' ? null : '' };
		case 'number':
		case 'json':
			return { kind: 'text', text: '' };
		case 'boolean':
			return { kind, value: null };
		case 'choice':
			return { kind, index: null };
		case 'choices':
			return { kind, indexes: null };
		case 'list':
			return { kind, items: null };
		case 'const':
			return { kind };
	}
}

/** The empty value of a field: a value of its own beside no answer. Undefined if there is none, or if it could not be sent. */
export function emptyValue(field: Field): Input | undefined {
	switch (field.kind) {
		case 'text':
			return field.default === '' ? { kind: 'text', text: '' } : undefined;
		case 'choices':
			return (field.minItems ?? 0) > 0 ? undefined : { kind: 'choices', indexes: [] };
		case 'list':
			return (field.minItems ?? 0) > 0 ? undefined : { kind: 'list', items: [] };
		default:
			return undefined;
	}
}

/**
 * What is left when the last of several is taken away: the empty list where that is the only answer, or what the server
 * proposes; otherwise no answer.
 */
export function emptied(field: ChoicesField | ListField): Input {
	const isAnswer = !isOptional(field) || field.default?.length === 0;
	const none = isAnswer ? [] : null;
	return field.kind === 'choices' ? { kind: 'choices', indexes: none } : { kind: 'list', items: none };
}

/** The input that produces `value`, or undefined if the control cannot represent it. */
function show(field: Field, value: Json): Input | undefined {
	switch (field.kind) {
		case 'text':
			return isText(value) && (value !== '' || field.default === '') ? { kind: 'text', text: value } : undefined;
		case 'number':
			return isNumeric(value) ? { kind: 'text', text: digitsOf(value) } : undefined;
		case 'json':
			return { kind: 'text', text: writeJson(value, 2) };
		case 'boolean':
			return typeof value === 'boolean' ? { kind: 'boolean', value } : undefined;
		case 'choice': {
			const index = field.options.findIndex((option) => sameJson(option.value, value));
			return index < 0 ? undefined : { kind: 'choice', index };
		}
		case 'choices':
			return Array.isArray(value) ? showChoices(field.options, value) : undefined;
		case 'list':
			return Array.isArray(value) ? showList(field, value) : undefined;
		case 'const':
			return sameJson(field.value, value) ? { kind: 'const' } : undefined;
	}
}

function showChoices(options: readonly { readonly value: Json }[], values: readonly Json[]): Input | undefined {
	const indexes = values.map((value) => options.findIndex((option) => sameJson(option.value, value)));
	return indexes.includes(-1) || new Set(indexes).size < indexes.length ? undefined : { kind: 'choices', indexes };
}

function showList(field: ListField, values: readonly Json[]): Input | undefined {
	const fits = (value: Json) =>
		field.item === 'text' ? isText(value) && (value !== '' || keepsBlank(field, value)) : isNumeric(value);
	return values.every(fits) ? { kind: 'list', items: values.map((value) => digitsOf(value as Numeric)) } : undefined;
}

/** What stands in a text control. */
export function textOf(input: Input | undefined): string {
	return input?.kind === 'text' ? (input.text ?? '') : '';
}

/** True if the input is blank. A constant never is. */
export function isBlank(input: Input | undefined): boolean {
	switch (input?.kind) {
		case 'text':
			return !input.text;
		case 'boolean':
			return input.value === null;
		case 'choice':
			return input.index === null;
		case 'choices':
			return input.indexes === null;
		case 'list':
			return input.items === null;
		default:
			return false;
	}
}
