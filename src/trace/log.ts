import { abridge, weightOf } from '../elicitation/abridge.ts';
import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import type { Json } from '../elicitation/json.ts';
import type { Masking } from './masking.ts';
import { Queue } from './queue.ts';
import { Secrets } from './secrets.ts';

/** A message that takes more memory than this is kept in a shortened form (bytes). */
export const MOST_OF_ONE = 2 * 1024 * 1024;

/** All messages together take no more memory than this (bytes), however many may be kept. */
export const MOST_OF_ALL = 64 * 1024 * 1024;

export type Direction = 'sent' | 'received';

/** One JSON-RPC message as it crossed the wire. */
export interface TraceEntry {
	/** Counts up by one; never reused. */
	readonly seq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** The server's configured name. */
	readonly server: string;
	readonly direction: Direction;
	/** The call in whose course it crossed the wire, where that is known. */
	readonly call?: Call | undefined;
	readonly message: unknown;
	/** The message without what was entered masked, which was decided while it was whole; undefined where nothing was. */
	readonly masked?: unknown;
	/** Roughly the bytes of memory that it takes. */
	readonly weight: number;
	/** True where only a shortened form of a large message is kept. */
	readonly abridged: boolean;
}

/**
 * The raw messages of this window in both directions, without what the user keeps secret: the newest of them, bounded in
 * their number and in their size.
 */
export class TraceLog {
	readonly secrets = new Secrets();
	/** What is entered masked, which leaves the window in no form. Absent until the first server is started, see `maskingOf`. */
	masking?: Masking;
	readonly #entries = new Queue<TraceEntry>();
	readonly #added = new Emitter<TraceEntry>();
	readonly #forgotten = new Emitter<TraceEntry>();
	readonly #cleared = new Emitter<void>();
	#weight = 0;
	#dropped = 0;
	#seq = 0;

	readonly onDidAdd = this.#added.event;
	/** The oldest had to go. */
	readonly onDidForget = this.#forgotten.event;
	readonly onDidClear = this.#cleared.event;

	/** @param limit how many messages are kept; may change at any time, see `trim` */
	constructor(private readonly limit: () => number) {}

	/** Records a message. Throws as long as there is no `masking`: what was entered masked could never be told again. */
	add({ server, direction, call, message }: Pick<TraceEntry, 'server' | 'direction' | 'call' | 'message'>): TraceEntry {
		const { masking } = this;
		if (!masking) {
			throw new Error('No message is recorded without its masking.');
		}
		const masked = masking.read({ server, direction, call, message });
		const whole = this.secrets.hideIn(message);
		const weight = weightOf(whole);
		const abridged = weight > MOST_OF_ONE;
		const kept = abridged ? abridge(whole) : whole;
		const safe = this.#safe(message, masked, abridged ? masking : undefined);
		// Member by member: spreading entries with and without a call costs ten times as much, for every message.
		const added: TraceEntry = {
			seq: this.#seq++,
			at: Date.now(),
			server,
			direction,
			call,
			message: kept,
			masked: safe,
			weight: (abridged ? weightOf(kept) : weight) + (safe === undefined ? 0 : weightOf(safe)),
			abridged,
		};
		this.#entries.push(added);
		this.#weight += added.weight;
		this.#added.fire(added);
		this.trim();
		return added;
	}

	/** @param masking of a message of which only a shortened form is kept */
	#safe(message: unknown, masked: Json, masking: Masking | undefined): Json | undefined {
		if (masking) {
			return abridge(this.hideIn(masking.withoutProposals(masked)));
		}
		return masked === message ? undefined : this.secrets.hideIn(masked);
	}

	/** A value without what the user keeps secret, and without what was entered masked: as it may be said or written. */
	hideIn<T>(value: T): T {
		const known = this.secrets.hideIn(value);
		return this.masking ? this.masking.entered.hideIn(known) : known;
	}

	/** Forgets the oldest down to the bounds. */
	trim(): void {
		const limit = Math.max(1, this.limit());
		while (this.#entries.length > limit || (this.#weight > MOST_OF_ALL && this.#entries.length > 1)) {
			const oldest = this.#entries.shift();
			if (oldest) {
				this.#weight -= oldest.weight;
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

	/** The message with this number, as long as it is kept. */
	get(seq: number): TraceEntry | undefined {
		const first = this.#entries.at(0);
		return first && this.#entries.at(seq - first.seq);
	}

	/** How many messages the bounds have cost. */
	get dropped(): number {
		return this.#dropped;
	}

	clear(): void {
		this.#entries.clear();
		this.#weight = 0;
		this.#dropped = 0;
		this.#cleared.fire();
	}
}
