import * as vscode from 'vscode';
import type { Call } from '../../../elicitation/call.ts';
import { native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { BoundaryCase } from '../../../elicitation/form/boundary.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { chooseCall, hasEnded, targetOf } from '../../calls/chooseCall.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import type { BenchRun } from './temporaryConnection.ts';

/** So many cases are run without a choice. */
const FEW = 20;

/** Which calls can be chosen, and what is said where there is none. */
export interface Choice {
	fits(call: Call): boolean;
	nothing(): string;
}

const ANY: Choice = {
	fits: () => true,
	nothing: () => localizeNative('There is no call to repeat yet: make one first.'),
};

/** The ended call that a command is about: its target's, or the user's choice among the recent ones that fit. */
export async function callToRepeat(
	registry: Registry,
	target: unknown,
	{ fits, nothing }: Choice = ANY,
): Promise<Call | undefined> {
	const calls = registry.calls.filter((call) => hasEnded(call) && fits(call));
	const named = targetOf(calls, target);
	if (named) {
		return named;
	}
	// A call that tries something out would be repeated as what it repeats.
	const meant = calls.filter(({ trial }) => !trial);
	if (meant.length === 0) {
		void vscode.window.showInformationMessage(nothing());
		return undefined;
	}
	return chooseCall(meant, localize('Choose the call to repeat'));
}

/** The cases to run: all of them where they are few, else those that the user wants. */
export async function chooseCases(cases: readonly BoundaryCase[]): Promise<readonly BoundaryCase[]> {
	if (cases.length <= FEW) {
		return cases;
	}
	const items = cases.map((each) => ({
		label: nativeText(each.name),
		description: each.allowed === false ? localize('invalid on purpose') : '',
		detail: native(JSON.stringify(each.changed ?? {}), 200),
		picked: true,
		each,
	}));
	const placeHolder = localize('{0} cases; choose those to run', cases.length);
	const chosen = await vscode.window.showQuickPick(items, { placeHolder, canPickMany: true, matchOnDetail: true });
	return chosen?.map(({ each }) => each) ?? [];
}

/** What to try on the bench: all of it, unless the user wants less. */
export async function chooseRuns(runs: readonly BenchRun[]): Promise<readonly BenchRun[]> {
	const titles: Readonly<Record<BenchRun['group'], string>> = {
		modes: localize('What is declared'),
		revisions: localize('What is spoken'),
		state: localize('What is sent back'),
		pages: localize('Pages that nobody opens'),
	};
	const items = runs.flatMap((each, at): (vscode.QuickPickItem & { readonly each?: BenchRun })[] => [
		...(runs[at - 1]?.group === each.group
			? []
			: [{ label: titles[each.group], kind: vscode.QuickPickItemKind.Separator }]),
		{ label: nativeText(each.name), picked: true, each },
	]);
	const placeHolder = localize('Choose what to try');
	const chosen = await vscode.window.showQuickPick(items, { placeHolder, canPickMany: true });
	return chosen?.flatMap(({ each }) => each ?? []) ?? [];
}

/** What a call was asked, where the protocol tells that it was this call. */
export function questionsOf({ elicitations }: Registry, call: Call): Elicitation[] {
	return elicitations.filter(({ cause }) => cause === call);
}
