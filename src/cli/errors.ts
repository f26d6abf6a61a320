import { english, render } from '../elicitation/sentence.ts';
import { Failure } from '../mcp/wire/failure.ts';
import { redactText } from '../privacy/patterns.ts';
import { Secrets } from '../privacy/secrets.ts';

/** Why a command could not be run, and what to do about it or what is known; complete sentences. */
export class CannotRun extends Error {
	constructor(what: string, more = '') {
		super(`${what} ${more}`.trimEnd());
	}
}

/** Advice about settings of the editor, the revision of a scenario, and sampling, for which there is nobody here. */
const NOT_HERE = /mcpElicitation\.|"(protocolVersion|sampling)"/;

/** What any error says, with the advice that is of use here. */
export function messageOf(error: unknown): string {
	if (error instanceof Failure) {
		const what = render(error.what, english);
		return error.signIn || NOT_HERE.test(error.fix.text) ? what : `${what} ${render(error.fix, english)}`;
	}
	return error instanceof Error ? error.message : String(error);
}

/** A text without these secrets, and without what looks like one. */
export function safeText(text: string, secrets: Pick<Secrets, 'hide'>): string {
	return redactText(secrets.hide(text));
}

/** The same error without these secrets, which servers and programs repeat in what they say. */
export function withoutSecrets(error: unknown, values: readonly string[]): CannotRun {
	const secrets = new Secrets();
	secrets.add(values);
	return new CannotRun(safeText(messageOf(error), secrets));
}
