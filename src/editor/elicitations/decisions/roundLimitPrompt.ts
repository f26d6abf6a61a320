import type * as vscode from 'vscode';
import type { RoundLimit } from '../../../elicitation/call.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify, showError } from '../../common/notifications.ts';

/** Prompts for every call that reaches the round limit (R07). */
export function registerRoundLimitPrompt(registry: Registry): vscode.Disposable {
	return registry.onDidReachRoundLimit((roundLimit) => {
		showRoundLimitPrompt(roundLimit).catch(showError);
	});
}

/** Asks in a notification. Dismissing it decides nothing; the call stays in the pending list. */
export async function showRoundLimitPrompt(roundLimit: RoundLimit): Promise<void> {
	const { call, reason } = roundLimit;
	const continueButton = localize('Continue');
	const choice = await notify(
		'warning',
		localizeNative('{0}: {1}', call.server, render(reason, localize)),
		continueButton,
		localize('Stop'),
	);
	if (choice === undefined) {
		return;
	}
	if (call.atRoundLimit !== roundLimit) {
		void notify(
			'information',
			localizeNative('{0}: "{1}" is no longer waiting for your decision.', call.server, call.name),
		);
		return;
	}
	roundLimit.decide(choice === continueButton);
}
