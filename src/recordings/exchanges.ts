import { Conversations } from '../conversation/conversations.ts';
import type { Exchange as Paired } from '../conversation/exchange.ts';
import { POLL, reportIn } from '../conversation/task.ts';
import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import { isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import { fitsRedacted, REDACTED } from '../privacy/secrets.ts';
import type { RecordedCall, RecordedMessage } from '../trace/recording/readRecording.ts';

/** In place of a response of which the recording has only the beginnings of its texts and lists. */
const ABRIDGED = {
	error: { code: INTERNAL_ERROR, message: 'The recording has only a shortened form of this response.' },
};

/** What happened between a request of the client and its response, in the order of the recording. */
export type Step =
	/** The server sent a request or a notification. */
	| { readonly kind: 'send'; readonly message: JsonObject }
	/** The client responded to the server's request with this id. */
	| { readonly kind: 'expect'; readonly id: Json; readonly response: JsonObject };

/** A notification that the server sent after its response, and how long after it (ms). */
export interface Late {
	readonly message: JsonObject;
	readonly after: number;
}

/** What happened to a task after it was created. */
export type TaskEvent =
	/** The server reported about it, in a notification or a response to `tasks/get`. */
	| { readonly kind: 'report'; readonly response: JsonObject }
	/** The client made a request about it, other than for a report. */
	| { readonly kind: 'request'; readonly exchange: Exchange };

/** A recorded request of the client, and what the server did. */
export interface Exchange {
	/** Place in the recording, from 0. */
	readonly index: number;
	readonly method: string;
	readonly params: Json;
	readonly steps: readonly Step[];
	readonly late: readonly Late[];
	/** The response; undefined if the recording has none. */
	readonly response: JsonObject | undefined;
	/** The round before this one, whose input requests its params respond to. */
	readonly previous: Exchange | undefined;
	/** The number of rounds before this one. */
	readonly round: number;
	/** The call that runs as the task which the request is about, if it is about one. */
	readonly task: Exchange | undefined;
	/** What happened to the task that the response created, in the order of the recording. */
	readonly events: readonly TaskEvent[];
}

type Mutable = {
	-readonly [K in keyof Exchange]: Exchange[K] extends readonly (infer T)[] ? T[] : Exchange[K];
} & { respondedAt: number };

/** Members of params that differ from one request to the next, or say how it is sent. */
const TRANSIENT = ['_meta', 'task', 'taskId', 'inputResponses', 'requestState'];

/** Pairs the recorded messages of one server. */
export function exchangesIn(messages: readonly RecordedMessage[]): readonly Exchange[] {
	const reader = new ExchangeReader();
	for (const message of messages) {
		reader.read(message);
	}
	return reader.exchanges;
}

class ExchangeReader {
	readonly exchanges: Mutable[] = [];
	readonly #conversations = new Conversations<RecordedMessage>();
	/** What has become of a request of the client, and during which one a request of the server was made. */
	readonly #of = new Map<Paired<RecordedMessage> | undefined, Mutable>();
	/** The last request of each call during which the server may send something. */
	readonly #ofCall = new Map<RecordedCall, Mutable>();

	read(recorded: RecordedMessage): void {
		const { direction, message } = recorded;
		const method = own(message, 'method');
		const { exchange, about, asks } = this.#conversations.of(recorded).read(recorded);
		if (direction === 'sent') {
			if (typeof method === 'string' && exchange) {
				this.#requested(recorded, exchange);
			} else if (method === undefined) {
				this.#of.get(exchange)?.steps.push({ kind: 'expect', id: own(message, 'id') ?? null, response: message });
			}
		} else if (method === undefined) {
			this.#responded(recorded, exchange);
		} else if (reportIn(String(method), message)) {
			// Served when the client polls: when the server sent it says nothing about what the client has done before.
			this.#of.get(about)?.events.push({ kind: 'report', response: { result: own(message, 'params') ?? null } });
		} else if (!exchange || asks.length > 0) {
			this.#received(recorded, exchange);
		}
	}

	#requested({ call, message }: RecordedMessage, paired: Paired<RecordedMessage>): void {
		const { method } = paired;
		const params = own(message, 'params') ?? null;
		const continues = own(params, 'inputResponses') !== undefined || own(params, 'requestState') !== undefined;
		const task = this.#of.get(paired.about);
		const previous = call && continues ? this.#ofCall.get(call) : undefined;
		const exchange: Mutable = {
			index: this.exchanges.length,
			method,
			params,
			steps: [],
			late: [],
			response: undefined,
			previous,
			round: previous ? previous.round + 1 : 0,
			task,
			events: [],
			respondedAt: 0,
		};
		this.exchanges.push(exchange);
		this.#of.set(paired, exchange);
		if (method !== POLL) {
			task?.events.push({ kind: 'request', exchange });
			if (call) {
				this.#ofCall.set(call, exchange);
			}
		}
	}

	#responded({ at, message, truncated }: RecordedMessage, paired: Paired<RecordedMessage> | undefined): void {
		const exchange = this.#of.get(paired);
		if (!exchange) {
			return;
		}
		const response = truncated ? ABRIDGED : message;
		exchange.response = response;
		exchange.respondedAt = at;
		if (exchange.method === POLL) {
			this.#of.get(paired?.about)?.events.push({ kind: 'report', response });
		}
	}

	/** @param paired the request, if the message is one */
	#received(recorded: RecordedMessage, paired: Paired<RecordedMessage> | undefined): void {
		const { at, call, message } = recorded;
		const open = call ? undefined : this.#conversations.of(recorded).onlyOpen('sent');
		const exchange = call ? this.#ofCall.get(call) : this.#of.get(open);
		if (exchange?.response) {
			// A request after the response would have no stream to be sent on.
			if (own(message, 'id') === undefined)
				exchange.late.push({ message, after: Math.max(0, at - exchange.respondedAt) });
		} else if (exchange) {
			exchange.steps.push({ kind: 'send', message });
			if (paired) this.#of.set(paired, exchange);
		}
	}
}

