import * as vscode from 'vscode';
import { type NativeText, native } from '../../../elicitation/display.ts';
import type { BoundaryCase } from '../../../elicitation/form/boundary.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { DEFAULT_RUNS, MAX_RUNS, MIN_RUNS, readRuns } from '../../../trials/determinism.ts';
import { HOLD_TIMES, MAX_HOLD_TIME, readHoldTimes } from '../../../trials/patience.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { type NativeItem, showInputBox, showQuickPicks } from '../../common/surfaces.ts';
import type { ProtocolTestRun } from './temporaryConnection.ts';

/** Up to this many cases run without asking. */
const MAX_CASES_WITHOUT_PROMPT = 20;

/** The cases to run: all if there are few, else the user's pick. */
export async function chooseCases(cases: readonly BoundaryCase[]): Promise<readonly BoundaryCase[]> {
	if (cases.length <= MAX_CASES_WITHOUT_PROMPT) {
		return cases;
	}
	const items = cases.map((each) => ({
		label: nativeText(each.name),
		...(each.allowed === false && { description: localize('invalid on purpose') }),
		detail: native(writeJson(each.changed ?? {}), 200),
		picked: true,
		each,
	}));
	const placeHolder = localizeNative('{0} cases; choose those to run', cases.length);
	const chosen = await showQuickPicks(items, { placeHolder, matchOnDetail: true });
	return chosen?.map(({ each }) => each) ?? [];
}

/** The protocol tests to run: all by default, or the user's pick. */
export async function chooseRuns(runs: readonly ProtocolTestRun[]): Promise<readonly ProtocolTestRun[]> {
	const titles: Readonly<Record<ProtocolTestRun['group'], NativeText>> = {
		modes: localize('Declared capabilities'),
		revisions: localize('Protocol revision'),
		state: localize('Returned responses'),
		urls: localize('URLs that nobody opens'),
		tasks: localize('Tasks'),
	};
	const items = runs.flatMap((each, at): (NativeItem & { readonly each?: ProtocolTestRun })[] => [
		...(runs[at - 1]?.group === each.group
			? []
			: [{ label: titles[each.group], kind: vscode.QuickPickItemKind.Separator }]),
		{ label: nativeText(each.name), picked: true, each },
	]);
	const placeHolder = localize('Choose what to try');
	const chosen = await showQuickPicks(items, { placeHolder });
	return chosen?.flatMap(({ each }) => each ?? []) ?? [];
}

/** Asks for how long to hold responses (s). */
export async function enterHoldTimes(): Promise<readonly number[]> {
	const text = await showInputBox({
		title: localize('For how many seconds should responses be held?'),
		prompt: localize('Separate them with commas. There is one call for each, and one whose response is not held.'),
		value: HOLD_TIMES.join(', '),
		validateInput: (entered) =>
			readHoldTimes(entered)
				? undefined
				: localizeNative('Enter numbers of seconds up to {0}, separated by commas.', MAX_HOLD_TIME),
	});
	return readHoldTimes(text ?? '') ?? [];
}

/** Asks how often to make a call. */
export async function enterRuns(): Promise<number> {
	const text = await showInputBox({
		title: localize('How many times should the call be made?'),
		value: String(DEFAULT_RUNS),
		validateInput: (entered) =>
			readRuns(entered) === undefined
				? localizeNative('Enter a number from {0} to {1}.', MIN_RUNS, MAX_RUNS)
				: undefined,
	});
	return readRuns(text ?? '') ?? 0;
}
