import { Call } from '../../elicitation/call.ts';
import { type NativeText, native } from '../../elicitation/display.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { render } from '../../elicitation/sentence.ts';
import { ago, callStateText } from '../common/descriptions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify } from '../common/notifications.ts';
import { showQuickPick } from '../common/surfaces.ts';

/**
 * Resolves a command's argument (an id, a call, a node of the timeline) to a call; undefined if it has none.
 * @param fits whether a call will do that only the timeline, or the tab of its result, still remembers
 */
export function targetOf(
	calls: readonly Call[],
	target: unknown,
	fits: (call: Call) => boolean = () => false,
): Call | undefined {
	const wanted = typeof target === 'object' && target !== null && 'call' in target ? target.call : target;
	const known = calls.find((call) => call === wanted || call.id === wanted);
	return known ?? (wanted instanceof Call && fits(wanted) ? wanted : undefined);
}

/** The ended call that a command was run on. Says so if it is no longer remembered: the timeline keeps messages longer. */
export function endedCall(calls: readonly Call[], target: unknown): Call | undefined {
	const call = targetOf(calls, target);
	if (!call) {
		void notify('information', localizeNative('This call has not ended yet, or is no longer kept.'));
	}
	return call;
}

/** Lets the user pick a call, newest first; undefined if dismissed. */
export async function chooseCall(calls: readonly Call[], placeHolder: NativeText): Promise<Call | undefined> {
	const items = calls.toReversed().map((call) => ({
		label: native(call.name, 100),
		description: native([call.server, callStateText(call), ago(call.startedAt)].join(' · '), 200),
		...(call.trial && { detail: native(render(call.trial, localize), 200) }),
		call,
	}));
	return (await showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true }))?.call;
}

/** The arguments of a call that is made again, unredacted. Throws if they are no longer kept. */
export function wholeArgsOf(call: Call): JsonObject {
	if (!call.hasWholeArgs) {
		throw new Error(localize('The arguments of this call are too large to be kept. Make it anew.'));
	}
	return call.args as JsonObject;
}

export const hasEnded = ({ state }: Call): boolean => state !== 'running';

/** True if the call ended with a result or an error and was not cancelled. */
export const hasOutcome = ({ state }: Call): boolean => state === 'succeeded' || state === 'failed';
