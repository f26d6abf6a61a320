import { shorten } from '../../elicitation/display.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import { english, localizable, render } from '../../elicitation/sentence.ts';
import type { TraceLog } from '../../trace/log.ts';

/** The code of an error of our own making, in the range that JSON-RPC leaves to implementations; it never crosses the wire. */
export const STREAM_CUT = -32099;

/** One message may not be longer than this: beyond it the server is not sending messages. */
export const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;

/** How much of somebody else's words a user gets to read (characters); the trace has them whole (fault 12). */
const MAX_TEXT = 1000;

/** The end of a connection on which a message had no end (fault 13). */
export class MessageTooLongError extends Error {
	constructor() {
		super(`The server sent a message longer than ${MAX_MESSAGE_LENGTH / 1024 / 1024} MB.`);
	}
}

/** An error made for a user: which server, what happened, what to do. */
export class Failure extends Error {
	override readonly name = 'Failure';
	/** Starting the server leads to signing in. */
	readonly signIn: boolean;

	constructor(
		/** The server's configured name. */
		readonly server: string,
		/** What happened, a whole sentence. */
		readonly what: Sentence,
		/** What to do about it, a whole sentence. */
		readonly fix: Sentence,
		options?: ErrorOptions & { readonly signIn?: boolean },
	) {
		super(`${server}: ${render(what, english)} ${render(fix, english)}`, options);
		this.signIn = options?.signIn === true;
	}
}

const redactedFailures = new WeakMap<Failure, Failure>();

/** The failure without what the user keeps secret, which commands, addresses and last words may contain. One stays one. */
export function redactFailure(failure: Failure, trace: Pick<TraceLog, 'hideIn'>): Failure {
	const known = redactedFailures.get(failure);
	if (known) {
		return known;
	}
	const { server, what, fix, cause } = failure;
	const hidden = { what: trace.hideIn(what), fix: trace.hideIn(fix) };
	const same = hidden.what === what && hidden.fix === fix;
	const result = same ? failure : new Failure(server, hidden.what, hidden.fix, { cause });
	redactedFailures.set(failure, result);
	return result;
}

/** Every error as a Failure of that server; one that is a Failure already stays as it is. */
export function asFailure(server: string, error: unknown): Failure {
	if (error instanceof Failure) {
		return error;
	}
	return new Failure(server, localizable('{0}', messageOf(error)), localizable("See the server's log."), {
		cause: error,
	});
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

/** Somebody else's words as a whole sentence, as much as can be read. */
export function sentence(words: string): string {
	const short = shorten(words, MAX_TEXT);
	return /[.!?…。！？]$/.test(short) ? short : `${short}.`;
}

/** An error with what caused it, the last cause last. */
export function causes(error: unknown): readonly Error[] {
	const chain: Error[] = [];
	for (let current = error; chain.length < 8 && current instanceof Error; ) {
		chain.push(current);
		current = current instanceof AggregateError && current.errors.length > 0 ? current.errors[0] : current.cause;
	}
	return chain;
}

/**
 * Makes an error fit to be remembered: until its stack is read for the first time it holds, with every frame, what that worked on (V8);
 * a failed call would keep the whole connection that it failed with.
 */
export function releaseStackFrames(error: unknown): void {
	for (const each of causes(error)) {
		void each.stack;
	}
}

/** The error code that a failed connection leaves somewhere in its chain of causes. */
export function causeCode(error: unknown): string | undefined {
	return causes(error)
		.map((each) => (each as { code?: unknown }).code)
		.find(
			(code): code is string =>
				typeof code === 'string' &&
				/^(E[A-Z0-9]+$|EAI_|UND_ERR_|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS_|ERR_SSL_)/.test(code),
		);
}
