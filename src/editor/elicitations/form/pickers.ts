import * as vscode from 'vscode';
import { type NativeText, together } from '../../../elicitation/display.ts';
import { localize } from '../../common/localize.ts';
import {
	backButton,
	createInputBox,
	createQuickPick,
	type NativeBox,
	type NativeButton,
	type NativePick,
} from '../../common/surfaces.ts';
import type { Draft } from './draft.ts';
import {
	type Entry,
	type Picker,
	type PickerButton,
	type PickerItem,
	type PickerOutcome,
	PickerSequence,
	type PickerTexts,
} from './pickerModel.ts';
import { showPicker } from './shownPicker.ts';

/** Asks a form as a sequence of pickers. Aborting the signal closes the picker and resolves to suspended. */
export async function runPickers(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<PickerOutcome> {
	const sequence = new PickerSequence(draft, texts, localize);
	while (!sequence.outcome && !signal.aborted) {
		const picker = await sequence.next();
		if (!signal.aborted) {
			await show(picker, sequence, signal);
		}
	}
	return sequence.outcome ?? { action: 'suspended' };
}

/** Shows a picker until an action of the user ends it, or until it is hidden or aborted. */
function show(picker: Picker, sequence: PickerSequence, signal: AbortSignal): Promise<void> {
	const input = picker.kind === 'text' ? inputBox(picker) : quickPick(picker);
	input.title = picker.title;
	input.placeholder = placeholderOf(input, picker, picker.placeholder);
	input.ignoreFocusOut = true;
	const buttons = picker.buttons.map(buttonOf);
	input.buttons = buttons;
	const entry = (): Entry => ('items' in input ? input.selectedItems : input.value);
	return new Promise((resolve) => {
		const disposables: vscode.Disposable[] = [];
		const done = () => {
			signal.removeEventListener('abort', suspend);
			vscode.Disposable.from(...disposables).dispose();
			resolve();
		};
		const suspend = () => {
			sequence.suspend(entry());
			done();
		};
		const accept = async () => {
			const problem = await sequence.accept(entry());
			if (sequence.current !== picker) {
				done();
			} else if (problem !== undefined) {
				showProblem(input, picker, problem);
			}
		};
		signal.addEventListener('abort', suspend);
		disposables.push(
			...('items' in input ? [] : [checkWhileTyping(input, picker, sequence)]),
			showPicker(input, {
				accepted: () => void accept(),
				pressed: (button) => {
					const pressed = picker.buttons[buttons.indexOf(button)];
					if (pressed) {
						sequence.press(pressed.kind, entry());
						done();
					}
				},
				hidden: (escaped) => {
					escaped ? sequence.escape(entry()) : sequence.suspend(entry());
					done();
				},
			}),
		);
	});
}

function inputBox({ prompt, value, password }: Picker & { kind: 'text' }): NativeBox {
	return Object.assign(createInputBox(), { prompt, value, password });
}

function quickPick(picker: Picker & { kind: 'one' | 'many' }): NativePick<PickerItem> {
	const list = createQuickPick<PickerItem>();
	list.canSelectMany = picker.kind === 'many';
	list.items = picker.items;
	if (picker.kind === 'one') {
		list.matchOnDescription = true;
		list.activeItems = picker.active ? [picker.active] : [];
		return list;
	}
	list.selectedItems = picker.selected;
	if ('prompt' in list) {
		list.prompt = picker.prompt;
	}
	return list;
}

function placeholderOf(input: NativeBox | NativePick<PickerItem>, picker: Picker, text?: NativeText): NativeText {
	// Older versions of VS Code have no prompt for quick picks.
	const prompt = picker.kind === 'many' && !('prompt' in input) ? picker.prompt : undefined;
	return together([prompt, text], ' — ');
}

const ICONS = {
	skip: 'debug-step-over',
	form: 'window',
	decline: 'circle-slash',
	show: 'eye',
	hide: 'eye-closed',
};

function buttonOf(button: PickerButton): NativeButton {
	return button.kind === 'back'
		? backButton()
		: { iconPath: new vscode.ThemeIcon(ICONS[button.kind]), tooltip: button.tooltip };
}

/** An input box shows either its prompt or a validation message, and the prompt must stay visible (F04). */
function showProblem(input: NativeBox | NativePick<PickerItem>, picker: Picker, problem?: NativeText): void {
	if ('items' in input) {
		input.title = together([picker.title, problem], ' — ');
		input.placeholder = placeholderOf(input, picker, picker.besideError);
	} else {
		input.validationMessage = problem && together([problem, picker.besideError], ' — ');
	}
}

/** Validates while the user types. Results for older text are dropped. */
function checkWhileTyping(box: NativeBox, picker: Picker, sequence: PickerSequence): vscode.Disposable {
	let newest = 0;
	return box.onDidChangeValue(async () => {
		const mine = ++newest;
		const problem = await sequence.problem(box.value);
		if (mine === newest) {
			// Do not report an empty required field before the user has typed.
			showProblem(box, picker, box.value === '' ? undefined : problem);
		}
	});
}
