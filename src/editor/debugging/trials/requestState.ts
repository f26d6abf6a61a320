import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { sameJson } from '../../../elicitation/form/flatten.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import type { RoundInput } from '../../../mcp/index.ts';
import type { Observation, Remark } from '../../../trials/observe.ts';
import {
	accepting,
	isOfTask,
	onTemporaryConnection,
	type ProtocolTestRun,
	type RepeatedCall,
	type TrialTools,
} from './temporaryConnection.ts';

/** Returns the modified state; the same state if it cannot be modified, undefined to omit it. */
type Change = (state: string, before: string | undefined) => string | undefined;

/** Tests whether the server detects a modified `requestState`, which it must not trust (2026-07-28, input_required). */
export function requestStateTests(tools: TrialTools, subject: RepeatedCall): ProtocolTestRun[] {
	if (!subject.before.some((each) => each.origin.intake === 'inputRequired' && !isOfTask(each))) {
		return [];
	}
	return [
		tampering(tools, subject, localizable('requestState with one bit flipped'), flipped),
		tampering(tools, subject, localizable('requestState cut in half'), (state) =>
			state.slice(0, Math.floor(state.length / 2)),
		),
		tampering(tools, subject, localizable('requestState left out'), () => undefined),
		tampering(tools, subject, localizable('requestState of the round before'), (state, before) => before ?? state),
		replaying(tools, subject),
	];
}

function flipped(state: string): string {
	const at = Math.floor(state.length / 2);
	return state === ''
		? state
		: state.slice(0, at) + String.fromCharCode(state.charCodeAt(at) ^ 1) + state.slice(at + 1);
}

/** Modifies the first state for which that is possible. */
function tampering(tools: TrialTools, subject: RepeatedCall, name: Sentence, change: Change): ProtocolTestRun {
	let done = false;
	const start = () => {
		let before: string | undefined;
		return ({ requestState, ...input }: RoundInput): RoundInput => {
			if (requestState === undefined) {
				return input;
			}
			const sent = done ? requestState : change(requestState, before);
			done ||= sent !== requestState;
			before = requestState;
			return sent === undefined ? input : { ...input, requestState: sent };
		};
	};
	return {
		...{ group: 'state', name },
		run: (signal) =>
			onTemporaryConnection(tools, subject, name, {}, signal, (makeCall) =>
				makeCall({ ...accepting(tools, subject), tamper: start() }),
			),
		refusal: () => (done ? 'expected' : undefined),
		judge: (seen) =>
			done
				? noticed(seen, subject, localizable('The server did not notice it.'))
				: [{ text: localizable('The server did not send the requestState that this trial needs.'), warning: false }],
	};
}

/** Replays responses of a finished call at the start of another one. */
function replaying(tools: TrialTools, subject: RepeatedCall): ProtocolTestRun {
	const name = localizable('Responses from an earlier call');
	let last: RoundInput = {};
	let replayed = false;
	const keep = (input: RoundInput) => {
		last = input;
		return input;
	};
	const replay = (input: RoundInput, round: number) => (round === 1 ? last : input);
	return {
		...{ group: 'state', name, calls: 2 },
		run: (signal) =>
			onTemporaryConnection(tools, subject, name, {}, signal, async (makeCall) => {
				const first = await makeCall({ ...accepting(tools, subject), tamper: keep });
				replayed = first?.outcome === 'result' && last.requestState !== undefined;
				return first?.outcome === 'result' ? makeCall({ ...accepting(tools, subject), tamper: replay }) : first;
			}),
		refusal: () => (replayed ? 'expected' : undefined),
		judge: (seen) =>
			last.requestState === undefined
				? [
						{
							text: localizable('The server does not bind responses to a call: it sent no requestState.'),
							warning: false,
						},
					]
				: noticed(seen, subject, localizable('The server accepted the responses again.')),
	};
}

/** Whether the server rejected the call. */
function noticed({ outcome, elicitations }: Observation, { before }: RepeatedCall, otherwise: Sentence): Remark[] {
	// The repeated call may have had the same request more than once, too.
	const count = ({ origin }: Elicitation, all: readonly Elicitation[]) =>
		all.filter((each) => sameJson(each.origin.params, origin.params)).length;
	if (elicitations.some((each) => count(each, elicitations) > Math.max(1, count(each, before)))) {
		return [{ text: localizable('The server sent the request again.'), warning: false }];
	}
	switch (outcome) {
		case 'result':
			return [{ text: otherwise, warning: true }];
		case 'isError':
		case 'error':
			return [{ text: localizable('The server noticed it.'), warning: false }];
		default:
			return [];
	}
}
