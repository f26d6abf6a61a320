import * as vscode from 'vscode';
import type { NativeText } from '../../../elicitation/display.ts';
import { native } from '../../../elicitation/display.ts';
import type { Input } from '../../../elicitation/form/answer.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import { localize } from '../../common/localize.ts';
import { showPicker } from './shownPicker.ts';

/** One field, asked in one picker. */
export interface Step {
	readonly title: NativeText;
	readonly message: NativeText;
	readonly hint: NativeText;
	readonly field: Field;
	readonly input: Input;
	readonly canGoBack: boolean;
	/** Problem with this input, as text; undefined if it is valid. */
	check(input: Input): Promise<string | undefined>;
}

/** Approximate width of a picker row in columns. A Chinese character takes two. */
const COLUMNS = 84;

/**
 * Shows the message in the first rows of a picker, complete and always visible (F04). Picking one of these rows does
 * nothing. Separators are not an option, because VS Code squeezes their text into the row below.
 */
export function messageItems(message: NativeText): vscode.QuickPickItem[] {
	const rows: string[] = [];
	for (const paragraph of message.split('\n')) {
		let row = '';
		let width = 0;
		for (const word of paragraph.split(/(?<=\s)|(?<=[\u2e80-\uffef])/)) {
			const size = [...word].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0);
			if (width > 0 && width + size > COLUMNS) {
				rows.push(row);
				row = '';
				width = 0;
			}
			row += word;
			width += size;
		}
		rows.push(row);
	}
	return rows.map((label) => ({ label, alwaysShow: true }));
}

/** `suspended`: something other than the user's Escape closed the picker. */
export type StepResult =
	| { readonly kind: 'input'; readonly input: Input }
	/** `typed`: what stood in the box when it was left without Enter. */
	| { readonly kind: 'back' | 'form' | 'escape' | 'suspended'; readonly typed?: Input };

/** Asks one step. */
export function askStep(step: Step, signal: AbortSignal): Promise<StepResult> {
	switch (step.field.kind) {
		case 'boolean':
		case 'choice':
			return askOne(step, signal);
		case 'choices':
			return askMany(step, signal);
		default:
			return askText(step, signal);
	}
}

const formButton = (): vscode.QuickInputButton => ({
	iconPath: new vscode.ThemeIcon('window'),
	tooltip: localize('Open as Form'),
});
const skipButton = (field: Field): vscode.QuickInputButton => ({
	iconPath: new vscode.ThemeIcon('debug-step-over'),
	tooltip: skipText(field),
});
/** Label for leaving a field without input. */
const skipText = (field: Field): string => (field.required ? localize('Empty (null)') : localize('Skip (leave out)'));

const separator: vscode.QuickPickItem = { label: '', kind: vscode.QuickPickItemKind.Separator };

interface InputItem extends vscode.QuickPickItem {
	readonly input?: Input;
}

function askOne(step: Step, signal: AbortSignal): Promise<StepResult> {
	const { field, input } = step;
	const picker = vscode.window.createQuickPick<InputItem>();
	const options: InputItem[] =
		field.kind === 'boolean'
			? [true, false].map((value) => ({
					label: value ? localize('Yes') : localize('No'),
					input: { kind: 'boolean', value },
				}))
			: field.kind === 'choice'
				? field.options.map((option, index) => ({
						label: native(option.label, 200),
						...(option.description && { description: native(option.description, 200) }),
						input: { kind: 'choice', index },
					}))
				: [];
	const none: InputItem = {
		label: skipText(field),
		input: field.kind === 'boolean' ? { kind: 'boolean', value: null } : { kind: 'choice', index: null },
	};
	const message = messageItems(step.message);
	picker.items = [...message, separator, ...options, ...(field.required && !field.nullable ? [] : [separator, none])];
	const current = options.find((option) => JSON.stringify(option.input) === JSON.stringify(input));
	// Without a default, the active item is part of the message, so that Enter does nothing.
	picker.activeItems = current ? [current] : message.slice(-1);
	return run(picker, step, signal, () => picker.selectedItems[0]?.input);
}

function askMany(step: Step, signal: AbortSignal): Promise<StepResult> {
	const { field, input } = step;
	const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { index?: number }>();
	picker.canSelectMany = true;
	const options =
		field.kind === 'choices'
			? field.options.map((option, index) => ({
					label: native(option.label, 200),
					...(option.description && { description: native(option.description, 200) }),
					index,
				}))
			: [];
	picker.items = options;
	const chosen = input.kind === 'choices' ? (input.indexes ?? []) : [];
	picker.selectedItems = options.filter(({ index }) => chosen.includes(index));
	return run(picker, step, signal, () => {
		const indexes = picker.selectedItems.flatMap(({ index }) => (index === undefined ? [] : [index]));
		const same = indexes.length === chosen.length && indexes.every((index) => chosen.includes(index));
		if (same && input.kind === 'choices' && input.indexes !== null) {
			return input;
		}
		// No selection counts as no input, unless an empty list is the only way to fill in the field.
		const none = indexes.length === 0 && (!field.required || field.nullable);
		return { kind: 'choices', indexes: none ? null : indexes.sort((a, b) => a - b) };
	});
}

