import * as vscode from 'vscode';
import type { Halt } from '../../../elicitation/call.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import { showError } from '../../common/notices.ts';
import { line, t } from '../../common/words.ts';

/** Tells of every call that goes on only if the person says so (R07). */
export function registerHalts(registry: Registry): vscode.Disposable {
	return registry.onDidHalt((halt) => {
		askWhetherToGoOn(halt).catch(showError);
	});
}

/** Asks in a notification. Dismissing it decides nothing: the call waits in the list of what is pending. */
export async function askWhetherToGoOn(halt: Halt): Promise<void> {
	const { call, reason } = halt;
	const goOn = t('Go On');
	const choice = await vscode.window.showWarningMessage(
		line('{0}: {1}', call.server, render(reason, t)),
		goOn,
		t('Stop'),
	);
	if (choice === undefined) {
		return;
	}
	if (call.halted !== halt) {
		void vscode.window.showInformationMessage(
			line('{0}: "{1}" no longer waits for your decision.', call.server, call.name),
		);
		return;
	}
	halt.decide(choice === goOn);
}
