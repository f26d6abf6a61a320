import { isCount, type Message, type ShownCall } from './protocol.ts';

/**
 * Messages between the extension host and the trials webview, following the rules of `protocol.ts`. The webview shows a
 * table of test runs of one call.
 */

/**
 * The outcome: a result, a tool error (`isError`), a JSON-RPC error, or no response in time (`waiting`). `failed`: the
 * call could not be completed. `cancelled`: the user stopped it.
 */
export type TrialOutcome = 'result' | 'isError' | 'error' | 'waiting' | 'failed' | 'cancelled';

/** What an outcome without a result means where it is no failure: the correct reaction, or nothing that is judged. */
export type Refusal = 'expected' | 'neutral';

/** A translated note about a run. */
export interface ShownNote {
	readonly text: string;
	readonly warning: boolean;
}

/** True for a run of which a note warns. */
export function isWarned({ notes }: Pick<ShownRun, 'notes'>): boolean {
	return notes.some(({ warning }) => warning);
}

/** A run. Server text in `name` and `words` is raw. */
export interface ShownRun {
	/** What it tests; translated. */
	readonly name: string;
	/** The JSON that is sent. */
	readonly sent?: string;
	/** What is deliberately wrong with it; translated. */
	readonly mark?: string;
	/** Other clients that respond in this way; translated. */
	readonly senders?: readonly string[];
	/** `skipped`: will not run. */
	readonly state: 'planned' | 'running' | 'ended' | 'skipped';
	readonly outcome?: TrialOutcome;
	/** Absent for a result, and for a failure. */
	readonly refusal?: Refusal;
	/** Translated. */
	readonly outcomeText: string;
	/** Beginning of the server's response. */
	readonly words?: string;
	/** The negotiated protocol revision. */
	readonly revision?: string;
	/** Number of elicitations. */
	readonly elicitations?: number;
	/** Server time (ms). */
	readonly serverTime?: number;
	readonly notes: readonly ShownNote[];
	/** True if there is a call in the timeline. */
	readonly called: boolean;
}

export interface TrialsModel {
	/** Kind of the trials; translated. */
	readonly heading: string;
	/** Purpose of the trials; translated. */
	readonly about: string;
	readonly server: string;
	readonly call: ShownCall;
	/** True if the rows differ in their revision. */
	readonly revisions: boolean;
	/** True if the rows name other clients. */
	readonly senders: boolean;
	readonly rows: readonly ShownRun[];
	readonly running: boolean;
	/** Translated progress. */
	readonly progress: string;
}

export type ToTrials =
	/** Also shows what has changed. */
	| { readonly type: 'show'; readonly model: TrialsModel }
	/** Announces the result of an action; translated. */
	| { readonly type: 'said'; readonly text: string };

/** What the page of trials may send. */
export const fromTrials = {
	copy: {},
	stop: {},
	/** Reveals the call of a row in the timeline. */
	open: { index: isCount },
} as const;

export type FromTrials = Message<typeof fromTrials>;
