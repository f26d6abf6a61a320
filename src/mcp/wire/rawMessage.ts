import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { markNumbers } from '../../elicitation/exactJson.ts';
import { type Json, own } from '../../elicitation/json.ts';

/** Key of the wrapped message. Random, so that no server can forge a wrapper. */
const WRAPPED = randomUUID();

/**
 * Wraps a message so that it passes the strict schemas of the SDK's HTTP transports. They would drop an invalid message,
 * and nobody would respond to it.
 * @param text one event or body; returned as is if it isn't JSON
 */
export function wrapRawMessage(text: string): string {
	const marked = markNumbers(text);
	let message: Json;
	try {
		message = JSON.parse(marked);
	} catch {
		return text;
	}
	const member = `{"${WRAPPED}":${marked}}`;
	// The SDK reopens a stream that had no response, so a wrapped response must look like one.
	return (Array.isArray(message) ? message : [message]).some(isResponse)
		? `{"jsonrpc":"2.0","id":0,"result":${member}}`
		: `{"jsonrpc":"2.0","method":"wrapped","params":${member}}`;
}

/** The original message inside a wrapper. */
export function unwrapRawMessage(message: JSONRPCMessage): Json {
	const content = own(own(message, 'result'), WRAPPED) ?? own(own(message, 'params'), WRAPPED);
	return content ?? (message as unknown as Json);
}

function isResponse(message: Json): boolean {
	return own(message, 'method') === undefined && own(message, 'id') !== undefined;
}
