import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import { isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import type { RecordedMessage } from '../trace/recording/readRecording.ts';
import { fitsRedacted } from '../trace/redactedText.ts';
import { REDACTED } from '../trace/secrets.ts';

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
}

type Mutable = {
	-readonly [K in keyof Exchange]: Exchange[K] extends readonly (infer T)[] ? T[] : Exchange[K];
} & { respondedAt: number };

/** Members of params that differ from one request to the next, or say how it is sent. */
const TRANSIENT = ['_meta', 'task', 'inputResponses', 'requestState'];

/** Pairs the recorded messages of one server. */
export function exchangesIn(messages: readonly RecordedMessage[]): readonly Exchange[] {
	const exchanges: Mutable[] = [];
	/** Requests of the client without a response, by id. */
	const open = new Map<Json | undefined, Mutable>();
	/** The last request of each call. */
	const ofCall = new Map<string, Mutable>();
	/** Which request of the client a request of the server was sent during. */
	const asked = new Map<Json | undefined, Mutable>();
	const during = (call: RecordedMessage['call']) =>
		call ? ofCall.get(call.id) : open.size === 1 ? [...open.values()][0] : undefined;

	for (const { at, direction, call, message, truncated } of messages) {
		const [method, id, params] = [own(message, 'method'), own(message, 'id'), own(message, 'params')];
		if (direction === 'sent' && typeof method === 'string' && id !== undefined) {
			const before = call && ofCall.get(call.id);
			const continues = own(params, 'inputResponses') !== undefined || own(params, 'requestState') !== undefined;
			const exchange: Mutable = {
				index: exchanges.length,
				method,
				params: params ?? null,
				steps: [],
				late: [],
				response: undefined,
				previous: continues ? before : undefined,
				respondedAt: 0,
			};
			exchanges.push(exchange);
			open.set(id, exchange);
			if (call) {
				ofCall.set(call.id, exchange);
			}
		} else if (direction === 'sent' && method === undefined) {
			asked.get(id)?.steps.push({ kind: 'expect', id: id ?? null, response: message });
			asked.delete(id);
		} else if (direction === 'received' && method === undefined) {
			const exchange = open.get(id);
			if (exchange) {
				exchange.response = truncated ? ABRIDGED : message;
				exchange.respondedAt = at;
				open.delete(id);
			}
		} else if (direction === 'received') {
			const exchange = during(call);
			if (exchange?.response) {
				// A request after the response would have no stream to be sent on.
				if (id === undefined) exchange.late.push({ message, after: Math.max(0, at - exchange.respondedAt) });
			} else if (exchange) {
				exchange.steps.push({ kind: 'send', message });
				if (id !== undefined) asked.set(id, exchange);
			}
		}
	}
	return exchanges;
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

/** True if two exchanges are the same up to a step, ids aside. */
export function sameUntil(a: Exchange, b: Exchange, step: number): boolean {
	return (
		a === b ||
		(b.steps.length >= step &&
			a.steps.slice(0, step).every((each, at) => {
				const other = b.steps[at];
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
