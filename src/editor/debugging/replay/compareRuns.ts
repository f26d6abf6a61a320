import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { type NativeText, native, shorten } from '../../../elicitation/display.ts';
import { comparable } from '../../../trace/comparable.ts';
import { recordingOf, type Timeline } from '../../../trace/timeline.ts';
import { chooseCall, endedCall, hasEnded, targetOf } from '../../calls/chooseCall.ts';
import { localize, localizeNative, timeText } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { DebuggingContext } from '../debuggingContext.ts';

/** A call, and the window or the recording that it belongs to. */
interface Run {
	readonly call: Call;
	readonly of: Pick<DebuggingContext, 'registry' | 'trace'> | Timeline;
}

/** The command `compareRuns`: compares two runs of a call side by side. */
export async function compareRuns(context: DebuggingContext, target: unknown): Promise<void> {
	const ended = context.registry.calls.filter(hasEnded);
	const recording = recordingOf(target);
	if (recording) {
		await compareRecorded(context, recording, ended, target);
		return;
	}
	const othersOf = (call: Call) => ended.filter((other) => other !== call && isSame(other, call));
	const repeated = ended.filter((call) => othersOf(call).length > 0);
	const first =
		target !== undefined
			? endedCall(ended, target)
			: repeated.length > 0
				? await chooseCall(repeated, localize('Choose a run'))
				: showNothing(localizeNative('No call has been made twice yet.'));
	if (!first) {
		return;
	}
	const others = othersOf(first);
	const second =
		others.length > 1
			? await chooseCall(others, localize('Choose the run to compare it with'))
			: (others[0] ??
				showNothing(localizeNative('{0}: There is no other run of {1}. Replay it first.', first.server, first.name)));
	if (second) {
		await compare(context, first, second);
	}
}

/** Compares a recorded call with a run in this window, of any server: the one that serves the recording has another name. */
async function compareRecorded(
	context: DebuggingContext,
	recording: Timeline,
	ended: readonly Call[],
	target: unknown,
): Promise<void> {
	const first = targetOf(recording.registry.calls, target);
	const others = first ? ended.filter(({ kind, name }) => kind === first.kind && name === first.name) : [];
	const second =
		others.length > 1 ? await chooseCall(others, localize('Choose the run to compare it with')) : others[0];
	if (first && second) {
		await showDiff(context, { call: first, of: recording }, { call: second, of: context });
	} else if (first && others.length === 0) {
		showNothing(localizeNative('{0} has not been called in this window yet. Call it first.', first.name));
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
		showNothing(localizeNative('The two runs differ only in IDs and times.'));
	}
}

/** True if two runs differ in more than IDs and times. */
export function differs(context: DebuggingContext, a: Call, b: Call): boolean {
	return JSON.stringify(comparableOf(context, a)) !== JSON.stringify(comparableOf(context, b));
}

function comparableOf({ registry, trace }: Run['of'], call: Call) {
	return comparable(call, registry.elicitations, trace);
}

function isSame(a: Call, b: Call): boolean {
	return a.server === b.server && a.kind === b.kind && a.name === b.name;
}

function showNothing(text: NativeText): undefined {
	void notify('information', text);
}
