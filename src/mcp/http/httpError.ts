import {
	extractWWWAuthenticateParams,
	InsufficientScopeError,
	type JSONRPCMessage,
} from '@modelcontextprotocol/client';
import { HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from '../../elicitation/errorCodes.ts';
import { idKey, type Json, own } from '../../elicitation/json.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import { causes, wordsIn } from '../wire/failure.ts';
import { boundedText } from './body.ts';

/** What is known of a response that refuses a request. */
interface Refusal {
	/** The server's words, shortened; empty if there are none. */
	readonly words?: string;
	/** The body, if it is JSON. */
	readonly body?: Json | undefined;
	/** Requested delay before a retry (s). */
	readonly retryAfter?: number | undefined;
	/** Where a redirect leads that is not followed. */
	readonly redirect?: string;
	/** Whether the server has forgotten the session. */
	readonly endsSession?: boolean;
	/** Whether the server may have only older revisions by now, which have sessions (E05, E06). */
	readonly isOlder?: boolean;
	/** Whether the response names the message, which may have been processed. */
	readonly namesMessage?: boolean;
}

/** An HTTP response that refuses a request. Nothing that a message says can be one. */
export class HttpError extends Error {
	constructor(
		readonly status: number,
		readonly refusal: Refusal = {},
	) {
		super([`HTTP status ${status}`, refusal.words ?? ''].filter(Boolean).join(': '));
	}
}

/** The HTTP response that refused a request, if that is what an error is about. */
export function httpErrorIn(error: unknown): HttpError | undefined {
	return causes(error).find((each) => each instanceof HttpError);
}

/** What an HTTP request is about. */
export interface Sent {
	/** Absent if it asks for a stream, or ends the session. */
	readonly message?: JSONRPCMessage | undefined;
	readonly isModern?: boolean;
	readonly inSession: boolean;
}

/** Reads a response that refuses a request. */
export async function readRefusal(response: Response, sent: Sent): Promise<HttpError> {
	const { status, headers } = response;
	const text = await boundedText(response);
	const body = parsedJson(text);
	const namesMessage = body === undefined ? isCut(text, sent.message) : isNamed(body, sent.message);
	// Status 404 does, whatever the body says (transports, session management). Of status 401, a challenge is the cause.
	const endsSession =
		sent.inSession && (status === 404 || ([400, 401].includes(status) && !namesMessage && !isChallenge(response)));
	const code = own(own(body, 'error'), 'code');
	const isOlder = sent.isModern === true && status === 400 && !namesMessage && !OF_MODERN.has(code);
	const words = wordsIn(text, headers.get('content-type'));
	return new HttpError(status, {
		...{ words, body, endsSession, isOlder, namesMessage },
		retryAfter: retryAfterOf(response),
	});
}

/** True if a refusal says how to authenticate. */
function isChallenge({ headers }: Response): boolean {
	return (headers.get('www-authenticate') ?? '').trim() !== '';
}

/** The scopes that a token lacks, if a token with more would be accepted. */
export function insufficientScope(response: Response): InsufficientScopeError | undefined {
	const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
	return response.status === 403 && error === 'insufficient_scope'
		? new InsufficientScopeError({
				...(scope !== undefined && { requiredScope: scope }),
				...(resourceMetadataUrl && { resourceMetadataUrl }),
			})
		: undefined;
}

/** True if a body names that message by its id: then the server has read it, and perhaps acted on it. */
function isNamed(body: Json, message: Sent['message']): boolean {
	const id = own(message, 'id');
	return id !== undefined && [body].flat().some((each) => idKey(own(each, 'id')) === idKey(id));
}

/** True if a body is JSON that has been cut off, which may name the message. */
function isCut(text: string, message: Sent['message']): boolean {
	return own(message, 'id') !== undefined && /^\s*[[{]/.test(text);
}

/** The codes of errors that only servers of 2026-07-28 have. */
const OF_MODERN: ReadonlySet<unknown> = new Set([HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION]);

/** True for a status that may be gone on a retry. It says nothing about what the server has. */
export function isPassing(status: number): boolean {
	return status === 408 || status === 429 || status >= 500;
}

/** True also for what a proxy has for a stream that it takes to be open still. */
export function mayPass(status: number): boolean {
	return isPassing(status) || status === 409 || status === 425;
}

/** The `Retry-After` header (s). */
export function retryAfterOf({ headers }: Response): number | undefined {
	const value = headers.get('retry-after')?.trim() ?? '';
	const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
