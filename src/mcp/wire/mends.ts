import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, own } from '../../elicitation/json.ts';
import type { ListBounds } from './listBounds.ts';

const INVALID_REQUEST = -32600;

/** What becomes of a message of the server: the SDK gets to see it, or it is answered in the SDK's place. */
export type Passage = { readonly pass: JSONRPCMessage } | { readonly reply: JSONRPCMessage };

/**
 * What the SDK does not do by itself, done between it and the wire. One instance per connection; it sees every message of
 * both directions in their order.
 */
export class Mends {
	/** Requests of the server that have no answer yet. */
	readonly #asked = new Set<Json>();

	/**
	 * @param modern whether the connection speaks 2026-07-28 or later
	 * @param refuse the error for a request whose params are no object, which the SDK would leave without any answer
	 */
	constructor(
		private readonly modern: () => boolean,
		private readonly refuse: (method: string, params: Json) => { readonly code: number; readonly message: string },
		private readonly lists: ListBounds,
	) {}

	received(message: JSONRPCMessage): Passage {
		const id = own(message, 'id');
		const method = own(message, 'method');
		if (method === undefined) {
			return { pass: this.lists.received(this.#complete(message)) };
		}
		if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) {
			if (method === 'notifications/cancelled') {
				this.#asked.delete(own(own(message, 'params'), 'requestId') ?? null);
			}
			return { pass: message };
		}
		if (this.#asked.has(id)) {
			// The SDK would serve both and confuse their ends.
			const error = { code: INVALID_REQUEST, message: `A request with the id ${JSON.stringify(id)} is open already.` };
			return { reply: { jsonrpc: '2.0', id, error } };
		}
		const params = own(message, 'params');
		if (params !== undefined && !isObject(params)) {
			return { reply: { jsonrpc: '2.0', id, error: this.refuse(method, params) } };
		}
		this.#asked.add(id);
		return { pass: message };
	}

	/** Whether the SDK's message is to be sent: an answer to a request that is gone is not. */
	sent(message: JSONRPCMessage): boolean {
		this.lists.sent(message);
		return own(message, 'method') !== undefined || this.#asked.delete(own(message, 'id') ?? null);
	}

	/** The server gets no answer to this request any more. */
	forget(id: Json): void {
		this.#asked.delete(id);
	}

	/** A result without `resultType` is a complete one (R05); the SDK refuses it. */
	#complete(message: JSONRPCMessage): JSONRPCMessage {
		const result = own(message, 'result');
		return this.modern() && isObject(result) && own(result, 'resultType') === undefined
			? ({ ...message, result: { ...result, resultType: 'complete' } } as JSONRPCMessage)
			: message;
	}
}
