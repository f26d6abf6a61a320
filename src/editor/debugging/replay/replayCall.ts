import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import type { NativeText } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { RecordedResponses } from '../../../elicitation/recordedResponses.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import { type CallRun, type CallRunOptions, runWithResponses } from '../../../trials/callRun.ts';
import { receivingServer, wholeArgsOf } from '../../calls/changedServer.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative, timeText } from '../../common/localize.ts';
import { isUserError, notify, showError, showInStatusBar } from '../../common/notifications.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { compare, differs } from './compareRuns.ts';

/** How long the status bar tells of a replay that has ended as before (ms). */
const STATUS_TIME = 5_000;

/**
 * Makes a finished call again with the responses that it had. Resolves to the result, or to undefined if the user
 * declined or the call failed.
 */
export async function replayCall(context: DebuggingContext, call: Call): Promise<JsonObject | undefined> {
	const identity = await receivingServer(call, context.servers);
	if (identity === undefined) {
		return undefined;
	}
	const again = await repeat(context, { call, identity });
	if (again) {
		showOutcome(context, call, again, differs(context, call, again.call)).catch(showError);
	}
	return again?.result;
}

/** Repeats a call with its recorded responses after its server has changed. Quiet if nothing else has changed. */
export async function replayAfterChange(context: DebuggingContext, call: Call, signal: AbortSignal): Promise<void> {
	// The user who has worked elsewhere since the call began does not wait for the replay.
	const again = await repeat(
		context,
		{ call, identity: call.identity },
		{
			signal,
			startedByUserAt: call.startedByUserAt,
		},
	);
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

function repeat(
	{ registry, begin }: DebuggingContext,
	{ call, identity }: { readonly call: Call; readonly identity: string | undefined },
	options?: CallRunOptions,
): Promise<CallRun | undefined> {
	const recording = new RecordedResponses(call, registry.elicitations, registry.autoResponders);
	const { server, kind, name } = call;
	const trial = localizable('Replay of {0}, {1}', name, timeText(call.startedAt));
	const args = wholeArgsOf(call);
	const answer = async (elicitation: Elicitation) => recording.respond(elicitation);
	return runWithResponses(begin, registry, { server, identity, kind, name, args, trial }, answer, options);
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
