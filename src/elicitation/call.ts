import { bounded } from './abridge.ts';
import { Clock } from './clock.ts';
import type { Sentence } from './sentence.ts';
import type { StandIn } from './standIn.ts';

export type CallKind = 'tool' | 'prompt' | 'resource';
export type CallState = 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A decision about a running call that only the person can take (R07, and -32042 that comes back). */
export interface Halt {
	readonly call: Call;
	/** What happened, a whole sentence. */
	readonly reason: Sentence;
	/** Milliseconds since the epoch. */
	readonly since: number;
	/** Resolves once: true when the call goes on, false when the person stops it or it has ended meanwhile. */
	readonly decided: Promise<boolean>;
	decide(goOn: boolean): void;
}

/** One request of the person (or of another extension) to a server, in the middle of which the server may ask back. */
export class Call {
	readonly startedAt = Date.now();
	readonly clock = new Clock();
	/** How many times the request went out: more than one with input_required rounds and -32042 retries. */
	rounds = 0;
	/** Who last answered a question of it in the person's place; undefined when nobody did. */
	standIn: StandIn | undefined;
	/** What it tries out where it was made to test the server; undefined for calls that mean what they say. */
	trial: Sentence | undefined;
	#state: CallState = 'running';
	#takenBack = false;
	#outcome: unknown;
	#halt: Halt | undefined;

	constructor(
		readonly id: string,
		readonly server: string,
		readonly kind: CallKind,
		readonly name: string,
		readonly args: unknown,
		/** Who had it made, where that was somebody else's program: continues a line about it. */
		readonly via?: Sentence,
		/** When the user started it from this extension's own surfaces (milliseconds since the epoch); undefined: a program did. */
		readonly startedByUserAt?: number,
	) {}

	get state(): CallState {
		return this.#state;
	}

	/** True once it has ended by our own doing: the server was told that it need not go on. */
	get takenBack(): boolean {
		return this.#takenBack;
	}

	/** The result, shortened where it is large, or the error, once the call has ended. */
	get outcome(): unknown {
		return this.#outcome;
	}

	/** What the person has to decide before it goes on; undefined while it runs. */
	get halted(): Halt | undefined {
		return this.#halt;
	}

	/** Stops until the person has decided; that is the person's time. */
	halt(reason: Sentence): Halt {
		let resolve!: (goOn: boolean) => void;
		const decided = new Promise<boolean>((done) => {
			resolve = done;
		});
		const halt: Halt = {
			call: this,
			reason,
			since: Date.now(),
			decided,
			decide: (goOn) => {
				if (this.#halt === halt) {
					this.#halt = undefined;
					this.clock.resume(halt);
					resolve(goOn);
				}
			},
		};
		this.#halt = halt;
		this.clock.pause(halt);
		return halt;
	}

	end(state: Exclude<CallState, 'running'>, outcome: unknown, takenBack = false): void {
		if (this.#state === 'running') {
			this.#state = state;
			this.#takenBack = takenBack;
			this.#outcome = outcome instanceof Error ? outcome : bounded(outcome);
			this.#halt?.decide(false);
			this.clock.stop();
		}
	}
}
