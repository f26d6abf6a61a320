import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { type NativeText, native } from '../../../elicitation/display.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import { Recording } from '../../../elicitation/recording.ts';
import { render, say } from '../../../elicitation/sentence.ts';
import { chooseCall, hasEnded, targetOf } from '../../calls/chooseCall.ts';
import { type Rehearsed, rehearse } from '../../calls/rehearsal.ts';
import { fullId } from '../../common/contributions.ts';
import { isForPeople, showError } from '../../common/notices.ts';
import { line, t, timeOfDay } from '../../common/words.ts';
import type { DebuggingContext } from '../debuggingContext.ts';
import { compare } from './compareRuns.ts';

/**
 * The command `replayCall`: makes a call again that has ended, with the answers that it got or with new ones. Resolves to its
 * result; to undefined when the person did not want it, or it has failed.
 */
export async function replayCall(context: DebuggingContext, target: unknown): Promise<JsonObject | undefined> {
	const { registry, run } = context;
	const call = await chooseEnded(registry.calls.filter(hasEnded), target);
	if (!call) {
		return undefined;
	}
	const recording = new Recording(call, registry.elicitations, registry.answerers);
	const recorded = await chooseHow(call, recording);
	if (recorded === undefined) {
		return undefined;
	}
	const { server, kind, name } = call;
	const time = timeOfDay(call.startedAt);
	const trial = say('Replay of {0}, {1}', name, time);
	// What was sent: a call keeps its arguments whole.
	const args = call.args as JsonObject;
	const again = await rehearse(run, registry, { server, kind, name, args, trial }, async (elicitation) =>
		recorded ? recording.answer(elicitation) : undefined,
	);
	if (again) {
		tell(context, call, again).catch(showError);
	}
	return again?.result;
}

async function chooseEnded(calls: readonly Call[], target: unknown): Promise<Call | undefined> {
	if (target !== undefined) {
		return targetOf(calls, target);
	}
	if (calls.length === 0) {
		void vscode.window.showInformationMessage(line('No call has ended yet.'));
		return undefined;
	}
	return chooseCall(calls, t('Choose a call to replay'));
}

/** Resolves to whether the recorded answers are given again; to undefined when the person does not want it at all. */
async function chooseHow({ name, server }: Call, { size }: Recording): Promise<boolean | undefined> {
	const items = [
		{
			label: t('With the Recorded Answers'),
			description: size === 1 ? t('1 answer') : t('{0} answers', size),
			detail: t('You are asked what was not asked then, what no longer fits, and for consent to pages.'),
			recorded: true,
		},
		{ label: t('Live'), detail: t('You are asked as usual.'), recorded: false },
	];
	const title = native(t('Replay {0} on {1}', name, server), 100);
	return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Choose how to answer') }))?.recorded;
}

/** Says how it ended, and leads to what differs. */
async function tell(context: DebuggingContext, before: Call, { call, error }: Rehearsed): Promise<void> {
	if (call.state === 'cancelled') {
		return;
	}
	const compareText = t('Compare');
	const show = t('Show Timeline');
	const text = outcomeText(call, error);
	const choice =
		call.state === 'failed'
			? await vscode.window.showWarningMessage(text, compareText, show)
			: await vscode.window.showInformationMessage(text, compareText, show);
	if (choice === compareText) {
		await compare(context, before, call);
	} else if (choice === show) {
		await vscode.commands.executeCommand(fullId('showTimeline'), `call:${call.id}`);
	}
}

function outcomeText({ server, name, state }: Call, error: unknown): NativeText {
	if (state !== 'failed') {
		return line('{0}: The replay of {1} has ended.', server, name);
	}
	const why = isForPeople(error) ? render(error.what, t) : error instanceof Error ? error.message : '';
	return line('{0}: The replay of {1} has failed. {2}', server, name, why);
}