/** Replaces line breaks in single-line input boxes. */
const LINE_BREAK = '⏎';

function askText(step: Step, signal: AbortSignal): Promise<StepResult> {
	const { field, input } = step;
	const box = vscode.window.createInputBox();
	const isList = field.kind === 'list';
	box.password = field.kind === 'text' && field.entry === 'password';
	box.prompt = [step.message, step.hint, isList ? localize('Separate the entries with commas.') : '']
		.filter(Boolean)
		.join(' — ');
	const text = input.kind === 'list' ? (input.items ?? []).join(', ') : input.kind === 'text' ? input.text : '';
	const isLong = field.kind === 'text' && (field.entry === 'area' || /[\r\n]/.test(text));
	// An input box drops line breaks. Between JSON tokens they do not matter.
	const shown = isLong ? text.replace(/\r\n|[\r\n]/g, LINE_BREAK) : text.replace(/\s*[\r\n]\s*/g, ' ');
	box.value = shown;
	const read = (): Input => {
		if (box.value === shown) {
			return input;
		}
		if (!isList) {
			return { kind: 'text', text: isLong ? box.value.replaceAll(LINE_BREAK, '\n') : box.value };
		}
		const items = box.value.split(',').map((item) => item.trim());
		return { kind: 'list', items: box.value.trim() === '' ? null : items };
	};
	return run(box, step, signal, read);
}

/** Shows a picker until the user accepts a valid input or presses a button, or until it is hidden or aborted. */
function run<T extends vscode.QuickPickItem>(
	picker: vscode.QuickPick<T> | vscode.InputBox,
	step: Step,
	signal: AbortSignal,
	read: () => Input | undefined,
): Promise<StepResult> {
	const back = vscode.QuickInputButtons.Back;
	const form = formButton();
	const skip = skipButton(step.field);
	const isText = !('items' in picker);
	const isMany = step.field.kind === 'choices';
	const optional = !step.field.required || step.field.nullable;
	picker.title = step.title;
	picker.placeholder = [isMany && !setPrompt(picker, step.message) ? step.message : '', step.hint]
		.filter(Boolean)
		.join(' — ');
	picker.ignoreFocusOut = true;
	picker.buttons = [...(step.canGoBack ? [back] : []), ...(isText && optional ? [skip] : []), form];
	return new Promise((resolve) => {
		const disposables: vscode.Disposable[] = [];
		const done = (result: StepResult) => {
			resolve(result);
			signal.removeEventListener('abort', abort);
			vscode.Disposable.from(...disposables, presence).dispose();
		};
		const leave = (kind: 'back' | 'form' | 'escape' | 'suspended') => {
			const typed = isText || picker.selectedItems.length > 0 ? read() : undefined;
			done({ kind, ...(typed && { typed }) });
		};
		const abort = () => leave('suspended');
		const show = (problem: string | undefined) => {
			if (isText) {
				showProblem(picker, problem);
			} else if (problem !== undefined) {
				picker.title = `${step.title} — ${problem}`;
			}
		};
		const accept = async () => {
			const input = read();
			if (input) {
				const problem = await step.check(input);
				problem === undefined ? done({ kind: 'input', input }) : show(problem);
			}
		};
		signal.addEventListener('abort', abort);
		disposables.push(
			picker.onDidTriggerButton((button) => {
				if (button === skip) {
					const input: Input = step.input.kind === 'list' ? { kind: 'list', items: null } : { kind: 'text', text: '' };
					done({ kind: 'input', input });
				} else {
					leave(button === back ? 'back' : 'form');
				}
			}),
		);
		if (isText) {
			disposables.push(checkWhileTyping(picker, step, read));
		}
		const presence = showPicker(picker, {
			accepted: () => void accept(),
			hidden: (escaped) => leave(escaped ? 'escape' : 'suspended'),
		});
	});
}

/**
 * In a multi-select picker the message cannot be a row, because each row has a checkbox. Newer versions of VS Code have
 * a prompt for quick picks; returns false in older ones.
 */
function setPrompt(picker: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox, prompt: NativeText): boolean {
	const has = 'prompt' in picker;
	if (has) {
		picker.prompt = prompt;
	}
	return has;
}

/** An input box shows either its prompt or a validation message, and the prompt must stay visible (F04). */
function showProblem(box: vscode.InputBox, problem: string | undefined): void {
	box.validationMessage = problem && [problem, box.prompt].filter(Boolean).join(' — ');
}

/** Validates while the user types. Results for older text are dropped. */
function checkWhileTyping(box: vscode.InputBox, step: Step, read: () => Input | undefined): vscode.Disposable {
	let newest = 0;
	return box.onDidChangeValue(async () => {
		const mine = ++newest;
		const input = read();
		const problem = input && (await step.check(input));
		if (mine === newest) {
			// Do not report an empty required field before the user has typed.
			showProblem(box, box.value === '' ? undefined : problem);
		}
	});
}
