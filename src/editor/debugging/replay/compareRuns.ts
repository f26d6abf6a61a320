import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { native, shorten } from '../../../elicitation/display.ts';
import { localizable } from '../../../elicitation/sentence.ts';
import { comparable } from '../../../trace/comparable.ts';
import { recordingOf, type Timeline } from '../../../trace/timeline.ts';
import { localize, localizeNative, timeText } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { DebuggingContext } from '../debuggingContext.ts';

/** A call, and the window or the recording that it belongs to. */
interface Run {
	readonly call: Call;
	readonly of: Pick<DebuggingContext, 'registry' | 'trace'> | Timeline;
}

/** The command `compareRuns`: compares a call side by side with another run of it. */
export async function compareRuns(context: DebuggingContext, call: Call, argument: unknown): Promise<void> {
	const recording = recordingOf(argument);
	const isOther = ({ kind, name, server }: Call) =>
		kind === call.kind && name === call.name && (recording !== undefined || server === call.server);
	// The server that serves a recording has another name.
	const others = context.registry.calls.filter(
		(other) => other !== call && other.state !== 'running' && isOther(other),
	);
	const other = await context.commands.chooseCall(
		others,
		localize('Choose the run to compare it with'),
		recording
			? localizable('{0} has not been called in this window yet. Call it first.', call.name)
			: localizable('{0}: There is no other run of {1}. Call it again first.', call.server, call.name),
	);
	if (!other) {
		return;
	}
	if (recording) {
		await showDiff(context, { call, of: recording }, { call: other, of: context });
	} else {
		await compare(context, call, other);
	}
}

/** Opens a diff of two runs, the older one on the left. */
export async function compare(context: DebuggingContext, a: Call, b: Call): Promise<void> {
	const [before, after] = [a, b].sort((one, other) => Number(one.id) - Number(other.id)) as [Call, Call];
	await showDiff(context, { call: before, of: context }, { call: after, of: context });
}

async function showDiff({ documents }: DebuggingContext, before: Run, after: Run): Promise<void> {
	const [a, b] = [before.call, after.call];
	const [left, right] = [before, after].map((run) => {
		const { server, ...rest } = comparableOf(run.of, run.call);
		return a.server === b.server ? { server, ...rest } : rest;
	});
	const title = native(`${a.server} · ${shorten(a.name, 60)}: ${timeText(a.startedAt)} ↔ ${timeText(b.startedAt)}`);
	await vscode.commands.executeCommand('vscode.diff', documents.add(a.name, left), documents.add(b.name, right), title);
	if (JSON.stringify(left) === JSON.stringify(right)) {
		void notify('information', localizeNative('The two runs differ only in IDs and times.'));
	}
}

/** True if two runs differ in more than IDs and times. */
export function differs(context: DebuggingContext, a: Call, b: Call): boolean {
	return JSON.stringify(comparableOf(context, a)) !== JSON.stringify(comparableOf(context, b));
}

function comparableOf({ registry, trace }: Run['of'], call: Call) {
	return comparable(call, registry.elicitations, trace);
}
