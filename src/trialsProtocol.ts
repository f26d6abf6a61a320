import { isObject } from './elicitation/json.ts';
import type { ShownCall } from './protocol.ts';

/**
 * What the extension host and the page of trials say to each other, under the rules of `protocol.ts`: a table of runs of one call,
 * each of which tries something else.
 */

/**
 * What a server did: it answered, answered that the tool failed, answered with a JSON-RPC error, or let itself be waited for. `failed`:
 * the call came to no answer; `cancelled`: the user stopped it.
 */
export type TrialOutcome = 'result' | 'isError' | 'error' | 'waiting' | 'failed' | 'cancelled';

/** Something that is to be noticed about a run; translated. */
export interface ShownNote {
	readonly text: string;
	readonly warning: boolean;
}

/** One run. Server text in `name` and `words` is raw. */
export interface ShownTrial {
	/** What it tries; translated. */
	readonly name: string;
	/** The JSON that is answered. */
	readonly sent?: string;
	/** What is wrong with it on purpose; translated. */
	readonly mark?: string;
	/** `skipped`: it will not be run any more. */
	readonly state: 'planned' | 'running' | 'ended' | 'skipped';
	readonly outcome?: TrialOutcome;
	/** Translated. */
	readonly outcomeText: string;
	/** The first words of what the server said. */
	readonly words?: string;
	/** The protocol revision that was negotiated. */
	readonly revision?: string;
	/** How many questions the server asked. */
	readonly questions?: number;
	/** Milliseconds in which the server was the one to act. */
	readonly serverTime?: number;
	readonly notes: readonly ShownNote[];
	/** There is a call in the timeline. */
	readonly called: boolean;
}

export interface TrialsModel {
	/** What kind of trials these are; translated. */
	readonly heading: string;
	/** What they are for; translated. */
	readonly about: string;
	readonly server: string;
	readonly call: ShownCall;
	/** Rows differ in their revision. */
	readonly revisions: boolean;
	readonly rows: readonly ShownTrial[];
	readonly running: boolean;
	/** How far they are; translated. */
	readonly progress: string;
}

export type ToTrials =
	| {
			readonly type: 'show';
			readonly panel: string;
			readonly model: TrialsModel;
			/** Only to a page that has just been loaded. */
			readonly strings?: Readonly<Record<string, string>>;
	  }
	/** Something was done; translated. */
	| { readonly type: 'said'; readonly panel: string; readonly text: string };

export type FromTrials =
	| { readonly type: 'ready' | 'copy' | 'stop'; readonly panel: string }
	/** Leads to the call of a row in the timeline. */
	| { readonly type: 'open'; readonly panel: string; readonly index: number };

/** True for a well-formed message from the page of trials. Every other message is dropped. */
export function isTrialsMessage(value: unknown, panel: string): value is FromTrials {
	if (!isObject(value) || value.panel !== panel) {
		return false;
	}
	switch (value.type) {
		case 'ready':
		case 'copy':
		case 'stop':
			return true;
		case 'open':
			return Number.isSafeInteger(value.index) && (value.index as number) >= 0;
		default:
			return false;
	}
}
