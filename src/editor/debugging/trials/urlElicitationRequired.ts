import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { TrialRun } from '../../../trials/observe.ts';
import {
	accepting,
	onTemporaryConnection,
	type ProtocolTestRun,
	type RepeatedCall,
	type TrialTools,
} from './temporaryConnection.ts';

/** Number of retries without completing the elicitation. */
const RETRIES = 5;

/** Tests how the server handles required URL elicitations (error -32042 of 2025-11-25) that are never completed. */
export function urlRequiredTests(tools: TrialTools, subject: RepeatedCall): ProtocolTestRun[] {
	if (!subject.before.some(isRequired)) {
		return [];
	}
	return [
		run(tools, subject, localizable('Required URL: accepted, never completed'), 0),
		run(tools, subject, localizable('Required URL: retried before completion'), 1),
		run(tools, subject, localizable('Required URL: retried {0} times', RETRIES), RETRIES),
	];
}

function isRequired({ origin }: Elicitation): boolean {
	return origin.intake === 'urlRequired';
}

function run(tools: TrialTools, subject: RepeatedCall, name: Sentence, retries: number): ProtocolTestRun {
	return {
		...{ group: 'urls', name },
		run: (signal) =>
			onTemporaryConnection(tools, subject, name, {}, signal, (makeCall) =>
				makeCall({ answer: retrying(tools, subject, retries) }),
			),
		// The call must fail, because the URL elicitation is not complete.
		refusal: () => 'expected',
		judge: ({ outcome, elicitations }) => {
			const required = elicitations.filter(isRequired);
			return outcome === 'result' && required.length > 0 && required.every(({ state }) => state !== 'completed')
				? [{ text: localizable('The call succeeded although no URL was ever opened.'), warning: true }]
				: [];
		},
	};
}

/** Accepts URL elicitations without opening them and retries the call this many times, then declines. */
function retrying(tools: TrialTools, subject: RepeatedCall, retries: number): TrialRun['answer'] {
	const { answer } = accepting(tools, subject);
	let retried = 0;
	return async (elicitation, index, note) => {
		if (!isRequired(elicitation) || retries === 0) {
			return answer(elicitation, index, note);
		}
		if (retried === retries) {
			note(localizable('Unsuccessful retries: {0}. Then the URL was declined.', retries));
			return { action: 'decline' };
		}
		retried++;
		void elicitation.outcome.then(() => elicitation.retried());
		return { action: 'accept' };
	};
}
