import { own } from '../elicitation/json.ts';
import type { Direction, TraceEntry } from './log.ts';

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

/** Pairs requests with their responses by id, server and direction. */
export class Exchanges {
	readonly #of = new Map<TraceEntry, Mutable<Exchange>>();
	/** Requests without a response. Ids are reused after a restart, so the latest request counts. */
	readonly #open = new Map<string, TraceEntry>();

	/** The exchange of a message; undefined for notifications and responses without a request. */
	of(entry: TraceEntry): Exchange | undefined {
		return this.#of.get(entry);
	}

	/** The method of a message or of the request that it responds to; empty if unknown. */
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
			this.#open.set(requestKey(entry, entry.direction, id), entry);
			this.#of.set(entry, { method, request: entry });
			return;
		}
		const key = requestKey(entry, entry.direction === 'sent' ? 'received' : 'sent', id);
		const request = this.#open.get(key);
		const exchange = request && this.#of.get(request);
		if (exchange) {
			exchange.response = entry;
			exchange.latency = entry.at - (request?.at ?? entry.at);
			this.#of.set(entry, exchange);
			this.#open.delete(key);
		}
	}

	/** Forgets a message. Its counterpart keeps the method and latency. */
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
		const key = requestKey(entry, entry.direction, own(entry.message, 'id'));
		if (this.#open.get(key) === entry) {
			this.#open.delete(key);
		}
	}

	clear(): void {
		this.#of.clear();
		this.#open.clear();
	}
}

/** @param direction direction of the request */
function requestKey({ server }: TraceEntry, direction: Direction, id: unknown): string {
	return `${direction} ${JSON.stringify(id)} ${server}`;
}
