import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import type { Json } from '../elicitation/json.ts';
import { memorySize, truncate } from '../elicitation/truncate.ts';
import type { Masking } from './masking.ts';
import { Queue } from './queue.ts';
import { Secrets } from './secrets.ts';

/** Larger messages are truncated (bytes of memory). */
const MAX_MESSAGE_SIZE = 2 * 1024 * 1024;

/** Max memory of all messages together (bytes). */
export const MAX_TOTAL_SIZE = 64 * 1024 * 1024;

export type Direction = 'sent' | 'received';

/** A JSON-RPC message on the wire. */
export interface TraceEntry {
	/** Increases by one; never reused. */
	readonly seq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** The server's configured name. */
	readonly server: string;
	readonly direction: Direction;
	/** The call during which it was sent or received, if known. */
	readonly call?: Call | undefined;
	readonly message: unknown;
	/** The message without masked input, computed from the full message; undefined if nothing was masked. */
	readonly masked?: unknown;
	/** Approximate memory size (bytes). */
	readonly memorySize: number;
	/** True if the message was truncated. */
	readonly truncated: boolean;
}

/**
 * The most recent raw messages of this window in both directions, without the user's secrets. Bounded in number and
 * size.
 */
export class TraceLog {
	readonly secrets = new Secrets();
	/** Hides masked input. Absent until the first server is started, see `maskingOf`. */
	masking?: Masking;
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
	constructor(private readonly limit: () => number) {}

	/**
	 * Records a message.
	 * @throws if `masking` is not set, because masked input could not be recognized later
	 */
	add({ server, direction, call, message }: Pick<TraceEntry, 'server' | 'direction' | 'call' | 'message'>): TraceEntry {
		const { masking } = this;
		if (!masking) {
			throw new Error('No message is recorded without its masking.');
		}
		const masked = masking.read({ server, direction, call, message });
		const size = memorySize(message);
		const truncated = size > MAX_MESSAGE_SIZE;
		// Truncated first: a server decides how much there is to search.
		const kept = this.secrets.hideIn(truncated ? truncate(message) : message);
		const safe = this.#safe(message, masked, truncated ? masking : undefined);
		// Spreading objects with and without a call is ten times slower than listing the members.
		const added: TraceEntry = {
			seq: this.#seq++,
			at: Date.now(),
			server,
			direction,
			call,
			message: kept,
			masked: safe,
			memorySize: (truncated ? memorySize(kept) : size) + (safe === undefined ? 0 : memorySize(safe)),
			truncated,
		};
		this.#entries.push(added);
		this.#memorySize += added.memorySize;
		this.#added.fire(added);
		this.trim();
		return added;
	}

	/** @param masking set if the message was truncated */
	#safe(message: unknown, masked: Json, masking: Masking | undefined): Json | undefined {
		if (masking) {
			return this.hideIn(truncate(masking.withoutProposals(masked)));
		}
		return masked === message ? undefined : this.secrets.hideIn(masked);
	}

	/** Removes the user's secrets and masked input from a value, so that it can be displayed or written. */
	hideIn<T>(value: T): T {
		const known = this.secrets.hideIn(value);
		return this.masking ? this.masking.entered.hideIn(known) : known;
	}

	/** Drops the oldest messages until the bounds are met. */
	trim(): void {
		const limit = Math.max(1, this.limit());
		while (this.#entries.length > limit || (this.#memorySize > MAX_TOTAL_SIZE && this.#entries.length > 1)) {
			const oldest = this.#entries.shift();
			if (oldest) {
				this.#memorySize -= oldest.memorySize;
				this.#dropped++;
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
		this.#entries.clear();
		this.#memorySize = 0;
		this.#dropped = 0;
		this.#cleared.fire();
	}
}
