import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { isObject, type JsonObject } from '../../../elicitation/json.ts';
import { RecordedResponses } from '../../../elicitation/recordedResponses.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import { type CallRun, type CallRunOptions, runWithResponses } from '../../../trials/callRun.ts';
import { receivingServer } from '../../calls/changedServer.ts';
import { chooseCall, endedCall, hasEnded, wholeArgsOf } from '../../calls/chooseCall.ts';
import { fullId } from '../../common/contributions.ts';
import { doubleClicks } from '../../common/doubleClicks.ts';
import { localize, localizeNative, timeText } from '../../common/localize.ts';
import { isUserError, notify, showError, showInStatusBar } from '../../common/notifications.ts';
import { showQuickPick } from '../../common/surfaces.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { compare, differs } from './compareRuns.ts';

/** How long the status bar tells of a replay that has ended as before (ms). */
const STATUS_TIME = 5_000;

/** How long a click is taken for one on *Cancel Call*, in whose place *Replay* stands once a call has ended (ms). */
const JUST_ENDED = 1_000;

const isSecondClick = doubleClicks();

/** True if a click was not meant to make the call again. */
function isMisclick({ id, endedAt = 0 }: Call): boolean {
	// The system's clock may be set back.
	if (Math.abs(Date.now() - endedAt) >= JUST_ENDED) {
		return isSecondClick(id);
	}
	void notify(
		'information',
		localizeNative('The call has just ended and was not replayed. Choose it again to replay it.'),
	);
	return true;
}

/**
 * The command `replayCall`: repeats a finished call, with the recorded responses or with new ones. Resolves to the
 * result, or to undefined if the user declined or the call failed.
 */
export async function replayCall(context: DebuggingContext, target: unknown): Promise<JsonObject | undefined> {
	const { registry } = context;
	const call = await chooseEnded(registry.calls.filter(hasEnded), target);
	if (!call || (isObject(target) && isMisclick(call))) {
		return undefined;
	}
	const identity = await receivingServer(call, context.servers);
	if (identity === undefined) {
		return undefined;
	}
	const recording = new RecordedResponses(call, registry.elicitations, registry.autoResponders);
	// Without responses there is nothing to choose.
	const recorded = recording.size > 0 ? await chooseHow(call, recording) : false;
	if (recorded === undefined) {
		return undefined;
	}
	const again = await repeat(context, { call, identity }, recorded ? recording : undefined);
	if (again) {
		showOutcome(context, call, again, differs(context, call, again.call)).catch(showError);
	}
	return again?.result;
}

/** Repeats a call with its recorded responses after its server has changed. Quiet if nothing else has changed. */
export async function replayAfterChange(context: DebuggingContext, call: Call, signal: AbortSignal): Promise<void> {
	const { registry } = context;
	const recording = new RecordedResponses(call, registry.elicitations, registry.autoResponders);
	// The user who has worked elsewhere since the call began does not wait for the replay.
	const again = await repeat(context, { call, identity: call.identity }, recording, {
		signal,
		startedByUserAt: call.startedByUserAt,
	});
	if (again?.call.state === 'cancelled') {
		return;
	}
	if (again && differs(context, call, again.call)) {
		await showOutcome(context, call, again, true);
	} else if (again) {
		const text = localizeNative('{0}: The replay of {1} has ended as before.', call.server, call.name);
		showInStatusBar(text, STATUS_TIME);
	}
}

/** @param recording the responses to repeat; else the user is asked as usual */
function repeat(
	{ registry, run }: DebuggingContext,
	{ call, identity }: { readonly call: Call; readonly identity: string | undefined },
	recording: RecordedResponses | undefined,
	options?: CallRunOptions,
): Promise<CallRun | undefined> {
	const { server, kind, name } = call;
	const trial = localizable('Replay of {0}, {1}', name, timeText(call.startedAt));
	const args = wholeArgsOf(call);
	const answer = async (elicitation: Elicitation) => recording?.respond(elicitation);
	return runWithResponses(run, registry, { server, identity, kind, name, args, trial }, answer, options);
}

async function chooseEnded(calls: readonly Call[], target: unknown): Promise<Call | undefined> {
	if (target !== undefined) {
		return endedCall(calls, target);
	}
	if (calls.length === 0) {
		void notify('information', localizeNative('No call has ended yet.'));
		return undefined;
	}
	return chooseCall(calls, localize('Choose a call to replay'));
}

/** Resolves to whether to reuse the recorded responses, or to undefined if dismissed. */
async function chooseHow({ name, server }: Call, { size }: RecordedResponses): Promise<boolean | undefined> {
	const items = [
		{
			label: localize('With the Recorded Responses'),
			description: size === 1 ? localize('1 response') : localizeNative('{0} responses', size),
			detail: localize(
				'You are asked for responses to requests that are new or no longer match, and for consent to open URLs.',
			),
			recorded: true,
		},
		{ label: localize('Live'), detail: localize('You are asked as usual.'), recorded: false },
	];
	const title = native(localize('Replay {0} on {1}', name, server), 100);
	return (await showQuickPick(items, { title, placeHolder: localize('Choose how to respond') }))?.recorded;
}

/**
 * Reports the outcome and offers to compare the runs.
 * @param changed whether it differs from the run before
 */
async function showOutcome(
	context: DebuggingContext,
	before: Call,
	{ call, error }: CallRun,
	changed: boolean,
): Promise<void> {
	if (call.state === 'cancelled') {
		return;
	}
	const compareText = localize('Compare');
	const show = localize('Show Timeline');
	const text = outcomeText(call, error, changed);
	const choice = await notify(call.failed ? 'warning' : 'information', text, compareText, show);
	if (choice === compareText) {
		await compare(context, before, call);
	} else if (choice === show) {
		await vscode.commands.executeCommand(fullId('showTimeline'), `call:${call.id}`);
	}
}

function outcomeText({ server, name, failed, reportedError }: Call, error: unknown, changed: boolean): NativeText {
	if (!failed) {
		return changed
			? localizeNative('{0}: The replay of {1} has ended differently.', server, name)
			: localizeNative('{0}: The replay of {1} has ended as before.', server, name);
	}
	const why = reportedError
		? localize('The tool reported an error.')
		: isUserError(error)
			? render(error.what, localize)
			: error instanceof Error
				? error.message
				: '';
	return localizeNative('{0}: The replay of {1} has failed. {2}', server, name, why);
}
