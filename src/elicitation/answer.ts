import type { Field } from './fields.ts';
import type { Json, JsonObject } from './json.ts';
import type { Sentence } from './sentence.ts';

/**
 * What the person has entered into one field, before it is read as JSON. `null` and the empty text mean "no answer":
 * the property is left out of the content (or sent as `null` where a required field allows it).
 */
export type Input =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'boolean'; readonly value: boolean | null }
	| { readonly kind: 'choice'; readonly index: number | null }
	| { readonly kind: 'choices'; readonly indexes: readonly number[] | null }
	| { readonly kind: 'list'; readonly items: readonly string[] | null }
	| { readonly kind: 'const' };

/** What is wrong with an answer. `field` is the index of the field it belongs to; absent: the answer as a whole. */
export interface Problem {
	readonly field?: number;
	readonly message: Sentence;
}

/** The inputs a form starts with: every default prefilled, falsy ones included (requirement F12), nothing else. */
export declare function initialInputs(fields: readonly Field[]): Input[];

/** Reads the inputs. Untouched optional fields are absent from `content`; nothing is invented. */
export declare function toContent(
	fields: readonly Field[],
	inputs: readonly Input[],
): { content: JsonObject; problems: Problem[] };

/** The inverse, for switching from JSON back to the form; properties that no field shows are returned as `rest`. */
export declare function toInputs(
	fields: readonly Field[],
	content: Json,
): { inputs: Input[]; rest: JsonObject };
