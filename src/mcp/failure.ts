import type { Sentence } from '../elicitation/sentence.ts';
import { english, render, say } from '../elicitation/sentence.ts';

/** The code of an error of our own making, in the range that JSON-RPC leaves to implementations; it never crosses the wire. */
export const STREAM_CUT = -32099;

/** An error made for a person: which server, what happened, what to do. */
export class Failure extends Error {
	override readonly name = 'Failure';

	constructor(
		/** The server's configured name. */
		readonly server: string,
		/** What happened, a whole sentence. */
		readonly what: Sentence,
		/** What to do about it, a whole sentence. */
		readonly fix: Sentence,
		options?: ErrorOptions,
	) {
		super(`${server}: ${render(what, english)} ${render(fix, english)}`, options);
	}
}

/** Every error as a Failure of that server; one that is a Failure already stays as it is. */
export function asFailure(server: string, error: unknown): Failure {
	if (error instanceof Failure) {
		return error;
	}
	return new Failure(server, say('{0}', messageOf(error)), say("See the server's log."), { cause: error });
}

/** An error whose cause we know ourselves, in words that can be translated; a Failure is made of it. */
export class Reason extends Error {
	override readonly name = 'Reason';

	constructor(readonly sentence: Sentence) {
		super(render(sentence, english));
	}
}

/** What an error says, as a whole sentence. */
export function messageOf(error: unknown): string | Sentence {
	if (error instanceof Reason) {
		return error.sentence;
	}
	return sentence(error instanceof Error ? error.message : String(error));
}

/** Somebody else's words as a whole sentence. */
export function sentence(words: string): string {
	return /[.!?…。！？]$/.test(words) ? words : `${words}.`;
}

/** The error codes that a failed connection leaves somewhere in its chain of causes. */
export function causeCode(error: unknown): string | undefined {
	for (let depth = 0, current = error; depth < 8 && current instanceof Error; depth++) {
		const code = (current as { code?: unknown }).code;
		if (typeof code === 'string' && /^(E[A-Z0-9]+$|UND_ERR_|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS_)/.test(code)) {
			return code;
		}
		current = current instanceof AggregateError && current.errors.length > 0 ? current.errors[0] : current.cause;
	}
	return undefined;
}
