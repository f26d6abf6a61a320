import { type JSONRPCMessage, type JSONRPCRequest, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';

export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** The code of the error that stands for a result that is none; it never crosses the wire. */
export const NO_RESULT = -32097;

/** What the metadata of a request may tell, which the SDK reads, and judges, in that of notifications as well. */
const METAS_OF_REQUESTS = ['progressToken', RELATED_TASK_META_KEY];

/** A request that cannot be served, and the response that it gets. */
export interface Malformed {
	readonly kind: 'malformed';
	/** Null where the request has none that could be repeated (JSON-RPC 2.0, response object). */
	readonly id: string | number | null;
	readonly method: Json;
	readonly params: Json;
	readonly code: number;
	readonly reason: Sentence;
}

/** What the server sent, read leniently: members that the protocol does not know do no harm. */
export type Received =
	| { readonly kind: 'request'; readonly request: JSONRPCRequest }
	| Malformed
	| { readonly kind: 'notification' | 'response'; readonly message: JSONRPCMessage }
	/** Nobody waits for an answer to it. */
	| { readonly kind: 'noise' };

/** True for what a server means as a message, or as a batch of them; anything else on its output is meant for people. */
export function isMessage(value: Json): boolean {
	return Array.isArray(value) ? value.some(isSingle) : isSingle(value);
}

function isSingle(value: Json): boolean {
	return own(value, 'jsonrpc') === '2.0' || (own(value, 'method') !== undefined && own(value, 'id') !== undefined);
}

/** Reads one message. Requests stay raw; of notifications and responses there is what the SDK's schemas take. */
export function readMessage(message: Json): Received {
	const method = own(message, 'method');
	if (method !== undefined) {
		return own(message, 'id') === undefined ? readNotification(message) : readRequest(message);
	}
	return readResponse(message);
}

function readRequest(message: Json): Received {
	const id = own(message, 'id') ?? null;
	const method = own(message, 'method') ?? null;
	const params = own(message, 'params') ?? null;
	const malformed = (code: number, reason: Sentence): Malformed => ({
		kind: 'malformed',
		id: typeof id === 'string' || typeof id === 'number' ? id : null,
		method,
		params,
		code,
		reason,
	});
	if (own(message, 'jsonrpc') !== '2.0') {
		return malformed(INVALID_REQUEST, localizable('"jsonrpc" must be "2.0".'));
	}
	if (!isId(id)) {
		return malformed(INVALID_REQUEST, localizable('The id must be a string or an integer.'));
	}
	if (typeof method !== 'string') {
		return malformed(INVALID_REQUEST, localizable('The method must be a string.'));
	}
	// Many languages write what is absent as null.
	if (params !== null && !isObject(params)) {
		return malformed(INVALID_PARAMS, localizable('The params must be an object.'));
	}
	return { kind: 'request', request: message as unknown as JSONRPCRequest };
}

/** Integers that do not survive as they are could not be repeated in the response. */
function isId(id: Json): id is string | number {
	return typeof id === 'string' || Number.isSafeInteger(id);
}

function readNotification(message: Json): Received {
	const method = own(message, 'method');
	const params = own(message, 'params') ?? null;
	if (own(message, 'jsonrpc') !== '2.0' || typeof method !== 'string' || (params !== null && !isObject(params))) {
		return { kind: 'noise' };
	}
	const rest = params === null ? {} : { params: withMeta(params, METAS_OF_REQUESTS) };
	return { kind: 'notification', message: { jsonrpc: '2.0', method, ...rest } as JSONRPCMessage };
}

function readResponse(message: Json): Received {
	const id = own(message, 'id') ?? null;
	const [result, error] = [own(message, 'result'), own(message, 'error')];
	const nothing = result === undefined && (error ?? null) === null;
	if (own(message, 'jsonrpc') !== '2.0' || !isId(id) || nothing) {
		return { kind: 'noise' };
	}
	// Many languages write the one of the two that is absent as null.
	const response =
		isObject(result) && !isObject(error) ? { result: withMeta(result, []) } : { error: errorOf(error ?? null) };
	return { kind: 'response', message: { jsonrpc: '2.0', id, ...response } as JSONRPCMessage };
}

function errorOf(error: Json): JsonObject {
	if (error === null) {
		return { code: NO_RESULT, message: 'The result is not an object.' };
	}
	const [code, message, data] = ['code', 'message', 'data'].map((key) => own(error, key));
	const words = message ?? error;
	return {
		code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
		message: typeof words === 'string' ? words : JSON.stringify(words),
		...(data !== undefined && { data }),
	};
}

/**
 * The params or the result without what is no metadata: the SDK would drop the whole message for it.
 * @param foreign members that mean nothing in it
 */
function withMeta(holder: JsonObject, foreign: readonly string[]): JsonObject {
	const { _meta, ...rest } = holder;
	return isObject(_meta)
		? { ...rest, _meta: Object.fromEntries(Object.entries(_meta).filter(([key]) => !foreign.includes(key))) }
		: rest;
}
