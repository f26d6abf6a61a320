import { createHash } from 'node:crypto';
import type { Reading } from '../conversation/conversation.ts';
import type { Direction } from '../conversation/exchange.ts';
import { endIn } from '../conversation/task.ts';
import { Call, callKindOf } from '../elicitation/call.ts';
import { URL_ELICITATION_REQUIRED } from '../elicitation/errorCodes.ts';
import { isObject, type Json, keyOf, own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { dropOldest } from '../elicitation/limits.ts';
import type { TraceEntry } from '../trace/log.ts';

/** Max number of calls in flight, and of calls that may be sent again, that are remembered: the newest. */
const MAX_CALLS = 1_000;

/**
 * The calls of another client, which nobody has announced: a request begins one, unless it sends one again, with responses or
 * after URLs were visited.
 */
export class Calls {
	/** Those in flight, with what is called. */
	readonly #running = new Map<Call, string>();
	/** Those that the client may send again, by what it has to repeat. */
	readonly #waiting = new Map<string, Call>();

	/** @param nextId makes the ids of calls, unique in the recording */
	constructor(private readonly nextId: () => string) {}

	/** The call in flight; undefined if there is none, or if there are several. */
	get only(): Call | undefined {
		const [only, another] = this.#running.keys();
		return another ? undefined : only;
	}

	/** The call that a message of the client begins or sends again; undefined for any other message. */
	of(message: Json, server: string): Call | undefined {
		const kind = callKindOf(own(message, 'method'));
		if (kind === undefined || own(message, 'id') === undefined) {
			return undefined;
		}
		const params = own(message, 'params');
		const [state, responses] = [own(params, 'requestState'), own(params, 'inputResponses')];
		const name = own(params, kind === 'resource' ? 'uri' : 'name') ?? '';
		const essence = hashOf(kind, name, own(params, 'arguments') ?? null);
		const repeated = state === undefined && responses === undefined ? essence : roundOf(state, responses);
		const known = this.#waiting.get(repeated);
		this.#waiting.delete(repeated);
		// Its times are those of the messages: who is waited for, only the client knows.
		const begin = () => new Call(this.nextId(), server, kind, textOf(name), undefined, undefined, undefined, Date.now);
		const call = known ?? begin();
		setBounded(this.#running, call, essence);
		return call;
	}

	/** Call with every message, once it has been read. */
	read(direction: Direction, message: Json, { exchange, call, withdraws }: Reading<TraceEntry>): void {
		if (direction === 'sent') {
			for (const { call: cancelled } of withdraws) {
				this.#running.delete(cancelled as Call);
			}
		} else if (call && endIn(exchange?.method ?? textOf(own(message, 'method')), message) !== undefined) {
			const essence = this.#running.get(call);
			this.#running.delete(call);
			if (essence !== undefined && own(own(message, 'error'), 'code') === URL_ELICITATION_REQUIRED) {
				setBounded(this.#waiting, essence, call);
			}
		} else if (call && own(own(message, 'result'), 'resultType') === 'input_required') {
			const result = own(message, 'result');
			setBounded(this.#waiting, roundOf(own(result, 'requestState'), own(result, 'inputRequests')), call);
		}
	}
}

/** A state is that of one round. Without one, the names of the requests have to do. */
function roundOf(state: Json | undefined, inputs: Json | undefined): string {
	return hashOf(state ?? (isObject(inputs) ? Object.keys(inputs).sort() : []));
}

/** States and arguments may have megabytes. */
function hashOf(...parts: readonly Json[]): string {
	return createHash('sha256')
		.update(keyOf(...parts))
		.digest('base64');
}

function setBounded<K, V>(map: Map<K, V>, key: K, value: V): void {
	map.delete(key);
	map.set(key, value);
	dropOldest(map, MAX_CALLS);
}
