import { english, render } from '../elicitation/sentence.ts';
import { Failure } from '../mcp/index.ts';
import { redactText } from '../trace/redactPatterns.ts';
import { Secrets } from '../trace/secrets.ts';

/** Why a command could not be run, and what to do about it or what is known; complete sentences. */
export class CannotRun extends Error {
	constructor(what: string, more = '') {
		super(`${what} ${more}`.trimEnd());
	}
}

/** What any error says, without advice that is of use only in the editor, or for definitions that are in a file. */
export function messageOf(error: unknown): string {
	if (error instanceof Failure) {
		const [what, fix] = [render(error.what, english), render(error.fix, english)];
		return error.signIn || /mcpElicitation\.|"protocolVersion"/.test(fix) ? what : `${what} ${fix}`;
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
