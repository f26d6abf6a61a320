import type { Conversation } from '../conversation/conversation.ts';
import type { Direction, Exchange } from '../conversation/exchange.ts';
import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import { type Json, own } from '../elicitation/json.ts';
import { memorySize, truncate } from '../elicitation/truncate.ts';
import { Privacy } from '../privacy/privacy.ts';
import { Queue } from './queue.ts';

/** Larger messages are truncated (bytes of memory). */
const MAX_MESSAGE_SIZE = 2 * 1024 * 1024;

/** Max memory of all messages together (bytes). */
export const MAX_TOTAL_SIZE = 64 * 1024 * 1024;

export type { Direction };

/** A JSON-RPC message on the wire. */
export interface TraceEntry {
	/** Increases by one; never reused. */
	readonly seq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** The server's configured name. */
	readonly server: string;
	/** Tells several connections of one name apart, where messages are recorded that others exchange. */
	readonly session?: string | undefined;
	readonly direction: Direction;
	/** The call during which it was sent or received, if known. */
	readonly call?: Call | undefined;
	/** The request and the response, one of which it is; undefined for notifications and for responses to unknown requests. */
	readonly exchange?: Exchange<TraceEntry> | undefined;
	readonly message: unknown;
	/** The message without masked input, computed from the full message; undefined if nothing was masked. */
	readonly masked?: unknown;
	/** Approximate memory size (bytes). */
	readonly memorySize: number;
	/** True if the message was truncated. */
	readonly truncated: boolean;
}

/** The method of a message or of the request that it responds to; empty if unknown. */
export function methodOf({ message, exchange }: TraceEntry): string {
	const method = own(message, 'method');
	return typeof method === 'string' ? method : (exchange?.method ?? '');
}

/** True for a request that the server sent while the same one was open. */
export function isRepeated(entry: TraceEntry): boolean {
	const { exchange, message } = entry;
	return exchange !== undefined && own(message, 'method') !== undefined && exchange.request !== entry;
}

/** A message that is about to be recorded. */
export type NewEntry = Pick<TraceEntry, 'server' | 'session' | 'direction' | 'call' | 'message'> & {
	/** When it was sent or received, unless that is now (ms since the epoch). */
	readonly at?: number;
	/** That of its connection. */
	readonly conversation: Pick<Conversation<TraceEntry>, 'read'>;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The most recent raw messages of this window in both directions, without the user's secrets. Bounded in number and
 * size.
 */
export class TraceLog {
	readonly #entries = new Queue<TraceEntry>();
	readonly #added = new Emitter<TraceEntry>();
	readonly #forgotten = new Emitter<TraceEntry>();
	readonly #cleared = new Emitter<void>();
	#memorySize = 0;
	#dropped = 0;
	#seq = 0;

	readonly onDidAdd = this.#added.event;
	/** Fires when the oldest message is dropped. */
	readonly onDidForget = this.#forgotten.event;
	readonly onDidClear = this.#cleared.event;

	/** @param limit max number of messages; after a change, call `trim` */
	constructor(
		private readonly limit: () => number,
		readonly privacy = new Privacy(),
	) {}

	/** Records a message. */
	add({ server, session, direction, call, message, conversation, at = Date.now() }: NewEntry): TraceEntry {
		const size = memorySize(message);
		const truncated = size > MAX_MESSAGE_SIZE;
		// All members from the start: to add them later is slow and takes more memory.
		const added: Mutable<TraceEntry> = {
			seq: this.#seq++,
			at,
			server,
			session,
			direction,
			call,
			exchange: undefined,
			message,
			masked: undefined,
			memorySize: size,
			truncated,
		};
		const reading = conversation.read(added);
		added.call = reading.call;
		added.exchange = reading.exchange;
		const masked = this.privacy.read(added, reading);
		// Truncated first: a server decides how much there is to search.
		added.message = this.privacy.configured.hideIn(truncated ? truncate(message) : message);
		added.masked = this.#safe(message, masked, truncated);
		const { message: kept, masked: safe } = added;
		added.memorySize = (truncated ? memorySize(kept) : size) + (safe === undefined ? 0 : memorySize(safe));
		this.#entries.push(added);
		this.#memorySize += added.memorySize;
		this.#added.fire(added);
		this.trim();
		return added;
	}

	#safe(message: unknown, masked: Json, truncated: boolean): Json | undefined {
		if (truncated) {
			return this.privacy.hideIn(truncate(this.privacy.withoutProposals(masked)));
		}
		return masked === message ? undefined : this.privacy.configured.hideIn(masked);
	}

	/** Drops the oldest messages until the bounds are met. */
	trim(): void {
		const limit = Math.max(1, this.limit());
		while (this.#entries.length > limit || (this.#memorySize > MAX_TOTAL_SIZE && this.#entries.length > 1)) {
			const oldest = this.#entries.shift();
			if (oldest) {
				this.#memorySize -= oldest.memorySize;
				this.#dropped++;
				oldest.exchange?.forget(oldest);
				this.#forgotten.fire(oldest);
			}
		}
	}

	/** Oldest first. */
	get entries(): readonly TraceEntry[] {
		return this.#entries.slice();
	}

	get length(): number {
		return this.#entries.length;
	}

	/** The message with this number, if it is still kept. */
	get(seq: number): TraceEntry | undefined {
		const first = this.#entries.at(0);
		return first && this.#entries.at(seq - first.seq);
	}

	/** Number of messages that were dropped because of the bounds. */
	get dropped(): number {
		return this.#dropped;
	}

	clear(): void {
		for (const entry of this.#entries) {
			entry.exchange?.forget(entry);
		}
		this.#entries.clear();
		this.#memorySize = 0;
		this.#dropped = 0;
		this.#cleared.fire();
	}
}
