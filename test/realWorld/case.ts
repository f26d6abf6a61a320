import type { Json, JsonObject } from '../../src/elicitation/json.ts';

/** What real servers send besides what the specification shows, by the shape that is meant; `specified` is what it does show. */
export const ROWS = [
	'specified',
	'nullable',
	'reference',
	'typed enum',
	'const',
	'titles',
	'enumNames',
	'bounds',
	'formats',
	'password',
	'free array',
	'structure',
	'confirmation',
	'required',
	'default',
	'root',
	'auto title',
	'names',
	'alias',
	'contradiction',
	'multi-line',
	'large',
] as const;

/**
 * What a user does to one field: types a text, chooses an option by its label (Yes and No of a boolean), leaves exactly
 * these boxes ticked or these entries listed, or takes the answer away (`null`). What is not mentioned is left alone.
 */
export type Act = string | readonly string[] | null;

/** What must be true of a field; `labels` and `values` are those of its options. */
export type Facts = Readonly<Record<string, unknown>>;

/** One request of a server, what a user does with it, and what has to come of it. */
export interface RealWorldCase {
	readonly row: (typeof ROWS)[number];
	readonly name: string;
	/** The params of `elicitation/create`, as the server sends them. */
	readonly params: JsonObject;
	/** One entry per field, in their order; nothing is said about the fields where it is left out. */
	readonly fields?: readonly Facts[];
	readonly enter: readonly (readonly [key: string, act: Act])[];
	/** The content that is sent. */
	readonly content?: Json;
	/** Or what is wrong, in words: `key: sentence`, without a key for the answer as a whole. */
	readonly problems?: readonly string[];
	/** Or why nothing can be sent at all. */
	readonly blocked?: string;
	/** Why the schema cannot be run here, where that is so; the content is sent all the same. */
	readonly unchecked?: string;
	/** The rules of all findings in revision 2025-11-25. */
	readonly findings: readonly string[];
	/** Also entered by hand in a real editor, in both presentations. */
	readonly inEditor: boolean;
}

/** The outcome of a case with the one property `p`. */
interface Outcome {
	readonly enter?: Act;
	readonly field?: Facts;
	/** The value that is sent; `nothing` where the property is left out. */
	readonly sends?: Json | typeof nothing;
	readonly says?: string;
	readonly blocked?: string;
	readonly unchecked?: string;
	readonly findings?: readonly string[];
	readonly required?: true;
	/** Further members of the schema. */
	readonly root?: JsonObject;
	readonly inEditor?: true;
}

/** The property is absent from the content. */
export const nothing = Symbol('left out');

/** Cases of one property, which is called `p`. */
export function one(row: RealWorldCase['row'], name: string, property: Json, outcome: Outcome): RealWorldCase {
	const { enter, field, sends, says, root, required, findings = [], inEditor = false, ...rest } = outcome;
	return {
		row,
		name,
		params: {
			message: name,
			requestedSchema: { type: 'object', properties: { p: property }, ...(required && { required: ['p'] }), ...root },
		},
		...(field && { fields: [field] }),
		enter: enter === undefined ? [] : [['p', enter]],
		...(sends !== undefined && { content: sends === nothing ? {} : { p: sends } }),
		...(says !== undefined && { problems: [`p: ${says}`] }),
		...rest,
		findings,
		inEditor,
	};
}

/** Cases of whole schemas. */
export function form(
	row: RealWorldCase['row'],
	name: string,
	requestedSchema: Json,
	outcome: Omit<Partial<RealWorldCase>, 'row' | 'name' | 'params'>,
): RealWorldCase {
	const params = { message: name, requestedSchema };
	return { row, name, params, enter: [], findings: [], inEditor: false, ...outcome };
}

/** An object schema with these properties. */
export function object(properties: JsonObject, rest: JsonObject = {}): JsonObject {
	return { type: 'object', properties, ...rest };
}
