import type { Json, JsonObject } from '../json.ts';
import { localizable, type Sentence } from '../sentence.ts';

/** A violated keyword. `path` is a JSON pointer into the content. */
export interface Violation {
	readonly path: string;
	readonly keyword: string;
	readonly message: Sentence;
}

/** A violation as a sentence that says where it is. */
export function violationText({ path, message }: Violation): Sentence {
	return path === '' ? message : localizable('{0}: {1}', path, message);
}

/** A keyword that cannot be run here and was left out. The server may still check it. */
export interface Skipped {
	/** JSON pointer to the schema that has the keyword. */
	readonly pointer: string;
	readonly keyword: string;
	readonly message: Sentence;
}

/**
 * The validation result. `unchecked`: the schema is invalid or could not be run within its limits. The user may still
 * send the content; the server validates it.
 */
export type Verdict =
	| { readonly status: 'valid'; readonly skipped?: readonly Skipped[] }
	| { readonly status: 'invalid'; readonly violations: readonly Violation[]; readonly skipped?: readonly Skipped[] }
	| { readonly status: 'unchecked'; readonly reason: Sentence };

/** Runs a server's schema. Implemented in `validation/` with a worker and a deadline. */
export interface Validator {
	/**
	 * Never rejects: if validation is impossible, the result is `unchecked`.
	 * @param server owner of the schema; schemas of one server do not delay those of another. Absent if it has no owner
	 */
	validate(schema: JsonObject, content: Json, server?: string): Promise<Verdict>;
}

/** A validator for the schemas of one server. */
export function validatorFor(server: string, validator: Validator): Validator {
	return { validate: (schema, content) => validator.validate(schema, content, server) };
}
