import type { JsonPath } from '../../config/problem.ts';
import { shorten } from '../../elicitation/display.ts';
import { isObject, own } from '../../elicitation/json.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import type { Privacy } from '../../privacy/privacy.ts';

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

/** Why a request gets no response. Classes, because servers may send any code. */
export abstract class NoResponse extends Error {}

/** The connection was cut before the server responded: the request may have taken effect. */
export class ConnectionCut extends NoResponse {
	constructor(options?: ErrorOptions) {
		super('The connection was cut before the server had responded.', options);
	}
}

/** What the server wrote instead of a response is no message of MCP. */
export class NotMcp extends NoResponse {
	constructor(
		/** The server's words, shortened; empty if it wrote nothing. */
		readonly words: string,
		/** The media type, if it is that of no message. */
		readonly type?: string,
	) {
		super(`No MCP message${words === '' ? '' : `: ${words}`}`);
	}
}

/** The response is nested too deeply. */
export class ResponseTooDeep extends NoResponse {}

/** The result is not an object. */
export class ResultMissing extends NoResponse {}

/** The connection was closed, by either side. */
export class ConnectionEnded extends Error {
	constructor() {
		super('The connection was closed.');
	}
}

/** The server did not respond in time. */
export class RequestTimedOut extends Error {
	/** @param timeout how long was waited (ms) */
	constructor(readonly timeout: number) {
		super(`The server did not respond within ${timeout / 1000} s.`);
	}
}

/** The result is not of the kind that the request allows (2026-07-28). */
export class UnexpectedResult extends Error {
	constructor(
		method: string,
		readonly resultType: unknown,
		words = `Unsupported result type '${resultType}' for ${method}`,
	) {
		super(words);
	}
}

/** The server has none of the protocol revisions that were offered. */
export class UnsupportedRevision extends Error {
	/** @param revisions what it has, as far as known */
	constructor(readonly revisions: readonly string[]) {
		super(`The server speaks protocol revision ${revisions.join(', ')}.`);
	}
}

/** A user-facing error: which server, what happened, what to do. */
export class Failure extends Error {
	override readonly name = 'Failure';
	/** True if starting the server, or calling again where it runs, leads to a sign-in. */
	readonly signIn: boolean;
	/** True if the server has to be started again before it works. */
	readonly restart: boolean;
	/** The part of the server's definition that may have to be corrected; undefined if the definition has nothing to do with it. */
	readonly definition: JsonPath | undefined;

	constructor(
		/** The server's configured name. */
		readonly server: string,
		/** What happened, as a whole sentence. */
		readonly what: Sentence,
		/** What to do about it, as a whole sentence. */
		readonly fix: Sentence,
		options?: ErrorOptions & {
			readonly signIn?: boolean;
			readonly restart?: boolean;
			readonly definition?: JsonPath | undefined;
		},
	) {
		super(`${server}: ${render(what, english)} ${render(fix, english)}`, options);
		this.signIn = options?.signIn === true;
		this.restart = options?.restart === true;
		this.definition = options?.definition;
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
export function redactFailure(failure: Failure, privacy: Pick<Privacy, 'hideIn'>): Failure {
	const known = redactedFailures.get(failure);
	if (known) {
		return known;
	}
	const { server, what, fix, cause, signIn, restart, definition } = failure;
	const hidden = { what: redactSentence(what, privacy), fix: redactSentence(fix, privacy) };
	const same = hidden.what === what && hidden.fix === fix;
	const result = same ? failure : new Failure(server, hidden.what, hidden.fix, { cause, signIn, restart, definition });
	redactedFailures.set(failure, result);
	return result;
}

/** Redacts the arguments alone: the rest is ours, and a secret may equal one of its words. */
export function redactSentence(whole: Sentence, privacy: Pick<Privacy, 'hideIn'>): Sentence {
	const args = whole.args?.map((arg) => (typeof arg === 'object' ? redactSentence(arg, privacy) : privacy.hideIn(arg)));
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

	/**
	 * @param fix what to do about it, as a whole sentence; undefined if the log says more
	 * @param definition the part of the definition that the fix is about
	 */
	constructor(
		readonly sentence: Sentence,
		readonly fix?: Sentence,
		readonly definition?: JsonPath,
	) {
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

/** Max length of what a server wrote instead of a response (characters). */
export const MAX_WORDS = 500;

/**
 * What a body that is no response says, shortened: the text of an error in a known format, that of a page without its
 * tags, or all of it.
 */
export function wordsIn(text: string, type: string | null): string {
	// Only the beginning is read, because patterns take their time.
	const start = text.slice(0, 20 * MAX_WORDS).trim();
	const isPage = type?.toLowerCase().startsWith('text/html') === true || /^<(?:!doctype|html|body|h1)\b/i.test(start);
	const words = isPage
		? start.replace(/<(script|style)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ')
		: (errorTextIn(start) ?? start);
	return shorten(words.replace(/\s+/g, ' ').trim(), MAX_WORDS);
}

/** The text of an error in JSON, if it has a known format. */
function errorTextIn(text: string): string | undefined {
	const body = parsedJson(text);
	const inner = own(body, 'error');
	const words = [
		own(inner, 'message'),
		own(body, 'error_description'),
		own(body, 'message'),
		own(body, 'detail'),
		inner,
	];
	return isObject(body) || typeof body === 'string'
		? [body, ...words].find((each): each is string => typeof each === 'string' && each.trim() !== '')
		: undefined;
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
