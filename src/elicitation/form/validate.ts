import type { Json, JsonObject } from '../json.ts';
import type { Sentence } from '../sentence.ts';

/** One violated keyword. `path` is a JSON pointer into the content. */
export interface Violation {
	readonly path: string;
	readonly keyword: string;
	readonly message: Sentence;
}

/**
 * The verdict on a content. `unchecked` means that the schema could not be run here within its limits, or is itself
 * broken; the server will check the answer, and the user may send it.
 */
export type Verdict =
	| { readonly status: 'valid' }
	| { readonly status: 'invalid'; readonly violations: readonly Violation[] }
	| { readonly status: 'unchecked'; readonly reason: Sentence };

/** Runs a server's schema. The one implementation lives in `validation/`, behind a worker with a deadline. */
export interface Validator {
	/**
	 * Never rejects: what cannot be checked is `unchecked`.
	 * @param server whose schema it is: the schemas of one server do not hold up those of another. Absent: it is nobody's
	 */
	validate(schema: JsonObject, content: Json, server?: string): Promise<Verdict>;
}

/** The validator for the schemas of one server. */
export function validatorFor(server: string, validator: Validator): Validator {
	return { validate: (schema, content) => validator.validate(schema, content, server) };
}
