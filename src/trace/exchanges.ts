import { own } from '../elicitation/json.ts';
import type { Direction, TraceEntry } from './log.ts';

/** A request and the response to it, whichever way they went. One of the two may be missing: not there yet, or forgotten. */
export interface Exchange {
	/** The method of the request; it outlives the request. */
	readonly method: string;
	readonly request?: TraceEntry | undefined;
	readonly response?: TraceEntry | undefined;
	/** Milliseconds from one to the other; undefined without a response. */
	readonly latency?: number | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Pairs requests with their responses by id, server and direction, as they come and go. */
export class Exchanges {
	readonly #of = new Map<TraceEntry, Mutable<Exchange>>();
	/** Requests without a response: ids are used anew after a restart, the newest request counts. */
	readonly #open = new Map<string, TraceEntry>();

	/** The request and the response that belong to a message; undefined for notifications and unasked responses. */
	of(entry: TraceEntry): Exchange | undefined {
		return this.#of.get(entry);
	}

	/** The method of a message, or of the request that it answers; empty where nobody knows. */
	methodOf(entry: TraceEntry): string {
		const method = own(entry.message, 'method');
		return typeof method === 'string' ? method : (this.#of.get(entry)?.method ?? '');
	}

	add(entry: TraceEntry): void {
		const id = own(entry.message, 'id');
		if (typeof id !== 'string' && typeof id !== 'number') {
			return;
		}
		const method = own(entry.message, 'method');
		if (typeof method === 'string') {
			this.#open.set(keyOf(entry, entry.direction, id), entry);
			this.#of.set(entry, { method, request: entry });
			return;
		}
		const key = keyOf(entry, entry.direction === 'sent' ? 'received' : 'sent', id);
		const request = this.#open.get(key);
		const exchange = request && this.#of.get(request);
		if (exchange) {
			exchange.response = entry;
			exchange.latency = entry.at - (request?.at ?? entry.at);
			this.#of.set(entry, exchange);
			this.#open.delete(key);
		}
	}

	/** Forgets a message; its counterpart keeps what is known of it. */
	forget(entry: TraceEntry): void {
		const exchange = this.#of.get(entry);
		if (!exchange) {
			return;
		}
		this.#of.delete(entry);
		if (exchange.request !== entry) {
			exchange.response = undefined;
			return;
		}
		exchange.request = undefined;
		const key = keyOf(entry, entry.direction, own(entry.message, 'id'));
		if (this.#open.get(key) === entry) {
			this.#open.delete(key);
		}
	}

	clear(): void {
		this.#of.clear();
		this.#open.clear();
	}
}

/** @param direction of the request */
function keyOf({ server }: TraceEntry, direction: Direction, id: unknown): string {
	return `${direction} ${JSON.stringify(id)} ${server}`;
}
