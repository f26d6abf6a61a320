import { shorten } from '../../elicitation/display.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import type { TraceLog } from '../../trace/log.ts';

/**
 * Error code for a stream that was cut. In the range that JSON-RPC reserves for implementations; never sent to the
 * server.
 */
export const STREAM_CUT = -32099;

/** Max length of one message (bytes). */
export const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;

/** Max length of third-party text in a message (characters). The trace has the whole text (fault 12). */
const MAX_TEXT = 1000;

/** A message exceeded the limit, so the connection was closed (fault 13). */
export class MessageTooLongError extends Error {
	constructor() {
		super(`The server sent a message longer than ${MAX_MESSAGE_LENGTH / 1024 / 1024} MB.`);
	}
}

/** A user-facing error: which server, what happened, what to do. */
export class Failure extends Error {
	override readonly name = 'Failure';
	/** True if starting the server, or calling again where it runs, leads to a sign-in. */
	readonly signIn: boolean;

	constructor(
		/** The server's configured name. */
		readonly server: string,
		/** What happened, as a whole sentence. */
		readonly what: Sentence,
		/** What to do about it, as a whole sentence. */
		readonly fix: Sentence,
		options?: ErrorOptions & { readonly signIn?: boolean },
	) {
		super(`${server}: ${render(what, english)} ${render(fix, english)}`, options);
		this.signIn = options?.signIn === true;
	}
}

/** The user has stopped a server before it was running. */
export function stoppedWhileStarting(server: string): Failure {
	return new Failure(
		server,
		localizable('The server was stopped while it was starting.'),
		localizable('Start it again.'),
	);
}

const redactedFailures = new WeakMap<Failure, Failure>();

/**
 * Redacts the user's secrets from a failure; commands, URLs, and output may contain them. The same failure always yields
 * the same object.
 */
export function redactFailure(failure: Failure, trace: Pick<TraceLog, 'hideIn'>): Failure {
	const known = redactedFailures.get(failure);
	if (known) {
		return known;
	}
	const { server, what, fix, cause, signIn } = failure;
	const hidden = { what: redactSentence(what, trace), fix: redactSentence(fix, trace) };
	const same = hidden.what === what && hidden.fix === fix;
	const result = same ? failure : new Failure(server, hidden.what, hidden.fix, { cause, signIn });
	redactedFailures.set(failure, result);
	return result;
}

/** Redacts the arguments alone: the rest is ours, and a secret may equal one of its words. */
export function redactSentence(whole: Sentence, trace: Pick<TraceLog, 'hideIn'>): Sentence {
	const args = whole.args?.map((arg) => (typeof arg === 'object' ? redactSentence(arg, trace) : trace.hideIn(arg)));
	return args?.some((arg, index) => arg !== whole.args?.[index]) ? { ...whole, args } : whole;
}

/** Converts an error to a Failure of that server. A Failure is returned as is. */
export function asFailure(server: string, error: unknown): Failure {
	if (error instanceof Failure) {
		return error;
	}
	return new Failure(server, localizable('{0}', messageOf(error)), localizable("See the server's log."), {
		cause: error,
	});
}

/** An error with a localizable message, from which a Failure can be made. */
export class Reason extends Error {
	override readonly name = 'Reason';

	constructor(readonly sentence: Sentence) {
		super(render(sentence, english));
	}
}

/** The message of an error as a whole sentence. */
export function messageOf(error: unknown): string | Sentence {
	if (error instanceof Reason) {
		return error.sentence;
	}
	return sentence(error instanceof Error ? error.message : String(error));
}

/** Third-party text as a whole sentence, shortened. */
export function sentence(words: string): string {
	const short = shorten(words, MAX_TEXT);
	return /[.!?…。！？]$/.test(short) ? short : `${short}.`;
}

/** An error and its chain of causes, outermost first. */
export function causes(error: unknown): readonly Error[] {
	const chain: Error[] = [];
	for (let current = error; chain.length < 8 && current instanceof Error; ) {
		chain.push(current);
		current = current instanceof AggregateError && current.errors.length > 0 ? current.errors[0] : current.cause;
	}
	return chain;
}

/**
 * Makes an error safe to keep. In V8, an error retains the objects of every stack frame until its stack is read, so a
 * failed call would retain its whole connection.
 */
export function releaseStackFrames(error: unknown): void {
	for (const each of causes(error)) {
		void each.stack;
	}
}

/** The first system error code in the chain of causes. */
export function causeCode(error: unknown): string | undefined {
	return causes(error)
		.map((each) => (each as { code?: unknown }).code)
		.find(
			(code): code is string =>
				typeof code === 'string' &&
				/^(E[A-Z0-9]+$|EAI_|UND_ERR_|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS_|ERR_SSL_)/.test(code),
		);
}
