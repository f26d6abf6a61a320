import { passed } from './abort.ts';
import type { Answerer, Decision } from './answerers.ts';
import { say } from './sentence.ts';
import type { StandIn } from './standIn.ts';

/** The person, past everything that keeps an answer right. */
export const FORCED: StandIn = { kind: 'forced', name: '' };

/** Answers after a while. @param milliseconds how long that is */
export function afterDelay(decision: Decision, milliseconds: number): Answerer {
	return {
		standIn: { ...FORCED, plan: say('is answered on purpose only after {0} s', milliseconds / 1000) },
		answer: async (_elicitation, signal) => ((await passed(milliseconds, signal)) ? decision : undefined),
	};
}

/** Never answers: the server waits until it gives up, the call ends, or the person takes the question over. */
export function silence(): Answerer {
	return {
		standIn: { ...FORCED, plan: say('is left unanswered on purpose') },
		answer: () => new Promise(() => {}),
	};
}
