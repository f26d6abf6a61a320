import { isSameRequest } from '../elicitation/form/flatten.ts';
import { idKey, type JsonObject, own } from '../elicitation/json.ts';
import type { Direction, TraceEntry } from './log.ts';
import { PairMap } from './pairMap.ts';
import { Queue } from './queue.ts';

/** A request and its response, in either direction. One of them may be missing: not received yet, or forgotten. */
export interface Exchange {
	/** The request's method. Kept even if the request is forgotten. */
	readonly method: string;
	readonly request?: TraceEntry | undefined;
	readonly response?: TraceEntry | undefined;
	/** Time between the two (ms); undefined without a response. */
	readonly latency?: number | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Pairs requests with their responses by id, server and direction. Forgets messages in the order in which they came. */
export class Exchanges {
	/** The exchanges of the messages from `#first` on: their numbers increase by one. */
	readonly #of = new Queue<Mutable<Exchange> | undefined>();
	#first = 0;
	/**
	 * Exchanges without a response, by server and id. Ids are reused after a restart, so the latest request counts, unless it is the same
	 * one sent again: that gets no response of its own.
	 */
	readonly #open: Readonly<Record<Direction, PairMap<string, string, Mutable<Exchange>>>> = {
		sent: new PairMap(),
		received: new PairMap(),
	};

	/** The exchange of a message; undefined for notifications and responses without a request. */
	of({ seq }: TraceEntry): Exchange | undefined {
		return this.#of.at(seq - this.#first);
	}

	/** The method of a message or of the request that it responds to; empty if unknown. */
	methodOf(entry: TraceEntry): string {
		const method = own(entry.message, 'method');
		return typeof method === 'string' ? method : (this.of(entry)?.method ?? '');
	}

	/** True for a request that the server sent while the same one was open. */
	isRepeated(entry: TraceEntry): boolean {
		const exchange = this.of(entry);
		return own(entry.message, 'method') !== undefined && exchange !== undefined && exchange.request !== entry;
	}

	add(entry: TraceEntry): void {
		if (this.#of.length === 0) {
			this.#first = entry.seq;
		}
		const id = idKey(own(entry.message, 'id'));
		this.#of.push(id === undefined ? undefined : this.#exchangeOf(entry, id));
	}

	/** Forgets the oldest message. Its counterpart keeps the method and latency. */
	forgetOldest(): void {
		const exchange = this.#of.shift();
		const { request } = exchange ?? {};
		if (exchange && request?.seq === this.#first) {
			exchange.request = undefined;
			const open = this.#open[request.direction];
			const id = idKey(own(request.message, 'id')) ?? '';
			if (open.get(request.server, id) === exchange) {
				open.delete(request.server, id);
			}
		} else if (exchange?.response?.seq === this.#first) {
			exchange.response = undefined;
		}
		this.#first++;
	}

	clear(): void {
		this.#of.clear();
		this.#open.sent.clear();
		this.#open.received.clear();
	}

	#exchangeOf(entry: TraceEntry, id: string): Mutable<Exchange> | undefined {
		const { server, direction, message } = entry;
		const method = own(message, 'method');
		if (typeof method === 'string') {
			if (method === 'initialize') {
				this.#open.received.deleteAll(server);
			}
			const same = direction === 'received' ? this.#open.received.get(server, id) : undefined;
			if (same?.request && isSameRequest(same.request.message as JsonObject, message as JsonObject)) {
				return same;
			}
			// All members from the start: to add them later is slow and takes more memory.
			const asked = { method, request: entry, response: undefined, latency: undefined };
			this.#open[direction].set(server, id, asked);
			return asked;
		}
		const open = this.#open[direction === 'sent' ? 'received' : 'sent'];
		const exchange = open.get(server, id);
		if (exchange) {
			exchange.response = entry;
			// The clock may have been set back in between.
			exchange.latency = Math.max(0, entry.at - (exchange.request?.at ?? entry.at));
			open.delete(server, id);
		}
		return exchange;
	}
}
