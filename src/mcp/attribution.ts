import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { type Call, forgetEnded } from '../elicitation/call.ts';
import { idKey, own } from '../elicitation/json.ts';
import type { Direction } from '../trace/log.ts';
import { relatedTask } from './wire/relatedTask.ts';

/** Max requests to remember. A response may arrive after its call has ended, or never. */
const MAX_REMEMBERED = 100;

/**
 * Finds the call that a message belongs to, for the timeline: by the request that it responds to or reports progress on,
 * by the URL elicitation that it completes, by the stream that it arrived on, or because only one call is in flight.
 */
export class Attribution {
	/** By the side that sent the request, and its id. */
	readonly #requests: Record<Direction, Map<string, Call>> = { sent: new Map(), received: new Map() };
	/** By the side that wants to hear of progress, and its token. */
	readonly #progress: Record<Direction, Map<string, Call>> = { sent: new Map(), received: new Map() };

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
		const id = idKey(own(message, 'id'));
		const method = own(message, 'method');
		const other = direction === 'sent' ? 'received' : 'sent';
		if (method === undefined) {
			const call = find(this.#requests[other], id) ?? known;
			this.#requests[other].delete(id ?? '');
			return call;
		}
		const params = own(message, 'params');
		const ofTask = this.ofTask(relatedTask(params) ?? own(params, 'taskId'));
		if (id !== undefined) {
			const call = ofTask ?? known ?? (direction === 'received' ? this.#only() : undefined);
			if (call) {
				this.#remember(this.#requests[direction], id, call);
				const token = idKey(own(own(params, '_meta'), 'progressToken'));
				if (token !== undefined) {
					this.#remember(this.#progress[direction], token, call);
				}
			}
			return call;
		}
		if (method === 'notifications/elicitation/complete') {
			return this.completed(own(params, 'elicitationId')) ?? known;
		}
		// A side reports progress to the other, and cancels its own requests.
		return (
			ofTask ??
			known ??
			find(this.#progress[other], idKey(own(params, 'progressToken'))) ??
			find(this.#requests[direction], idKey(own(params, 'requestId')))
		);
	}

	/** Forgets the calls that have ended. What arrives late belongs to none. */
	forgetEnded(): void {
		[this.#requests, this.#progress].flatMap((maps) => Object.values(maps)).forEach(forgetEnded);
	}

	#remember(requests: Map<string, Call>, id: string, call: Call): void {
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

function find(calls: ReadonlyMap<string, Call>, key: string | undefined): Call | undefined {
	return key === undefined ? undefined : calls.get(key);
}
