import type { Json } from '../../../elicitation/json.ts';
import type { Sentence } from '../../../elicitation/sentence.ts';
import type { ShownCall } from '../../../protocol.ts';
import type { Observation } from './observe.ts';

/** What a run shows that a user should look at. */
export interface Remark {
	readonly text: Sentence;
	readonly warning: boolean;
}

/** One row of the table: what is tried, and how. */
export interface PlannedRun {
	readonly name: Sentence;
	/** What of the answer is tried. */
	readonly sent?: Json;
	/** The answer is shown as it was made up for the run. */
	readonly showsAnswer?: true;
	/** What is to be known of it before anything else. */
	readonly mark?: Sentence;
	/** Resolves to undefined when the server was not started. Rejects with an error made for people. */
	run(signal: AbortSignal): Promise<Observation | undefined>;
	/** What is to be said about what the server did. */
	judge?(observation: Observation): readonly Remark[];
}

/** Runs of one call that belong together. */
export interface Plan {
	readonly heading: Sentence;
	/** What it is for, a whole sentence. */
	readonly about: Sentence;
	readonly server: string;
	readonly call: ShownCall;
	/** Runs differ in the revision that they speak. */
	readonly revisions?: true;
	readonly runs: readonly PlannedRun[];
}
