import type * as vscode from 'vscode';
import type { RoundLimit } from '../../../elicitation/call.ts';
import { render } from '../../../elicitation/sentence.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showNotice } from '../../common/notifications.ts';

/** The notices of decisions that are still open. */
const notices = new WeakMap<RoundLimit, vscode.Disposable>();

/** Asks about a call that has reached the round limit (R07), in a notice, which goes when the call is decided on anywhere. */
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
