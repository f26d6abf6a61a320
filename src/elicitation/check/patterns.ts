import type { Validator } from '../form/validate.ts';
import { isObject, type JsonObject, own } from '../json.ts';
import { schemaMember } from '../request.ts';
import { ELICITATION_REVISIONS } from '../revisions.ts';
import { localizable } from '../sentence.ts';
import { sectionOf } from './advice.ts';
import type { Problem } from './check.ts';

/**
 * Lists the patterns of a request that cannot be run here. The validator compiles them, in its worker: a pattern is code of
 * whoever wrote the schema.
 */
export async function patternProblems(params: JsonObject, validator: Validator): Promise<Problem[]> {
	const name = schemaMember(params);
	const schema = own(params, name);
	const verdict = isObject(schema) ? await validator.validate(schema, {}) : undefined;
	const skipped = verdict === undefined || verdict.status === 'unchecked' ? [] : (verdict.skipped ?? []);
	return skipped
		.filter(({ keyword }) => keyword === 'pattern' || keyword === 'patternProperties')
		.map(({ pointer, keyword, message }) => ({
			pointer: `/${name}${pointer}${keyword === 'pattern' ? '/pattern' : ''}`,
			rule: 'invalid-pattern',
			severity: 'warning',
			message,
			handling: localizable('The rest of the schema is enforced; the server checks the pattern.'),
			revisions: ELICITATION_REVISIONS,
			libraries: [],
			section: sectionOf('invalid-pattern', '2026-07-28'),
		}));
}
