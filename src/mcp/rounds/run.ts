import type { Call } from '../../elicitation/call.ts';
import type { IntakeContext } from './intake.ts';

/** One call on its way through its rounds. */
export interface Run {
	readonly context: IntakeContext;
	readonly call: Call;
	/** Ends it at once. */
	readonly signal: AbortSignal;
}
