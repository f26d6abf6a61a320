import type { Elicitation, ElicitationResponse } from '../elicitation/elicitation.ts';
import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import type { Validator } from '../elicitation/form/validate.ts';
import type { Ending } from '../elicitation/personas/senders.ts';
import { localizable } from '../elicitation/sentence.ts';
import { accept } from './accept.ts';
import { SERVER_TIMEOUT, type TrialRun } from './observe.ts';

/** All ways in which an elicitation can end. The one that can take long comes last. */
export function actionMatrix(validator: Validator, before: readonly Elicitation[]): (TrialRun & { ending: Ending })[] {
	const always = (decision: ElicitationResponse) => async () => decision;
	return [
		{
			ending: 'accept',
			name: localizable('Accept'),
			description: localizable('Action matrix: accept'),
			answer: (elicitation, _index, note) => accept(elicitation, validator, before, note),
		},
		{
			ending: 'decline',
			name: localizable('Decline'),
			description: localizable('Action matrix: decline'),
			answer: always({ action: 'decline' }),
		},
		{
			ending: 'cancel',
			name: localizable('Cancel'),
			description: localizable('Action matrix: cancel'),
			answer: always({ action: 'cancel' }),
		},
		{
			ending: 'error',
			name: localizable('JSON-RPC error'),
			description: localizable('Action matrix: error'),
			answer: always({ action: 'error', code: INTERNAL_ERROR, message: 'The client failed on purpose.' }),
		},
		{
			ending: 'none',
			name: localizable('No response'),
			description: localizable('Action matrix: no response'),
			answer: async () => undefined,
			cancelAfter: SERVER_TIMEOUT,
		},
	];
}