/** The params of a request that tell what is requested. A call without arguments is one with none. */
export function essence(params: Json): JsonObject {
	const args = own(params, 'arguments');
	const none = isObject(args) && Object.keys(args).length === 0;
	return without(isObject(params) ? params : {}, none ? [...TRANSIENT, 'arguments'] : TRANSIENT);
}

/** True if a value is the recorded one. What the recording redacts matches everything. */
export function matches(recorded: Json, value: Json): boolean {
	if (typeof recorded === 'string') {
		return recorded === value || recorded === REDACTED || (recorded.includes(REDACTED) && fits(recorded, value));
	}
	if (Array.isArray(recorded)) {
		return (
			Array.isArray(value) &&
			recorded.length === value.length &&
			recorded.every((item, at) => matches(item, value[at] ?? null))
		);
	}
	if (!isObject(recorded)) {
		return recorded === value;
	}
	const names = Object.keys(recorded).filter((name) => name !== '_meta');
	return (
		isObject(value) &&
		names.length === Object.keys(value).filter((name) => name !== '_meta').length &&
		names.every((name) => Object.hasOwn(value, name) && matches(recorded[name] ?? null, value[name] ?? null))
	);
}

/** A text of which parts are redacted. */
function fits(recorded: string, value: Json): boolean {
	return typeof value === 'string' && fitsRedacted(recorded, value);
}

/** The steps but for notifications: whether a server sends one during a call or before it is chance. */
export function turnsOf({ steps }: Exchange): readonly Step[] {
	return steps.filter((step) => step.kind === 'expect' || own(step.message, 'id') !== undefined);
}

/** True if two exchanges have the same turns up to one, ids aside. */
export function sameUntil(a: Exchange, b: Exchange, turn: number): boolean {
	const others = turnsOf(b);
	return (
		a === b ||
		(others.length >= turn &&
			turnsOf(a)
				.slice(0, turn)
				.every((each, at) => {
					const other = others[at];
					return each.kind === 'expect'
						? other?.kind === 'expect' && matches(contentOf(each.response), contentOf(other.response))
						: other?.kind === 'send' &&
								own(each.message, 'method') === own(other.message, 'method') &&
								matches(essence(own(each.message, 'params') ?? null), essence(own(other.message, 'params') ?? null));
				}))
	);
}

/** What a response says, without its id. */
export function contentOf(response: JsonObject): Json {
	return own(response, 'result') ?? { error: own(own(response, 'error'), 'code') ?? null };
}
