import { bounded } from './abridge.ts';
import type { ResponderInfo } from './autoResponder.ts';
import { Clock } from './clock.ts';
import type { Sentence } from './sentence.ts';

export type CallKind = 'tool' | 'prompt' | 'resource';
export type CallState = 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A decision about a running call that only the user can take (R07, and -32042 that comes back). */
export interface RoundLimit {
	readonly call: Call;
	/** What happened, a whole sentence. */
	readonly reason: Sentence;
	/** Milliseconds since the epoch. */
	readonly since: number;
	/** Resolves once: true when the call goes on, false when the user stops it or it has ended meanwhile. */
	readonly decided: Promise<boolean>;
	decide(goOn: boolean): void;
}

/** One request of the user (or of another extension) to a server, in the middle of which the server may ask back. */
export class Call {
	readonly startedAt = Date.now();
	readonly clock = new Clock();
	/** How many times the request went out: more than one with input_required rounds and -32042 retries. */
	rounds = 0;
	/** Who last answered a question of it in the user's place; undefined when nobody did. */
	responder: ResponderInfo | undefined;
	/** What it tries out where it was made to test the server; undefined for calls that mean what they say. */
	trial: Sentence | undefined;
	#state: CallState = 'running';
	#takenBack = false;
	#outcome: unknown;
	#roundLimit: RoundLimit | undefined;

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

	/** What the user has to decide before it goes on; undefined while it runs. */
	get atRoundLimit(): RoundLimit | undefined {
		return this.#roundLimit;
	}

	/** Stops until the user has decided; that is the user's time. */
	roundLimit(reason: Sentence): RoundLimit {
		let resolve!: (goOn: boolean) => void;
		const decided = new Promise<boolean>((done) => {
			resolve = done;
		});
		const roundLimit: RoundLimit = {
			call: this,
			reason,
			since: Date.now(),
			decided,
			decide: (goOn) => {
				if (this.#roundLimit === roundLimit) {
					this.#roundLimit = undefined;
					this.clock.resume(roundLimit);
					resolve(goOn);
				}
			},
		};
		this.#roundLimit = roundLimit;
		this.clock.pause(roundLimit);
		return roundLimit;
	}

	end(state: Exclude<CallState, 'running'>, outcome: unknown, takenBack = false): void {
		if (this.#state === 'running') {
			this.#state = state;
			this.#takenBack = takenBack;
			this.#outcome = outcome instanceof Error ? outcome : bounded(outcome);
			this.#roundLimit?.decide(false);
			this.clock.stop();
		}
	}
}
