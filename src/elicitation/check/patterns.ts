import type { Validator } from '../form/validate.ts';
import { type JsonObject, own } from '../json.ts';
import { schemaMember } from '../request.ts';
import { ELICITATION_REVISIONS } from '../revisions.ts';
import { localizable } from '../sentence.ts';
import { sectionOf } from './advice.ts';
import type { Problem } from './check.ts';
import { schemaNodes } from './spelling.ts';

/** Max number of patterns of one request that are tried. */
const MAX_PATTERNS = 200;

/** How the engine begins to say that a pattern does not compile. */
const INVALID = /^Invalid regular expression: .*: /s;

/**
 * Lists the patterns of a request that are not regular expressions. The validator compiles them, in its worker: a pattern
 * is code of whoever wrote the schema.
 */
export async function patternProblems(params: JsonObject, validator: Validator): Promise<Problem[]> {
	const name = schemaMember(params);
	const patterns = schemaNodes(own(params, name) ?? null, `/${name}`).flatMap(({ node, pointer }) => {
		const pattern = own(node, 'pattern');
		return typeof pattern === 'string' ? [{ pattern, pointer: `${pointer}/pattern` }] : [];
	});
	const problems = await Promise.all(
		patterns.slice(0, MAX_PATTERNS).map(async ({ pattern, pointer }) => {
			const verdict = await validator.validate({ pattern }, '');
			const said = verdict.status === 'unchecked' ? String(verdict.reason.args?.[0] ?? '') : '';
			return INVALID.test(said) ? [problemOf(pattern, pointer, said.replace(INVALID, ''))] : [];
		}),
	);
	return problems.flat();
}

function problemOf(pattern: string, pointer: string, why: string): Problem {
	return {
		pointer,
		rule: 'invalid-pattern',
		severity: 'warning',
		message: localizable('The pattern "{0}" is not a regular expression: {1}.', pattern.slice(0, 100), why),
		handling: localizable('The form cannot be checked here; the server checks the response.'),
		revisions: ELICITATION_REVISIONS,
		libraries: [],
		section: sectionOf('invalid-pattern', '2026-07-28'),
	};
}
