import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Call, forgetEnded } from '../elicitation/call.ts';
import { own } from '../elicitation/json.ts';
import type { Direction } from '../trace/log.ts';
import { relatedTask } from './wire/relatedTask.ts';

/** Max requests to remember. A response may arrive after its call has ended, or never. */
const MAX_REMEMBERED = 100;

/**
 * Finds the call that a message belongs to, for the timeline: by the request that it responds to or reports progress on,
 * by the URL elicitation that it completes, by the stream that it arrived on, or because only one call is in flight.
 */
export class Attribution {
	readonly #requests: Record<Direction, Map<unknown, Call>> = { sent: new Map(), received: new Map() };

	/**
	 * @param completed finds the call behind a URL elicitation that a server reports as complete
	 * @param ofTask finds the call behind a task of either side
	 */
	constructor(
		private readonly callsInFlight: () => readonly Call[],
		private readonly completed: (elicitationId: unknown) => Call | undefined,
		private readonly ofTask: (taskId: unknown) => Call | undefined,
	) {}

	/** @param known the call in whose async context the code runs */
	of(direction: Direction, message: JSONRPCMessage, known: Call | undefined): Call | undefined {
		const id = own(message, 'id');
		const method = own(message, 'method');
		if (method === undefined) {
			const answered = this.#requests[direction === 'sent' ? 'received' : 'sent'];
			const call = answered.get(id) ?? known;
			answered.delete(id);
			return call;
		}
		const params = own(message, 'params');
		const ofTask = this.ofTask(relatedTask(params) ?? own(params, 'taskId'));
		if (id !== undefined) {
			const call = ofTask ?? known ?? (direction === 'received' ? this.#only() : undefined);
			if (call) {
				this.#remember(this.#requests[direction], id, call);
				const progressToken = own(own(params, '_meta'), 'progressToken');
				if (direction === 'sent' && progressToken !== undefined) {
					this.#remember(this.#requests.sent, progressToken, call);
				}
			}
			return call;
		}
		if (method === 'notifications/elicitation/complete') {
			return this.completed(own(params, 'elicitationId')) ?? known;
		}
		return ofTask ?? known ?? this.#requests.sent.get(own(params, 'progressToken') ?? own(params, 'requestId'));
	}

	/** Forgets the calls that have ended. What arrives late belongs to none. */
	forgetEnded(): void {
		Object.values(this.#requests).forEach(forgetEnded);
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
