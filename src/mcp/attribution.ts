import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Call } from '../elicitation/call.ts';
import { own } from '../elicitation/json.ts';
import type { Direction } from '../trace/log.ts';

/**
 * Says in the course of which call a message crossed the wire, for the timeline: by the request that it answers or reports
 * on, by the stream it came on, or because only one call is in flight.
 */
export class Attribution {
	readonly #requests: Record<Direction, Map<unknown, Call>> = { sent: new Map(), received: new Map() };

	constructor(private readonly callsInFlight: () => readonly Call[]) {}

	/** @param known the call in whose course the code runs */
	of(direction: Direction, message: JSONRPCMessage, known: Call | undefined): Call | undefined {
		const id = own(message, 'id');
		const method = own(message, 'method');
		if (method === undefined) {
			const answered = this.#requests[direction === 'sent' ? 'received' : 'sent'];
			const call = answered.get(id) ?? known;
			answered.delete(id);
			return call;
		}
		if (id !== undefined) {
			const call = known ?? (direction === 'received' ? this.#only() : undefined);
			if (call) {
				this.#requests[direction].set(id, call);
			}
			return call;
		}
		const token = own(own(message, 'params'), 'progressToken') ?? own(own(message, 'params'), 'requestId');
		return known ?? this.#requests.sent.get(token);
	}

	#only(): Call | undefined {
		const calls = this.callsInFlight();
		return calls.length === 1 ? calls[0] : undefined;
	}
}
