import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Call } from '../elicitation/call.ts';
import { own } from '../elicitation/json.ts';
import type { Direction } from '../trace/log.ts';

/** An answer may come after its call has ended, or never: so many of such requests are kept in mind. */
const MAX_REMEMBERED = 100;

/**
 * Says in the course of which call a message crossed the wire, for the timeline: by the request that it answers or reports
 * on, by the page that it completes, by the stream it came on, or because only one call is in flight.
 */
export class Attribution {
	readonly #requests: Record<Direction, Map<unknown, Call>> = { sent: new Map(), received: new Map() };

	/** @param completed the call that a page was opened for, of which a server now says that it is done */
	constructor(
		private readonly callsInFlight: () => readonly Call[],
		private readonly completed: (elicitationId: unknown) => Call | undefined,
	) {}

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
				this.#remember(this.#requests[direction], id, call);
			}
			return call;
		}
		const params = own(message, 'params');
		if (method === 'notifications/elicitation/complete') {
			return this.completed(own(params, 'elicitationId')) ?? known;
		}
		return known ?? this.#requests.sent.get(own(params, 'progressToken') ?? own(params, 'requestId'));
	}

	#remember(requests: Map<unknown, Call>, id: unknown, call: Call): void {
		requests.set(id, call);
		if (requests.size <= MAX_REMEMBERED) {
			return;
		}
		for (const [oldest, { state }] of requests) {
			if (state !== 'running') {
				requests.delete(oldest);
				return;
			}
		}
	}

	#only(): Call | undefined {
		const calls = this.callsInFlight();
		return calls.length === 1 ? calls[0] : undefined;
	}
}
