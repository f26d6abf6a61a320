import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';

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
	readonly call?: Call;
	readonly message: unknown;
}

/** The raw messages of this window in both directions, the newest `limit` of them. */
export class TraceLog {
	readonly #entries: TraceEntry[] = [];
	readonly #changed = new Emitter<void>();
	#dropped = 0;
	#seq = 0;

	readonly onDidChange = this.#changed.event;

	/** @param limit how many messages are kept; may change at any time */
	constructor(private readonly limit: () => number) {}

	add(entry: Omit<TraceEntry, 'seq' | 'at'>): TraceEntry {
		const added = { ...entry, seq: this.#seq++, at: Date.now() };
		this.#entries.push(added);
		// Removing from the front costs a copy: let a tenth more gather before doing so.
		const limit = Math.max(1, this.limit());
		if (this.#entries.length > limit * 1.1) {
			this.#dropped += this.#entries.splice(0, this.#entries.length - limit).length;
		}
		this.#changed.fire();
		return added;
	}

	/** Oldest first. */
	get entries(): readonly TraceEntry[] {
		return this.#entries.slice(-Math.max(1, this.limit()));
	}

	/** How many messages the bound has cost. */
	get dropped(): number {
		return this.#dropped;
	}

	clear(): void {
		this.#entries.length = 0;
		this.#dropped = 0;
		this.#changed.fire();
	}
}
