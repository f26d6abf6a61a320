import { localizable, type Sentence } from '../sentence.ts';

const SERVED = localizable('The request is handled anyway.');
const VALIDATED = localizable('It is applied when the response is validated.');

/** How this client handles what a finding is about, by rule. */
const HANDLING = {
	null: SERVED,
	'mode-too-new': SERVED,
	'too-new': SERVED,
	'no-elicitation-id': localizable('The request is handled, but the server cannot say when it is completed.'),
	'repeated-elicitation-id': localizable('Each gets its own response; a completion notice ends all of them.'),
	'no-session': localizable('The response is sent; the call may wait in vain.'),
	'elicitation-id': localizable('It is shown but has no effect.'),
	'schema-in-url-mode': localizable('The schema is ignored.'),
	'schema-alias': localizable('It is read as "requestedSchema".'),
	'root-type': localizable('It is read as an object.'),
	'no-properties': localizable('It is shown as a plain confirmation.'),
	'no-object': localizable('It is read as an empty object.'),
	'no-fields': localizable('The response is entered as JSON.'),
	alternatives: localizable('It is shown as a choice, and then as the fields of what is chosen.'),
	'root-keyword': VALIDATED,
	keyword: VALIDATED,
	'required-type': localizable('No property is treated as required.'),
	'required-absent': localizable('The form cannot be accepted.'),
	sensitive: localizable('You are warned in the form.'),
	'not-primitive': localizable('It is shown as a list of entries or as JSON.'),
	contradiction: localizable('No response can satisfy it; it can only be left out, if at all.'),
	draft: localizable('A file can be chosen, and is sent within the response.'),
	'app-resource': localizable('It is not loaded; the form is shown instead.'),
	'odd-name': localizable('It is made visible, and sent as it is.'),
	'large-number': localizable('Here it keeps all of its digits.'),
	'malformed-keyword': localizable('The form does not use it.'),
	type: localizable('The kind of field is inferred from the other keywords.'),
	'enum-names': localizable('Values without a name are shown as they are.'),
	'duplicate-option': localizable('Options that look alike are told apart by their values.'),
	default: localizable('It is shown with its error or left blank, and never sent unseen.'),
	format: localizable('It is checked here.'),
	'unknown-format': localizable('Any text is accepted here.'),
	misspelled: localizable('It has no effect.'),
} satisfies Record<string, Sentence>;

/** What a finding is about: short and stable, for filters and tests. */
export type Rule = keyof typeof HANDLING;

export function handlingOf(rule: Rule): Sentence {
	return HANDLING[rule];
}
