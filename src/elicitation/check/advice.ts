import type { Rule } from '../findings/handling.ts';
import type { ElicitationRevision } from '../revisions.ts';
import { localizable, type Sentence } from '../sentence.ts';

const FLAT = localizable('Request text, numbers, Booleans, and choices from lists, each as its own property.');
const RESTRICTED = localizable(
	'Use the keywords that the specification defines for the type, or leave it out and check it in the server.',
);

/** What to write instead, by rule. */
const ADVICE: Partial<Record<Rule, Sentence>> = {
	'mode-too-new': localizable('Leave "mode" out where this revision was negotiated.'),
	'too-new': localizable('Send it only where a later revision was negotiated.'),
	'no-elicitation-id': localizable('Give every URL request an "elicitationId" of its own.'),
	'elicitation-id': localizable('Send it only where revision 2025-11-25 was negotiated.'),
	'schema-in-url-mode': localizable('Leave the schema out, or use form mode.'),
	'schema-alias': localizable('Name it "requestedSchema".'),
	'root-type': localizable('Write "type": "object".'),
	'no-properties': localizable('Write "properties": {} for a plain confirmation.'),
	'no-object': localizable('Write an object: {}, not [] or null.'),
	'no-fields': FLAT,
	alternatives: FLAT,
	'root-keyword': localizable('Move its content into the properties, and check the rest in the server.'),
	'required-type': localizable('Write a list of the names of properties, or leave it out.'),
	'required-absent': localizable('Describe the property, or do not require it.'),
	sensitive: localizable('Request it in URL mode.'),
	'not-primitive': FLAT,
	contradiction: localizable('Write bounds that leave at least one value.'),
	draft: localizable('Leave it out where the client has not declared support, and accept a plain URI, too.'),
	'odd-name': localizable('Use a short name with visible characters only.'),
	keyword: RESTRICTED,
	'large-number': localizable('Use texts for numbers beyond 2^53.'),
	'malformed-keyword': localizable('Write a number.'),
	type: localizable('Write exactly one type. Properties that "required" does not list are optional.'),
	'enum-names': localizable('Write one name for each value or, from revision 2025-11-25, "oneOf" with titles.'),
	'duplicate-option': localizable('List each value once, with a title of its own.'),
	default: localizable('Write a default that the schema allows, or none.'),
	format: localizable('Use "email", "uri", "date", or "date-time", or a description.'),
	'unknown-format': localizable('Use "email", "uri", "date", or "date-time", or a description.'),
};

/** Undefined if the message of the rule already says what to do. */
export function adviceOf(rule: Rule): Sentence | undefined {
	return ADVICE[rule];
}

const URL_MODE = new Set(['no-elicitation-id', 'elicitation-id', 'repeated-elicitation-id', 'schema-in-url-mode']);
const FORM_MODE = new Set(['schema-alias', 'mode-too-new', 'null']);

/** URL of the section of the specification that covers the rule. */
export function sectionOf(rule: string, revision: ElicitationRevision): string {
	const base = `https://modelcontextprotocol.io/specification/${revision}`;
	if (rule === 'in-task') {
		return `${base}/basic/utilities/tasks#input-required-status`;
	}
	const anchor =
		rule === 'sensitive'
			? 'user-interaction-model'
			: revision === '2025-06-18'
				? FORM_MODE.has(rule) || URL_MODE.has(rule)
					? 'creating-elicitation-requests'
					: 'request-schema'
				: URL_MODE.has(rule)
					? 'url-mode-elicitation-requests'
					: FORM_MODE.has(rule)
						? 'form-mode-elicitation-requests'
						: 'requested-schema';
	return `${base}/client/elicitation#${anchor}`;
}
