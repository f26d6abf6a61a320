import * as vscode from 'vscode';
import { KeyGuard } from '../../../elicitation/keyGuard.ts';
import { SECTION } from '../../common/contributions.ts';

export interface PickerEvents {
	/** Enter, or a click on an entry. Not in the first moments. */
	accepted(): void;
	/** The picker was closed: by the user's Escape, or because something else was opened. */
	hidden(escaped: boolean): void;
}

interface Shown {
	/** Escape was pressed; false where it was not meant for this picker. */
	escape(): boolean;
}

/** The picker of ours that is on the screen. */
let shown: Shown | undefined;

/**
 * Escape in one of our pickers is an answer (cancel, F14); a picker that closes because something else opened is none, and can
 * be resumed. The editor reports both alike, so Escape has a key binding of its own while one of our pickers is open. This is
 * the command behind the key binding `escape` of the manifest.
 */
export function registerEscape(): vscode.Disposable {
	return vscode.commands.registerCommand(`${SECTION}.escapePicker`, async () => {
		if (shown === undefined || shown.escape()) {
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		}
	});
}

/**
 * Shows a picker, with keys that are meant for it alone: what is pressed in the first moments does nothing. Disposing the
 * result takes the picker away without an event.
 */
export function showPicker<T extends vscode.QuickPickItem>(
	picker: vscode.QuickPick<T> | vscode.InputBox,
	events: PickerEvents,
): vscode.Disposable {
	const guard = new KeyGuard();
	let escaped = false;
	const mine: Shown = {
		escape: () => {
			escaped = guard.takesKeys(performance.now());
			return escaped;
		},
	};
	const listeners: vscode.Disposable[] = [];
	const end = () => {
		vscode.Disposable.from(...listeners.splice(0)).dispose();
		if (shown === mine) {
			shown = undefined;
			void setContext(false);
		}
	};
	listeners.push(
		picker.onDidAccept(() => {
			if (guard.takesKeys(performance.now())) {
				events.accepted();
			} else if ('selectedItems' in picker && !picker.canSelectMany) {
				// The editor does not report a second click on an entry that is already selected.
				picker.selectedItems = [];
			}
		}),
		picker.onDidHide(() => {
			end();
			events.hidden(escaped);
		}),
	);
	shown = mine;
	void setContext(true);
	picker.show();
	// Its result comes back once the picker is drawn, as late as the keys that are pressed in it will come.
	void setContext(true).then(() => guard.appeared(performance.now()));
	return new vscode.Disposable(() => {
		end();
		picker.dispose();
	});
}

/** From here on Escape is ours, or no longer. */
function setContext(value: boolean): Thenable<unknown> {
	return vscode.commands.executeCommand('setContext', `${SECTION}.picker`, value);
}
