import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { isObject, type Json, own } from '../../elicitation/json.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { INVALID_REQUEST, type Malformed, readMessage } from './envelope.ts';
import type { ListBounds } from './listBounds.ts';

/** The last revision with batches (2025-03-26, batching); before it JSON-RPC allowed them, and after it they are gone. */
const LAST_WITH_BATCHES = '2025-03-26';

/** What becomes of a message of the server: the SDK gets to see it, it is answered in the SDK's place, or it is ignored. */
export type ShimResult =
	| { readonly pass: JSONRPCMessage }
	| { readonly reply: JSONRPCMessage; readonly reason: string }
	| { readonly ignored: string };

/** What the mends need to know of the connection, and whom they tell. */
export interface SdkShimContext {
	/** Whether it speaks 2026-07-28 or later. */
	modern(): boolean;
	/** The negotiated revision; undefined before there is one. */
	revision(): string | undefined;
	/** An elicitation was not even read: the user is told why. */
	refused(params: Json, reason: Sentence): void;
}

/**
 * What the SDK does not do by itself, done between it and the wire. One instance per connection; it sees every message of
 * both directions in their order.
 */
export class SdkShim {
	/** Requests of the server that have no answer yet, as they crossed the wire. */
	readonly #asked = new Map<Json, JSONRPCRequest>();

	constructor(
		private readonly context: SdkShimContext,
		private readonly lists: ListBounds,
	) {}

	/** @param batched whether it came as a part of a batch */
	received(message: Json, batched = false): ShimResult {
		const received = readMessage(message);
		switch (received.kind) {
			case 'request':
				return this.#request(received.request, batched);
			case 'malformed':
				return this.#refuse(received);
			case 'notification':
				return { pass: this.#cancelled(received.message) };
			case 'response':
				return { pass: this.lists.received(this.#complete(received.message)) };
			case 'noise':
				return { ignored: `Ignored what is no JSON-RPC message: ${JSON.stringify(message)}` };
		}
	}

	/** Whether the SDK's message is to be sent: an answer to a request that is gone is not. */
	sent(message: JSONRPCMessage): boolean {
		this.lists.sent(message);
		return own(message, 'method') !== undefined || this.#asked.delete(own(message, 'id') ?? null);
	}

	/** A request that has no answer yet, as it crossed the wire: the SDK gets to see, and to judge, only its method. */
	asked(id: Json): JSONRPCRequest | undefined {
		return this.#asked.get(id);
	}

	/** The server gets no answer to this request any more. */
	forget(id: Json): void {
		this.#asked.delete(id);
	}

	#request(request: JSONRPCRequest, batched: boolean): ShimResult {
		const { id, method } = request;
		const refuse = (reason: Sentence) => {
			const params = (own(request, 'params') ?? null) as Json;
			return this.#refuse({ kind: 'malformed', id, method, params, code: INVALID_REQUEST, reason });
		};
		const revision = this.context.revision();
		if (batched && revision !== undefined && revision > LAST_WITH_BATCHES) {
			return refuse(localizable('Protocol revision {0} has no batches of messages.', revision));
		}
		if (this.context.modern()) {
			return refuse(localizable('Protocol revision {0} has no requests of servers.', revision ?? ''));
		}
		if (this.#asked.has(id)) {
			// The SDK would serve both and confuse their ends.
			const reason = `A request with the id ${JSON.stringify(id)} is open already.`;
			return { reply: { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: reason } }, reason };
		}
		this.#asked.set(id, request);
		return { pass: { jsonrpc: '2.0', id, method } };
	}

	/** Says why in an error; since 2026-07-28 clients must not send any response. */
	#refuse({ id, method, params, code, reason }: Malformed): ShimResult {
		const message = render(reason, english);
		const complaint = `Refused a request (${JSON.stringify(method)}, id ${JSON.stringify(id)}): ${message}`;
		if (method === 'elicitation/create') {
			this.context.refused(params, reason);
		}
		if (this.context.modern()) {
			return { ignored: complaint };
		}
		// The SDK's types lack the null that JSON-RPC demands for what has no id.
		return { reply: { jsonrpc: '2.0', id: id as string, error: { code, message } }, reason: complaint };
	}

	/** The server wants no answer any more; the SDK would not hear of it for a reason that is no text. */
	#cancelled(notification: JSONRPCMessage): JSONRPCMessage {
		const params = own(notification, 'params');
		if (own(notification, 'method') !== 'notifications/cancelled' || !isObject(params)) {
			return notification;
		}
		const { reason, ...rest } = params;
		this.#asked.delete(own(rest, 'requestId') ?? null);
		return { ...notification, params: typeof reason === 'string' ? params : rest } as JSONRPCMessage;
	}

	/** A result without `resultType` is a complete one (R05); the SDK refuses it. */
	#complete(message: JSONRPCMessage): JSONRPCMessage {
		const result = own(message, 'result');
		return this.context.modern() && isObject(result) && own(result, 'resultType') === undefined
			? ({ ...message, result: { ...result, resultType: 'complete' } } as JSONRPCMessage)
			: message;
	}
}
