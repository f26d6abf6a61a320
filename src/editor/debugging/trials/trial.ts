import type { Json } from '../../../elicitation/json.ts';
import type { sendersOf } from '../../../elicitation/personas/senders.ts';
import type { Sentence } from '../../../elicitation/sentence.ts';
import type { ShownCall } from '../../../protocol.ts';
import type { Observation, Remark } from '../../../trials/observe.ts';
import type { Refusal } from '../../../trialsProtocol.ts';

/** One row of the table: what is tested, and how. */
export interface PlannedRun {
	readonly name: Sentence;
	/** Number of calls that it makes, if not one. */
	readonly calls?: number;
	/** The part of the response that is tested. */
	readonly sent?: Json;
	/** Show the generated response. */
	readonly showsAnswer?: true;
	/** A remark shown before the results. */
	readonly mark?: Sentence;
	/** Other clients that respond to the call's first request in this way. */
	readonly senders?: ReturnType<typeof sendersOf>;
	/** Resolves to undefined if the server was not started. Rejects with an error that can be shown to the user. */
	run(signal: AbortSignal): Promise<Observation | undefined>;
	/** What it means if there is no result; undefined if that is a failure. */
	refusal?(observation: Observation): Refusal | undefined;
	/** Findings about the server's reaction. */
	judge?(observation: Observation): readonly Remark[];
}

/** A series of runs of one call. */
export interface Trial {
	readonly heading: Sentence;
	/** Its purpose, as a complete sentence. */
	readonly about: Sentence;
	readonly server: string;
	readonly call: ShownCall;
	/** The runs differ in their protocol revision. */
	readonly revisions?: true;
	readonly runs: readonly PlannedRun[];
}
