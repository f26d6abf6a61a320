import type { JSONRPCRequest } from '@modelcontextprotocol/client';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from '../../elicitation/errorCodes.ts';
import { isObject, type Json, type JsonObject, mapMembers, own, plainObject } from '../../elicitation/json.ts';
import { isInteger, isText, writeJson } from '../../elicitation/jsonText.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';

/**
 * How many messages of one stream are received in one turn of the event loop. Nothing further is read before the next
 * one, so that a server that sends thousands at once doesn't block the process.
 */
export const MESSAGES_PER_TURN = 32;

/** A request that can't be handled, with the error to return. */
export interface Malformed {
	readonly kind: 'malformed';
	/** Null if the request has no valid id (JSON-RPC 2.0, response object). */
	readonly id: string | number | null;
	readonly method: Json;
	readonly params: Json;
	readonly code: number;
	readonly reason: Sentence;
}

export interface Response {
	readonly kind: 'response';
	readonly id: string | number;
	/** Exactly one of these. */
	readonly result?: JsonObject;
	readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** A message from the server, parsed leniently: unknown members are allowed. */
export type Received =
	| { readonly kind: 'request'; readonly request: JSONRPCRequest }
	| Malformed
	| { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
	| Response
	/** A response without a result or an error. */
	| { readonly kind: 'resultless' }
	/** Not a valid message, and no response is expected. */
	| { readonly kind: 'noise' };

/** True if a value is meant as a message or a batch. Other output is log text. */
export function isMessage(value: Json): boolean {
	return Array.isArray(value) ? value.some(isSingle) : isSingle(value);
}

function isSingle(value: Json): boolean {
	const [method, result, error] = ['method', 'result', 'error'].map((member) => own(value, member));
	return (
		own(value, 'jsonrpc') === '2.0' || (own(value, 'id') !== undefined && (method ?? result ?? error) !== undefined)
	);
}

/** True for an error that does not say which message it is about. */
export function isNamelessError(message: Json | undefined): message is JsonObject {
	const isAbout = own(message, 'method') ?? own(message, 'id') ?? undefined;
	return isAbout === undefined && isObject(own(message, 'error'));
}

/** Parses one message. Requests and results stay raw. */
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
	// Many languages serialize an absent value as null.
	if (params !== null && !isObject(params)) {
		return malformed(INVALID_PARAMS, localizable('The params must be an object.'));
	}
	return { kind: 'request', request: message as unknown as JSONRPCRequest };
}

function isId(id: Json): id is string | number {
	return isInteger(id) || isText(id);
}

function readNotification(message: Json): Received {
	const method = own(message, 'method');
	const params = own(message, 'params') ?? null;
	if (own(message, 'jsonrpc') !== '2.0' || typeof method !== 'string' || (params !== null && !isObject(params))) {
		return { kind: 'noise' };
	}
	return { kind: 'notification', method, params: params === null ? {} : withoutNulls(params) };
}

function readResponse(message: Json): Received {
	const id = own(message, 'id') ?? null;
	const [result, error] = [own(message, 'result'), own(message, 'error')];
	const isNothing = result === undefined && (error ?? null) === null;
	if (own(message, 'jsonrpc') !== '2.0' || !isId(id) || isNothing) {
		return { kind: 'noise' };
	}
	if (!isObject(result) && (error ?? null) === null) {
		return { kind: 'resultless' };
	}
	// Many languages serialize the absent one of `result` and `error` as null.
	return isObject(result) && !isObject(error)
		? { kind: 'response', id: id as string | number, result }
		: { kind: 'response', id: id as string | number, error: errorOf(error ?? null) };
}

function errorOf(error: Json): NonNullable<Response['error']> {
	const [code, message, data] = ['code', 'message', 'data'].map((key) => own(error, key));
	const words = message ?? error;
	return {
		code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
		message: typeof words === 'string' ? words : writeJson(words),
		...(data !== undefined && { data }),
	};
}

/** Many languages serialize an absent value as null. */
export function withoutNulls(holder: JsonObject): JsonObject {
	return plainObject(Object.entries(holder).filter(([, value]) => value !== null));
}

/** The same in everything that a value holds. */
export function withoutNullsWithin(value: Json): Json {
	return Array.isArray(value)
		? value.map(withoutNullsWithin)
		: isObject(value)
			? mapMembers(withoutNulls(value), (_, item) => withoutNullsWithin(item))
			: value;
}
