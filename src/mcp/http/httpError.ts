import {
	extractWWWAuthenticateParams,
	type JSONRPCMessage,
	PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';
import { HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from '../../elicitation/errorCodes.ts';
import { idKey, type Json, own } from '../../elicitation/json.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import { causes, wordsIn } from '../wire/failure.ts';
import { sending } from '../wire/tracingTransport.ts';

/** How much of a body that explains a refusal is read (characters), and for how long (ms). Some never end. */
const MAX_BODY = 64 * 1024;
const MAX_TIME = 5_000;

/** What is known of a response that refuses a request. */
interface Refusal {
	/** The server's words, shortened; empty if there are none. */
	readonly words?: string;
	/** The code, if the body is a JSON-RPC error. */
	readonly code?: number | undefined;
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

/** An HTTP request that sends a message, or asks for a stream. */
export interface Sent {
	readonly message: JSONRPCMessage | undefined;
	/** The id of the request in it; undefined if it is no request. */
	readonly id: Json | undefined;
	/** True for a request of 2026-07-28 or later. */
	readonly isModern: boolean;
	/** True for the request that asks for the revisions of the server. */
	readonly isProbe: boolean;
	readonly inSession: boolean;
}

/** @param isSse over HTTP+SSE, where the address of messages is that of a session */
export function sentIn({ method, headers }: RequestInit, isSse: boolean): Sent {
	const message = method === 'POST' ? sending.getStore() : undefined;
	const called = own(message, 'method');
	return {
		message,
		id: called === undefined ? undefined : own(message, 'id'),
		isModern: own(own(own(message, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined,
		isProbe: called === 'server/discover',
		inSession: isSse ? method === 'POST' : new Headers(headers).has('mcp-session-id'),
	};
}

/** Reads a response that refuses a request. */
export async function readRefusal(
	response: Response,
	sent: Sent,
): Promise<{ readonly error: HttpError; readonly text: string; readonly body: Json | undefined }> {
	const { status, headers } = response;
	const text = await boundedText(response);
	const body = parsedJson(text);
	const namesMessage = body === undefined ? isCut(text, sent.message) : isNamed(body, sent.message);
	// Status 404 does, whatever the body says (transports, session management). Of status 401, a challenge is the cause.
	const endsSession =
		sent.inSession && (status === 404 || ([400, 401].includes(status) && !namesMessage && !isChallenge(response)));
	const code = own(own(body, 'error'), 'code');
	const isOlder = sent.isModern && status === 400 && !namesMessage && !OF_MODERN.has(code);
	const words = wordsIn(text, headers.get('content-type'));
	const error = new HttpError(status, {
		...{ words, endsSession, isOlder, namesMessage },
		code: typeof code === 'number' ? code : undefined,
		retryAfter: retryAfterOf(response),
	});
	return { error, text, body };
}

/** True if a refusal says how to authenticate. */
export function isChallenge({ headers }: Response): boolean {
	return (headers.get('www-authenticate') ?? '').trim() !== '';
}

/** True if a token with more scopes would be accepted. */
export function lacksScopes(response: Response): boolean {
	return response.status === 403 && extractWWWAuthenticateParams(response).error === 'insufficient_scope';
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

/** The beginning of a body. Never rejects. */
export async function boundedText({ body }: Response): Promise<string> {
	const reader = body?.getReader();
	if (!reader) {
		return '';
	}
	const decoder = new TextDecoder();
	let text = '';
	const late = setTimeout(() => void reader.cancel().catch(() => {}), MAX_TIME);
	try {
		while (text.length < MAX_BODY) {
			const { done, value } = await reader.read();
			if (done) {
				break;
			}
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		// What was received may still explain something.
	} finally {
		clearTimeout(late);
		void reader.cancel().catch(() => {});
	}
	return text.slice(0, MAX_BODY);
}

/** True for a status that may be gone on a retry. It says nothing about what the server has. */
export function isPassing(status: number): boolean {
	return status === 408 || status === 429 || status >= 500;
}

/** The `Retry-After` header (s). */
export function retryAfterOf({ headers }: Response): number | undefined {
	const value = headers.get('retry-after')?.trim() ?? '';
	const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
