import * as vscode from 'vscode';
import { together } from '../../elicitation/display.ts';
import type { KeyGuard } from '../../elicitation/keyGuard.ts';
import { SECTION } from './contributions.ts';
import { localize } from './localize.ts';
import { guardShown, showError } from './notifications.ts';
import type { NativeBox, NativeButton, NativeItem, NativePick } from './surfaces.ts';

export type Picker = NativeBox | NativePick<NativeItem>;

/**
 * Listens to Enter and to clicks on items, except for those that were not meant for the picker.
 * @param takesKeys what its guard says now
 */
export function onAccept(picker: Picker, takesKeys: () => boolean, accepted: () => void): vscode.Disposable {
	return picker.onDidAccept(() => {
		if (takesKeys()) {
			accepted();
			return;
		}
		showIgnored(picker);
		if ('selectedItems' in picker && !picker.canSelectMany) {
			// VS Code does not report a second click on an item that is already selected.
			picker.selectedItems = [];
		}
	});
}

/** How long it is said that a key was ignored (ms). */
const IGNORED = 3_000;

/** The pickers that say so. */
const ignoring = new WeakSet<Picker>();

/** Says in the title that a key or a click was ignored. */
function showIgnored(picker: Picker): void {
	if (ignoring.has(picker)) {
		return;
	}
	const { title } = picker;
	ignoring.add(picker);
	const said = together([title, localize('Ignored: too soon. Press again.')], ' — ');
	picker.title = said;
	setTimeout(() => {
		ignoring.delete(picker);
		// A problem that was found meanwhile stays.
		if (picker.title === said) {
			picker.title = title;
		}
	}, IGNORED);
}

/** What Escape does in the picker that is shown, if that is more than closing it. */
let onEscape: (() => void) | undefined;

/**
 * The command behind the `escape` key binding of the manifest. VS Code reports Escape like a picker that closes because something else
 * opened, so the key has a binding of its own while a picker is open for which it means something else (`escaped`).
 */
export function registerEscape(): vscode.Disposable {
	return vscode.commands.registerCommand(`${SECTION}.escapePicker`, () =>
		onEscape ? onEscape() : vscode.commands.executeCommand('workbench.action.closeQuickOpen'),
	);
}

function setEscape(does: typeof onEscape): void {
	onEscape = does;
	void vscode.commands.executeCommand('setContext', `${SECTION}.picker`, does !== undefined);
}

/** What the user may do in a picker, and what it leads to. */
interface Ways<T> {
	/** Enter, or a click on an item; undefined if the picker is not complete yet. */
	readonly accepted: () => T | undefined | Promise<T | undefined>;
	/** A button of the title bar. */
	readonly pressed?: (button: NativeButton) => T | undefined;
	/** Escape, if it is something else than closing the picker. */
	readonly escaped?: () => T;
	/** Closes the picker. */
	readonly signal?: AbortSignal;
	/** Whether keys and clicks right after it appears are ignored, because they were not meant for it. They are unless this is false. */
	readonly guarded?: boolean;
}

/** Shows a picker until the user completes it; undefined if it closes before. */
export function showUntilAccepted<T>(
	picker: Picker,
	{ accepted, pressed, escaped, signal, guarded = true }: Ways<T>,
): Promise<T | undefined> {
	return new Promise((resolve) => {
		let guard: KeyGuard | undefined;
		const takesKeys = () => !guarded || guard?.takesKeys(performance.now()) === true;
		const escapes = escaped && (() => (takesKeys() ? end(escaped()) : showIgnored(picker)));
		const closed = () => end(undefined);
		function end(answer: T | undefined): void {
			resolve(answer);
			signal?.removeEventListener('abort', closed);
			if (escapes && onEscape === escapes) {
				setEscape(undefined);
			}
			picker.dispose();
		}
		const settle = (answer: T | undefined) => {
			if (answer !== undefined) {
				end(answer);
			}
		};
		if (signal?.aborted) {
			closed();
			return;
		}
		signal?.addEventListener('abort', closed);
		onAccept(picker, takesKeys, () => {
			const answer = accepted();
			if (answer instanceof Promise) {
				answer.then(settle, showError);
			} else {
				settle(answer);
			}
		});
		picker.onDidTriggerButton((button) => (takesKeys() ? settle(pressed?.(button)) : showIgnored(picker)));
		picker.onDidHide(closed);
		if (escapes) {
			setEscape(escapes);
		}
		picker.show();
		guard = guarded ? guardShown() : undefined;
	});
}
