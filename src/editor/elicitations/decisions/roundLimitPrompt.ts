import type * as vscode from 'vscode';
import type { RoundLimit } from '../../../elicitation/call.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showNotice } from '../../common/notifications.ts';

/** Prompts for every call that reaches the round limit (R07). */
export function registerRoundLimitPrompt(registry: Registry): vscode.Disposable {
	return registry.onDidReachRoundLimit(showRoundLimitPrompt);
}

/** The notices of decisions that are still open. */
const notices = new WeakMap<RoundLimit, vscode.Disposable>();

/** Asks in a notice, which goes when the call is decided on anywhere. */
export function showRoundLimitPrompt(roundLimit: RoundLimit): void {
	const { call, reason, decided } = roundLimit;
	notices.get(roundLimit)?.dispose();
	const notice = showNotice(
		localizeNative('{0}: {1}', call.server, render(reason, localize)),
		{ title: localize('Continue'), run: () => roundLimit.decide(true) },
		{ title: localize('Stop'), run: () => roundLimit.decide(false) },
	);
	notices.set(roundLimit, notice);
	void decided.then(() => notice.dispose());
}
