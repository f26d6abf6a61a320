import { inSeconds } from '../elicitation/clock.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Validator } from '../elicitation/form/validate.ts';
import { localizable } from '../elicitation/sentence.ts';
import { accept } from './accept.ts';
import type { Observation, Remark, TrialRun } from './observe.ts';

/**
 * How long responses are held unless the user enters other times (s): as long as people take, a little longer than the
 * SDKs' request timeout of 60 s, and a little longer than the 3 minutes after which others give up.
 */
export const HOLD_TIMES: readonly number[] = [30, 65, 185];

/** Max time that a response is held (s). */
export const MAX_HOLD_TIME = 24 * 60 * 60;

/** Reads times that a user entered (s). Undefined if there are none or one of them is not valid. */
export function readHoldTimes(text: string): number[] | undefined {
	const times = text
		.split(/[\s,;]+/)
		.filter(Boolean)
		.map(Number);
	return times.length > 0 && times.every((time) => time > 0 && time <= MAX_HOLD_TIME) ? times : undefined;
}

/** Accepts every request of the call, the first one only after that time (s). */
export function patienceRun(seconds: number, validator: Validator, before: readonly Elicitation[]): TrialRun {
	const name = seconds === 0 ? localizable('At once') : localizable('After {0} s', seconds);
	return {
		name,
		description: localizable('Patience: {0}', name),
		answer: async (elicitation, index, note) => {
			if (index === 0) {
				await hold(seconds * 1000, elicitation);
			}
			return accept(elicitation, validator, before, note);
		},
	};
}

/** Ends early if nobody waits for the response any more. */
function hold(milliseconds: number, { ended }: Elicitation): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, milliseconds);
		void ended.then(() => {
			clearTimeout(timer);
			resolve();
		});
	});
}

/**
 * Who gave up while the response was held, and whether work was done twice.
 * @param atOnce the first run, whose responses were not held
 */
export function judgePatience(seen: Observation, atOnce: Observation): Remark[] {
	const [first] = seen.elicitations;
	if (seen.outcome === 'cancelled') {
		return [];
	}
	if (!first) {
		return [{ text: localizable('Nothing was requested.'), warning: atOnce.elicitations.length > 0 }];
	}
	const remarks = [...gaveUp(first, seen, atOnce), ...doneTwice(seen, atOnce)];
	return remarks.length > 0
		? remarks
		: [{ text: localizable('Nobody gave up, and no more was requested.'), warning: false }];
}

function gaveUp(first: Elicitation, seen: Observation, atOnce: Observation): Remark[] {
	const { withdrawal, delivery, receivedAt, history } = first;
	const warn = (text: Remark['text']) => [{ text, warning: true }];
	if (withdrawal) {
		const after = inSeconds((history.at(-1)?.at ?? receivedAt) - receivedAt);
		return warn(
			// The server sent no response, so the connection has ended.
			seen.outcome === 'failed'
				? localizable(
						'The connection was ended after {0} s, by the server or by something in between, such as a proxy. {1}',
						after,
						withdrawal,
					)
				: localizable('The server gave up after {0} s. {1}', after, withdrawal),
		);
	}
	if (delivery?.problem) {
		return warn(delivery.problem);
	}
	return seen.outcome === atOnce.outcome ? [] : warn(localizable('The call did not end as in the first run.'));
}

function doneTwice(seen: Observation, atOnce: Observation): Remark[] {
	return [
		...((seen.call?.rounds ?? 0) > (atOnce.call?.rounds ?? 0)
			? [localizable('The call was sent again: its work may have been done twice.')]
			: []),
		...(seen.elicitations.length > atOnce.elicitations.length
			? [localizable('There were more requests than in the first run: the work before them may have been done twice.')]
			: []),
	].map((text) => ({ text, warning: true }));
}
