import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Json, own } from '../../elicitation/json.ts';

/** The member that holds what is carried. No server can guess it, so none can make us open what we have not closed. */
const CARRIED = randomUUID();

/**
 * The SDK's transports over HTTP read every message with strict schemas and drop what does not fit, so nobody would answer it. In
 * a carrier, which fits, any JSON passes them.
 * @param text one event or body; what is no JSON stays as it is
 */
export function wrapRawMessage(text: string): string {
	let message: Json;
	try {
		message = JSON.parse(text);
	} catch {
		return text;
	}
	const member = `{"${CARRIED}":${text}}`;
	// A stream on which there was no response is asked for again, so the carrier of one has to look like one.
	return (Array.isArray(message) ? message : [message]).some(isResponse)
		? `{"jsonrpc":"2.0","id":0,"result":${member}}`
		: `{"jsonrpc":"2.0","method":"carried","params":${member}}`;
}

/** What a transport has handed over, as it crossed the wire. */
export function unwrapRawMessage(message: JSONRPCMessage): Json {
	const content = own(own(message, 'result'), CARRIED) ?? own(own(message, 'params'), CARRIED);
	return content ?? (message as unknown as Json);
}

function isResponse(message: Json): boolean {
	return own(message, 'method') === undefined && own(message, 'id') !== undefined;
}
