import * as vscode from 'vscode';
import { native, shorten, visible } from '../../../elicitation/display.ts';
import type { Input, Problem } from '../../../elicitation/form/answer.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import type { Review } from '../../../elicitation/form/form.ts';
import { localize, nativeText } from '../../common/localize.ts';
import type { Draft, FormOutcome } from './draft.ts';
import { fieldSummary, inputSummary } from './fieldText.ts';
import { askStep, messageItems, type Step, type StepResult } from './pickerStep.ts';
import { showPicker } from './shownPicker.ts';

/** Texts about the request. All server text. */
export interface PickerTexts {
	readonly server: string;
	readonly message: string;
	/** Warnings shown in the review step; translated. */
	readonly warnings: readonly string[];
	/** Why the request cannot be accepted. */
	readonly blocked?: string;
}

/**
 * Outcome of a sequence. `form`: the user switches to the panel. `suspended`: another picker replaced this one; the
 * draft knows the step to resume at.
 */
export type PickerOutcome = FormOutcome | { readonly action: 'form' | 'suspended' };

/**
 * Asks a form as a sequence of pickers: one step per field, with Back and Skip, and a last step that reviews the
 * response before it is sent. Aborting the signal closes the picker and resolves to suspended.
 */
export async function runPickers(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<PickerOutcome> {
	const steps = stepsOf(draft, texts);
	while (!signal.aborted) {
		const step = steps[draft.step];
		const result = step
			? await askStep(toStep(draft, texts, step.field, step.index, draft.step, steps.length), signal)
			: await review(draft, texts, signal);
		if (step && 'typed' in result && result.typed) {
			draft.inputs = draft.inputs.with(step.index, result.typed);
		}
		switch (result.kind) {
			case 'back':
				draft.step = Math.max(0, draft.step - 1);
				break;
			case 'input':
				draft.inputs = step ? draft.inputs.with(step.index, result.input) : draft.inputs;
				draft.step++;
				break;
			case 'edit':
				draft.step = Math.max(
					0,
					steps.findIndex(({ index }) => index === result.field),
				);
				break;
			case 'escape':
				switch (draft.touched ? await confirmDiscard(texts, signal) : 'discard') {
					case 'discard':
						return { action: 'cancel' };
					case 'suspended':
						return { action: 'suspended' };
				}
				break;
			case 'outcome':
				return result.outcome;
			default:
				return { action: result.kind };
		}
	}
	return { action: 'suspended' };
}

/** Fields to ask for. None if the request cannot be accepted; the review shows why. */
function stepsOf({ form }: Draft, { blocked }: PickerTexts): readonly { field: Field; index: number }[] {
	return blocked === undefined
		? form.fields.flatMap((field, index) => (field.kind === 'const' ? [] : [{ field, index }]))
		: [];
}

function toStep(draft: Draft, texts: PickerTexts, field: Field, index: number, position: number, total: number): Step {
	return {
		// Limit the name's length so that the step count stays visible.
		title: native(
			`${texts.server} · ${shorten(visible(field.label), 60) || localize('(no name)')} (${position + 1}/${total + 1})`,
			160,
		),
		message: native(texts.message),
		hint: native(fieldSummary(field), 500),
		field,
		input: draft.inputs[index] ?? { kind: 'const' },
		canGoBack: position > 0,
		check: async (input) => {
			const { problems } = await draft.review(draft.inputs.with(index, input));
			const problem = problems.find((candidate) => candidate.field === index);
			return problem && nativeText(problem.message);
		},
	};
}

type ReviewResult =
	| Exclude<StepResult, { readonly kind: 'input' }>
	| { readonly kind: 'outcome'; readonly outcome: FormOutcome }
	| { readonly kind: 'edit'; readonly field: number };

interface ReviewItem extends vscode.QuickPickItem {
	readonly result?: ReviewResult;
}

/** The last step: the response field by field, as exact JSON, and the three actions. */
async function review(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<ReviewResult> {
	const current = await draft.review();
	if (signal.aborted) {
		return { kind: 'suspended' };
	}
	const picker = vscode.window.createQuickPick<ReviewItem>();
	picker.title = native(localize('{0} · Review', texts.server), 120);
	picker.placeholder = localize('This is what will be sent. Accept it, or choose a line to change it.');
	picker.ignoreFocusOut = true;
	picker.matchOnDescription = true;
	picker.buttons = stepsOf(draft, texts).length > 0 ? [vscode.QuickInputButtons.Back] : [];
	const message = messageItems(native(texts.message));
	picker.items = [...message, ...reviewItems(draft, texts, current)];
	// Enter does nothing until the user picks an action.
	picker.activeItems = message.slice(-1);
	return choose<ReviewItem, ReviewResult>(picker, ({ result }) => result, signal);
}

/** Shows a list until the user picks an entry with a value or dismisses it. */
function choose<T extends vscode.QuickPickItem, R>(
	picker: vscode.QuickPick<T>,
	read: (item: T) => R | undefined,
	signal: AbortSignal,
): Promise<R | { readonly kind: 'back' | 'escape' | 'suspended' }> {
	return new Promise((resolve) => {
		const done = (result: R | { readonly kind: 'back' | 'escape' | 'suspended' }) => {
			resolve(result);
			signal.removeEventListener('abort', abort);
			buttons.dispose();
			presence.dispose();
		};
		const abort = () => done({ kind: 'suspended' });
		signal.addEventListener('abort', abort);
		const buttons = picker.onDidTriggerButton(() => done({ kind: 'back' }));
		const presence = showPicker(picker, {
			accepted: () => {
				const [item] = picker.selectedItems;
				const result = item && read(item);
				if (result !== undefined) {
					done(result);
				}
			},
			hidden: (escaped) => done({ kind: escaped ? 'escape' : 'suspended' }),
		});
	});
}

function reviewItems(draft: Draft, texts: PickerTexts, current: Review): ReviewItem[] {
	const items: ReviewItem[] = [{ label: '', kind: vscode.QuickPickItemKind.Separator }];
	const acceptable = current.problems.length === 0 && texts.blocked === undefined;
	for (const warning of texts.warnings) {
		items.push({ label: '$(warning)', description: native(warning) });
	}
	if (acceptable) {
		items.push({
			label: `$(check) ${localize('Accept')}`,
			description: native(JSON.stringify(current.content)),
			...(current.unchecked && { detail: nativeText(current.unchecked) }),
			result: { kind: 'outcome', outcome: { action: 'accept', content: current.content } },
		});
	} else if (texts.blocked !== undefined) {
		items.push({ label: '$(error)', description: native(texts.blocked) });
	}
	for (const { field, index } of stepsOf(draft, texts)) {
		items.push(fieldItem(field, draft.inputs[index], index, current.problems));
	}
	for (const { message } of current.problems.filter((problem) => problem.field === undefined)) {
		items.push({ label: '$(error)', description: nativeText(message) });
	}
	items.push(
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: `$(circle-slash) ${localize('Decline')}`, result: { kind: 'outcome', outcome: { action: 'decline' } } },
		{ label: `$(close) ${localize('Cancel')}`, result: { kind: 'outcome', outcome: { action: 'cancel' } } },
		{ label: `$(window) ${localize('Open as Form')}`, result: { kind: 'form' } },
	);
	return items;
}

function fieldItem(field: Field, input: Input | undefined, index: number, problems: readonly Problem[]): ReviewItem {
	const problem = problems.find((candidate) => candidate.field === index);
	return {
		label: `$(${problem ? 'error' : 'edit'}) ${native(field.label || localize('(no name)'), 80)}`,
		description: native(inputSummary(field, input), 200),
		...(problem && { detail: nativeText(problem.message) }),
		result: { kind: 'edit', field: index },
	};
}

/** Escape after the user has entered something needs confirmation (F14). */
async function confirmDiscard({ server }: PickerTexts, signal: AbortSignal): Promise<'discard' | 'keep' | 'suspended'> {
	const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly choice: 'discard' | 'keep' }>();
	picker.title = native(server, 120);
	picker.ignoreFocusOut = true;
	picker.items = [
		{ label: `$(edit) ${localize('Keep editing')}`, choice: 'keep' },
		{ label: `$(trash) ${localize('Discard what you entered, and cancel')}`, choice: 'discard' },
	];
	const result = await choose(picker, ({ choice }) => choice, signal);
	return typeof result === 'string' ? result : result.kind === 'suspended' ? 'suspended' : 'keep';
}
