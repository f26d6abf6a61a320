import * as vscode from 'vscode';
import { KeyGuard } from '../../../elicitation/keyGuard.ts';
import { SECTION } from '../../common/contributions.ts';
import { onAccept, type Picker, showIgnored } from '../../common/guardedPicker.ts';
import type { NativeButton } from '../../common/surfaces.ts';

export interface PickerEvents {
	/** Enter, or a click on an item. Ignored right after the picker appears. */
	accepted(): void;
	/** A button of the title bar. Ignored right after the picker appears, too. */
	pressed(button: NativeButton): void;
	/** The picker closed, by the user's Escape or because something else opened. */
	hidden(escaped: boolean): void;
}

interface Shown {
	/** Escape was pressed. False if the key was not meant for this picker. */
	escape(): boolean;
}

/** The picker on the screen. */
let shown: Shown | undefined;

/**
 * Escape in a picker is a response (cancel, F14), while a picker that closes because something else opened can be
 * resumed. VS Code reports both the same way, so Escape has its own key binding while a picker of this extension is
 * open. This is the command behind the `escape` key binding of the manifest.
 */
export function registerEscape(): vscode.Disposable {
	return vscode.commands.registerCommand(`${SECTION}.escapePicker`, async () => {
		if (shown === undefined || shown.escape()) {
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		}
	});
}

/**
 * Shows a picker that ignores keys and clicks right after it appears, because they were not meant for it. Disposing the
 * result closes the picker without an event.
 */
export function showPicker(picker: Picker, events: PickerEvents): vscode.Disposable {
	const guard = new KeyGuard();
	const takesKeys = () => guard.takesKeys(performance.now());
	const isMeant = () => {
		const isTaken = takesKeys();
		if (!isTaken) {
			showIgnored(picker);
		}
		return isTaken;
	};
	let escaped = false;
	const mine: Shown = {
		escape: () => {
			escaped = isMeant();
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
		onAccept(picker, takesKeys, () => events.accepted()),
		picker.onDidTriggerButton((button) => isMeant() && events.pressed(button)),
		picker.onDidHide(() => {
			end();
			events.hidden(escaped);
		}),
	);
	shown = mine;
	void setContext(true);
	picker.show();
	// The result arrives after the picker is drawn, over the same channel as keys pressed in it.
	void setContext(true).then(() => guard.appeared(performance.now()));
	return new vscode.Disposable(() => {
		end();
		picker.dispose();
	});
}

/** Enables or disables the Escape key binding. */
function setContext(value: boolean): Thenable<unknown> {
	return vscode.commands.executeCommand('setContext', `${SECTION}.picker`, value);
}
