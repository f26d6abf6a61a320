import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { native } from '../../../elicitation/display.ts';
import { comparable } from '../../../trace/comparable.ts';
import { chooseCall, hasEnded, targetOf } from '../../calls/chooseCall.ts';
import { localize, localizeNative, timeOfDay } from '../../common/localize.ts';
import type { DebuggingContext } from '../debuggingContext.ts';

/** The command `compareRuns`: compares two runs of a call side by side. */
export async function compareRuns(context: DebuggingContext, target: unknown): Promise<void> {
	const ended = context.registry.calls.filter(hasEnded);
	const othersOf = (call: Call) => ended.filter((other) => other !== call && isSame(other, call));
	const repeated = ended.filter((call) => othersOf(call).length > 0);
	const first =
		target !== undefined
			? targetOf(ended, target)
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

/** Opens a diff of two runs, the older one on the left. */
export async function compare({ registry, trace, documents }: DebuggingContext, a: Call, b: Call): Promise<void> {
	const runs = [a, b].sort((one, other) => Number(one.id) - Number(other.id));
	const [before, after] = runs.map((call) => comparable(call, registry.elicitations, trace));
	const [left, right] = [documents.add(a.name, before), documents.add(b.name, after)];
	const [then, later] = runs.map(({ startedAt }) => timeOfDay(startedAt));
	const title = native(`${a.server} · ${a.name.slice(0, 60)}: ${then} ↔ ${later}`);
	await vscode.commands.executeCommand('vscode.diff', left, right, title);
	if (JSON.stringify(before) === JSON.stringify(after)) {
		showNothing(localizeNative('The two runs differ only in IDs and times.'));
	}
}

function isSame(a: Call, b: Call): boolean {
	return a.server === b.server && a.kind === b.kind && a.name === b.name;
}

function showNothing(text: string): undefined {
	void vscode.window.showInformationMessage(text);
}
