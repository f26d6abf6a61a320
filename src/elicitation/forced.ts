import { passed } from './abort.ts';
import type { ResponderInfo } from './autoResponder.ts';
import type { AutoResponder, Decision } from './autoResponders.ts';
import { localizable } from './sentence.ts';

/** The user, past everything that keeps an answer right. */
export const FORCED: ResponderInfo = { kind: 'forced', name: '' };

/** Answers after a while. @param milliseconds how long that is */
export function afterDelay(decision: Decision, milliseconds: number): AutoResponder {
	return {
		responder: { ...FORCED, plan: localizable('is answered on purpose only after {0} s', milliseconds / 1000) },
		answer: async (_elicitation, signal) => ((await passed(milliseconds, signal)) ? decision : undefined),
	};
}

/** Never answers: the server waits until it gives up, the call ends, or the user takes the question over. */
export function silence(): AutoResponder {
	return {
		responder: { ...FORCED, plan: localizable('is left unanswered on purpose') },
		answer: () => new Promise(() => {}),
	};
}
