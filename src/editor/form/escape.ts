import * as vscode from 'vscode';
import { SECTION } from '../contributions.ts';

/**
 * Escape in one of our pickers is an answer (cancel, F14); a picker that closes because something else opened is none, and can
 * be resumed. The editor reports both alike, so Escape has a key binding of its own while one of our pickers is open.
 */
let pressed = false;

/** The command behind the key binding `escape` of the manifest. */
export function registerEscape(): vscode.Disposable {
	return vscode.commands.registerCommand(`${SECTION}.escapePicker`, async () => {
		pressed = true;
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
	});
}

/** Tells the editor that one of our pickers is open: from here on Escape is ours. */
export function watchEscape(): void {
	pressed = false;
	void vscode.commands.executeCommand('setContext', `${SECTION}.picker`, true);
}

/** The picker is gone. True if Escape closed it. */
export function escaped(): boolean {
	void vscode.commands.executeCommand('setContext', `${SECTION}.picker`, false);
	return pressed;
}
