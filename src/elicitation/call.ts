import { Clock, nextMoment } from './clock.ts';
import { type JsonObject, own } from './json.ts';
import type { ResponderInfo } from './responderInfo.ts';
import { english, render, type Sentence } from './sentence.ts';
import { truncateIfLarge } from './truncate.ts';

export type CallKind = 'tool' | 'prompt' | 'resource';
/** The method of each kind of call. */
export const CALL_METHODS = {
	tool: 'tools/call',
	prompt: 'prompts/get',
	resource: 'resources/read',
} as const satisfies Record<CallKind, string>;

const KINDS = new Map<unknown, CallKind>(
	Object.entries(CALL_METHODS).map(([kind, method]) => [method, kind as CallKind]),
);

/** The kind of call that a method makes; undefined if it makes none. */
export function callKindOf(method: unknown): CallKind | undefined {
	return KINDS.get(method);
}

/** True for the method of a call. */
export function isCallMethod(method: unknown): boolean {
	return KINDS.has(method);
}

/** What is called. */
export interface CallRequest {
	readonly kind: CallKind;
	/** Name of the tool or prompt, or URI of the resource. */
	readonly name: string;
	/** Empty for a resource. */
	readonly args: JsonObject;
}

/** `unfinished`: the recording that it is in does not contain its end. */
export type CallState = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'unfinished';

/** A running call that continues only if the user agrees (R07, and repeated -32042 errors). */
export interface RoundLimit {
	readonly call: Call;
	/** What happened, as a complete sentence. */
	readonly reason: Sentence;
	/** Milliseconds since the epoch. */
	readonly since: number;
	/** Resolves once: true if the call continues, false if the user stops it or it has ended. */
	readonly decided: Promise<boolean>;
	decide(goOn: boolean): void;
}

/** The task as which a call runs on its server (2025-11-25: tasks; 2026-07-28: the tasks extension). */
export interface CallTask {
	/** Chosen by the server; unique on its connection. */
	readonly id: string;
	readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
	/** The server's words about the status. */
	readonly message: string | undefined;
}

/** Calls that were made to test one thing, one after the other. */
export interface Series {
	readonly id: string;
	readonly server: string;
	/** The name of the tool or prompt, or the URI of the resource. Server text. */
	readonly name: string;
	readonly heading: Sentence;
}

/** Max number of reasons that a call keeps. */
const MAX_REFUSALS = 10;

/** Removes the calls that have ended. */
export function forgetEnded(calls: Map<unknown, Call>): void {
	for (const [key, { state }] of calls) {
		if (state !== 'running') {
			calls.delete(key);
		}
	}
}

/** A request that the user (or another extension) makes to a server. The server may send elicitations while it runs. */
export class Call {
	readonly startedAt: number;
	/** When it began, as a number in the order of events (`nextMoment`). */
	readonly began = nextMoment();
	readonly clock: Clock;
	/** How many times the request was sent. More than one with `input_required` round trips and -32042 retries. */
	rounds = 0;
	/** The last auto-responder that responded to one of its elicitations; undefined if there was none. */
	responder: ResponderInfo | undefined;
	/** Its task as last reported by the server; undefined unless it runs as one. */
	task: CallTask | undefined;
	/** What the call tests, if it was made to test the server; undefined for ordinary calls. */
	trial: Sentence | undefined;
	/** The series of tests that it belongs to. */
	series: Series | undefined;
	/** By what they say in English. */
	readonly #refusals = new Map<string, Sentence>();
	#state: CallState = 'running';
	#endedAt: number | undefined;
	#takenBack = false;
	#reportedError = false;
	#outcome: unknown;
	#args: unknown;
	#hasWholeArgs = true;
	#roundLimit: RoundLimit | undefined;

	constructor(
		readonly id: string,
		readonly server: string,
		readonly kind: CallKind,
		readonly name: string,
		args: unknown,
		/** The program that requested the call, if it was not this extension. Continues a line about the call. */
		readonly via?: Sentence,
		/** When the user started it in this extension's UI (`nextMoment`); undefined if a program did. */
		readonly startedByUserAt?: number,
		/** The time of the recording (ms since the epoch), of a recorded call. */
		private readonly recorded?: () => number,
		/** Identifies the server that it was made to, whatever has its name later; undefined where that is not known. */
		readonly identity?: string,
	) {
		this.#args = args;
		this.startedAt = this.#now();
		this.clock = new Clock(recorded);
	}

	get state(): CallState {
		return this.#state;
	}

	/** Unredacted. */
	get args(): unknown {
		return this.#args;
	}

	/** False once only a shortened form of its arguments is kept. */
	get hasWholeArgs(): boolean {
		return this.#hasWholeArgs;
	}

	/** Keeps only a shortened form of its arguments. */
	shortenArgs(): void {
		this.#args = truncateIfLarge(this.#args);
		this.#hasWholeArgs = false;
	}

	/** Milliseconds since the epoch; undefined while it runs. */
	get endedAt(): number | undefined {
		return this.#endedAt;
	}

	/** True if the tool's result says that it failed (`isError`). For the protocol, the call succeeded. */
	get reportedError(): boolean {
		return this.#reportedError;
	}

	/** True if it ended with an error, of the protocol or of the tool. A cancelled call did not fail. */
	get failed(): boolean {
		return this.#state === 'failed' || this.#reportedError;
	}

	/** True if it ended on the client's side, so that the server was told to stop. */
	get takenBack(): boolean {
		return this.#takenBack;
	}

	/** The result (truncated if large) or the error, once the call has ended. */
	get outcome(): unknown {
		return this.#outcome;
	}

	/** Why requests of the server during the call were refused: the first reasons. */
	get refusals(): readonly Sentence[] {
		return [...this.#refusals.values()];
	}

	refused(reason: Sentence): void {
		if (this.#refusals.size < MAX_REFUSALS) {
			this.#refusals.set(render(reason, english), reason);
		}
	}

	/** The round limit that the user has to decide on; undefined while the call runs. */
	get atRoundLimit(): RoundLimit | undefined {
		return this.#roundLimit;
	}

	/** Pauses the call until the user decides. The wait counts as the user's time. */
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
			this.#endedAt = this.#now();
			this.#takenBack = takenBack;
			this.#reportedError = state === 'succeeded' && this.kind === 'tool' && own(outcome, 'isError') === true;
			this.#outcome = outcome instanceof Error ? outcome : truncateIfLarge(outcome);
			this.#roundLimit?.decide(false);
			this.clock.stop();
		}
	}

	#now(): number {
		return this.recorded?.() ?? Date.now();
	}
}
