import { Clock } from './clock.ts';

export type CallKind = 'tool' | 'prompt' | 'resource';
export type CallState = 'running' | 'succeeded' | 'failed' | 'cancelled';

/** One request of the person (or of another extension) to a server, in the middle of which the server may ask back. */
export class Call {
	readonly startedAt = Date.now();
	readonly clock = new Clock();
	/** How many times the request went out: more than one with input_required rounds and -32042 retries. */
	rounds = 0;
	#state: CallState = 'running';
	#outcome: unknown;

	constructor(
		readonly id: string,
		readonly server: string,
		readonly kind: CallKind,
		readonly name: string,
		readonly args: unknown,
	) {}

	get state(): CallState {
		return this.#state;
	}

	/** The result, or the error, once the call has ended. */
	get outcome(): unknown {
		return this.#outcome;
	}

	end(state: Exclude<CallState, 'running'>, outcome: unknown): void {
		if (this.#state === 'running') {
			this.#state = state;
			this.#outcome = outcome;
			this.clock.stop();
		}
	}
}
