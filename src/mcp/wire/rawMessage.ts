import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Json, own } from '../../elicitation/json.ts';
import { markNumbers } from '../../elicitation/jsonText.ts';

/** Key of the wrapped message. Random, so that no server can forge a wrapper. */
const WRAPPED = randomUUID();

/** Where a message came. */
export interface Arrival {
	/** The id of our request to which the server has sent it; absent if it came by another way. */
	readonly of?: Json;
	/** Whether it is all that the server has sent to that request. */
	readonly isAll?: boolean;
	/** Whether it was received before: the server sends it again. */
	readonly isRepeated?: boolean;
}

/**
 * Wraps a message so that it passes the strict schemas of the SDK's HTTP transports. They would drop an invalid message,
 * and nobody would respond to it.
 * @param text one event or body. If it isn't JSON, it is returned as is, unless it is what a request got instead of a
 * response
 */
export function wrapRawMessage(text: string, arrival: Arrival = {}): string {
	let message: Json;
	// Some programs begin with a byte order mark, which counts as space.
	const plain = text.trim();
	const marked = markNumbers(plain);
	try {
		message = JSON.parse(marked);
	} catch {
		if (arrival.of === undefined || plain === '') {
			return text;
		}
		message = text;
	}
	const raw = typeof message === 'string' ? JSON.stringify(message) : marked;
	const member = `{"${WRAPPED}":{"message":${raw},"arrival":${JSON.stringify(arrival)}}}`;
	// The SDK reopens a stream that had no response, so a wrapped response must look like one.
	return !arrival.isRepeated && (Array.isArray(message) ? message : [message]).some(isResponse)
		? `{"jsonrpc":"2.0","id":0,"result":${member}}`
		: `{"jsonrpc":"2.0","method":"wrapped","params":${member}}`;
}

/** The original message inside a wrapper. */
export function unwrapRawMessage(message: JSONRPCMessage): Arrival & { readonly message: Json } {
	const content = own(own(message, 'result'), WRAPPED) ?? own(own(message, 'params'), WRAPPED);
	return content === undefined
		? { message: message as unknown as Json }
		: { message: own(content, 'message') ?? null, ...(own(content, 'arrival') as Arrival) };
}

function isResponse(message: Json): boolean {
	return own(message, 'method') === undefined && (own(message, 'id') ?? own(message, 'error')) !== undefined;
}
