import { type Sentence, say } from '../sentence.ts';

const SERVED = say('It is served all the same.');
const VALIDATED = say('It is honoured when the answer is validated.');

/** What this client does about what strays, by the rule of the finding. */
const HANDLING: ReadonlyMap<string, Sentence> = new Map([
	['mode-too-new', SERVED],
	['too-new', SERVED],
	['no-elicitation-id', say('It is served; the server cannot say when it is completed.')],
	['repeated-elicitation-id', say('Each is answered by itself; a completion notice ends all of them.')],
	['elicitation-id', say('It is shown and means nothing.')],
	['schema-in-url-mode', say('The schema is ignored.')],
	['schema-alias', say('It is read as "requestedSchema".')],
	['root-type', say('It is read as an object.')],
	['no-properties', say('It is asked as a plain confirmation.')],
	['root-keyword', VALIDATED],
	['keyword', VALIDATED],
	['required-type', say('No property is taken for required.')],
	['required-absent', say('The form cannot be accepted.')],
	['sensitive', say('You are warned beside Accept.')],
	['not-primitive', say('It is asked as a list of entries or as JSON.')],
	['contradiction', say('No answer can satisfy it; it can only be left out, if at all.')],
	['odd-name', say('It is made visible, and sent as it is.')],
	['malformed-keyword', say('The form does not use it.')],
	['type', say('The kind of field is told from the other keywords.')],
	['enum-names', say('Values without a name are shown as they are.')],
	['duplicate-option', say('Options that look alike are told apart by their values.')],
	['default', say('It is shown with what is wrong, or left blank, and never sent unseen.')],
	['format', say('It is checked here.')],
	['unknown-format', say('Any text is accepted here.')],
]);

/** Undefined for a rule that nothing is done about. */
export function handlingOf(rule: string): Sentence | undefined {
	return HANDLING.get(rule);
}
