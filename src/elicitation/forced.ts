import { delay } from './abort.ts';
import type { AutoResponder } from './autoResponders.ts';
import type { ElicitationResponse } from './elicitation.ts';
import type { ResponderInfo } from './responderInfo.ts';
import { localizable } from './sentence.ts';

/** Responses that the user forces, bypassing validation. */
export const FORCED_RESPONDER: ResponderInfo = { kind: 'forced', name: '' };

/**
 * Responds after a delay.
 * @param milliseconds the delay
 */
export function afterDelay(decision: ElicitationResponse, milliseconds: number): AutoResponder {
	return {
		responder: {
			...FORCED_RESPONDER,
			plan: localizable('is answered on purpose only after {0} s', milliseconds / 1000),
		},
		respond: async (_elicitation, signal) => ((await delay(milliseconds, signal)) ? decision : undefined),
	};
}

/** Never responds: the server waits until it times out, the call ends, or the user takes over. */
export function neverResponds(): AutoResponder {
	return {
		responder: { ...FORCED_RESPONDER, plan: localizable('is left unanswered on purpose') },
		respond: () => new Promise(() => {}),
	};
}
