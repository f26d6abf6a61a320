import type * as vscode from 'vscode';
import { together } from '../../elicitation/display.ts';
import type { KeyGuard } from '../../elicitation/keyGuard.ts';
import { localize } from './localize.ts';
import { guardShown } from './notifications.ts';
import type { NativeBox, NativeItem, NativePick } from './surfaces.ts';

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
export function showIgnored(picker: Picker): void {
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

/**
 * Shows a picker until the user completes it; undefined if the user dismisses it.
 * @param accepted what Enter leads to; undefined if the picker is not complete yet
 * @param guarded whether keys pressed right after it appears are ignored, because they were not meant for it
 */
export function showUntilAccepted<T>(
	picker: Picker,
	accepted: () => T | undefined,
	guarded = true,
): Promise<T | undefined> {
	return new Promise((resolve) => {
		const end = (answer: T | undefined) => {
			resolve(answer);
			picker.dispose();
		};
		let guard: KeyGuard | undefined;
		onAccept(
			picker,
			() => !guarded || guard?.takesKeys(performance.now()) === true,
			() => {
				const answer = accepted();
				if (answer !== undefined) {
					end(answer);
				}
			},
		);
		picker.onDidHide(() => end(undefined));
		picker.show();
		guard = guarded ? guardShown() : undefined;
	});
}
