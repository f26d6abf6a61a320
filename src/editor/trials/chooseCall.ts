import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { duration } from '../texts.ts';
import { line, t } from '../words.ts';

/** So many recent calls can be chosen from. */
const RECENT = 100;

/** The ended call that a command is about: its target's, or the person's choice among the recent ones that fit. */
export async function chooseCall(
	registry: Registry,
	target: unknown,
	fits: (call: Call) => boolean = () => true,
): Promise<Call | undefined> {
	const calls = registry.calls.filter((call) => call.state !== 'running' && fits(call));
	const wanted = typeof target === 'object' && target !== null && 'call' in target ? target.call : undefined;
	const found = calls.find((call) => call === wanted || call.id === target);
	if (found) {
		return found;
	}
	const items = calls
		// A call that tries something out would be repeated as what it repeats.
		.filter(({ trial }) => !trial)
		.slice(-RECENT)
		.reverse()
		.map((call) => ({
			label: native(call.name, 100),
			description: native(`${call.server} · ${duration(call)}`, 200),
			detail: native(JSON.stringify(call.args), 200),
			call,
		}));
	if (items.length === 0) {
		void vscode.window.showInformationMessage(line('There is no call to repeat yet: make one first.'));
		return undefined;
	}
	return (await vscode.window.showQuickPick(items, { placeHolder: t('Choose the call to repeat') }))?.call;
}

/** What a call was asked, where the protocol tells that it was this call. */
export function questionsOf({ elicitations }: Registry, call: Call): Elicitation[] {
	return elicitations.filter(({ origin }) => origin.calls.length === 1 && origin.calls[0] === call);
}
