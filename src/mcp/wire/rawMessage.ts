import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Json, own } from '../../elicitation/json.ts';

/** Keys of a wrapped message, and of one that the server sends again. Random, so that no server can forge a wrapper. */
const WRAPPED = randomUUID();
const REPEATED = randomUUID();

/**
 * Wraps a message so that it passes the strict schemas of the SDK's HTTP transports. They would drop an invalid message,
 * and nobody would respond to it.
 * @param text one event or body; returned as is if it isn't JSON
 * @param isRepeated true if it was received before
 */
export function wrapRawMessage(text: string, isRepeated = false): string {
	let message: Json;
	// Some programs begin with a byte order mark, which counts as space.
	const plain = text.trim();
	try {
		message = JSON.parse(plain);
	} catch {
		return text;
	}
	const member = `{"${isRepeated ? REPEATED : WRAPPED}":${plain}}`;
	// The SDK reopens a stream that had no response, so a wrapped response must look like one.
	return !isRepeated && (Array.isArray(message) ? message : [message]).some(isResponse)
		? `{"jsonrpc":"2.0","id":0,"result":${member}}`
		: `{"jsonrpc":"2.0","method":"wrapped","params":${member}}`;
}

/** The original message inside a wrapper, and whether it was received before. */
export function unwrapRawMessage(message: JSONRPCMessage): { readonly raw: Json; readonly isRepeated: boolean } {
	const params = own(message, 'params');
	const repeated = own(params, REPEATED);
	const raw = own(own(message, 'result'), WRAPPED) ?? own(params, WRAPPED) ?? repeated ?? (message as unknown as Json);
	return { raw, isRepeated: repeated !== undefined };
}

function isResponse(message: Json): boolean {
	return own(message, 'method') === undefined && own(message, 'id') !== undefined;
}
