import * as vscode from 'vscode';
import type { Input, Problem } from '../../elicitation/answer.ts';
import { native } from '../../elicitation/display.ts';
import type { Field } from '../../elicitation/fields.ts';
import type { Review } from '../../elicitation/form.ts';
import { line, lineOf, t } from '../words.ts';
import { fieldSummary, inputSummary } from './fieldText.ts';
import type { Draft, FormOutcome } from './formPanel.ts';
import { ask, BACK, messageItems, type Step, TO_FORM } from './pickerStep.ts';

/** What the sequence says about the request; all server text. */
export interface PickerTexts {
	readonly server: string;
	readonly message: string;
	/** Warnings that stand beside Accept; translated. */
	readonly warnings: readonly string[];
	/** Why it cannot be accepted at all. */
	readonly blocked?: string;
}

/** The outcome of a sequence; `form`: the person wants to go on in the panel, with the same draft. */
export type PickerOutcome = FormOutcome | { readonly action: 'form' };

/**
 * Asks a form as a sequence of pickers: one step per field, Back, Skip, and a last step that shows the whole answer before it
 * is sent. Aborting the signal takes the picker away and resolves to cancel.
 */
export async function runPickers(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<PickerOutcome> {
	const steps = draft.form.fields.flatMap((field, index) => (field.kind === 'const' ? [] : [{ field, index }]));
	const before = draft.inputs;
	let position = 0;
	while (!signal.aborted) {
		const step = steps[position];
		const result = step
			? await ask(toStep(draft, texts, step.field, step.index, position, steps.length), signal)
			: await review(draft, texts, signal);
		if (result === BACK) {
			position = Math.max(0, position - 1);
		} else if (result === TO_FORM) {
			return { action: 'form' };
		} else if (result === undefined) {
			if (signal.aborted || draft.inputs === before || (await confirmDiscard())) {
				return { action: 'cancel' };
			}
		} else if ('edit' in result) {
			position = Math.max(
				0,
				steps.findIndex(({ index }) => index === result.edit),
			);
		} else if ('action' in result) {
			return result;
		} else if (step) {
			draft.inputs = draft.inputs.with(step.index, result.input);
			position++;
		}
	}
	return { action: 'cancel' };
}

function toStep(draft: Draft, texts: PickerTexts, field: Field, index: number, position: number, total: number): Step {
	return {
		title: native(`${texts.server} · ${field.label || t('(no name)')} (${position + 1}/${total + 1})`, 120),
		message: native(texts.message),
		hint: native(fieldSummary(field), 500),
		field,
		input: draft.inputs[index] ?? { kind: 'const' },
		canGoBack: position > 0,
		check: async (input) => {
			const { problems } = await draft.form.review(draft.inputs.with(index, input));
			const problem = problems.find((candidate) => candidate.field === index);
			return problem && lineOf(problem.message);
		},
	};
}

type ReviewResult = typeof BACK | typeof TO_FORM | FormOutcome | { readonly edit: number } | undefined;

interface ReviewItem extends vscode.QuickPickItem {
	readonly result?: Exclude<ReviewResult, undefined>;
}

/** The last step: the answer field by field, the exact JSON, and the three ways to end. */
async function review(draft: Draft, texts: PickerTexts, signal: AbortSignal): Promise<ReviewResult> {
	const current = await draft.form.review(draft.inputs);
	const picker = vscode.window.createQuickPick<ReviewItem>();
	picker.title = native(t('{0} · Review', texts.server), 120);
	picker.placeholder = t('This is what will be sent. Accept it, or choose a line to change it.');
	picker.ignoreFocusOut = true;
	picker.matchOnDescription = true;
	picker.buttons = draft.form.fields.some(({ kind }) => kind !== 'const') ? [vscode.QuickInputButtons.Back] : [];
	const items = reviewItems(draft, texts, current);
	picker.items = items;
	picker.activeItems = items.filter(({ result }) => result !== undefined).slice(0, 1);
	return new Promise((resolve) => {
		const done = (result: ReviewResult) => {
			resolve(result);
			signal.removeEventListener('abort', abort);
			picker.dispose();
		};
		const abort = () => done(undefined);
		signal.addEventListener('abort', abort);
		picker.onDidTriggerButton(() => done(BACK));
		picker.onDidAccept(() => {
			const result = picker.selectedItems[0]?.result;
			if (result !== undefined) {
				done(result);
			}
		});
		picker.onDidHide(() => done(undefined));
		picker.show();
	});
}

function reviewItems(draft: Draft, texts: PickerTexts, current: Review): ReviewItem[] {
	const items: ReviewItem[] = [
		...messageItems(native(texts.message)),
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
	];
	const acceptable = current.problems.length === 0 && texts.blocked === undefined;
	for (const warning of texts.warnings) {
		items.push({ label: '$(warning)', description: native(warning) });
	}
	if (acceptable) {
		items.push({
			label: `$(check) ${t('Accept')}`,
			description: native(JSON.stringify(current.content)),
			...(current.unchecked && { detail: lineOf(current.unchecked) }),
			result: { action: 'accept', content: current.content },
		});
	} else if (texts.blocked !== undefined) {
		items.push({ label: '$(error)', description: native(texts.blocked) });
	}
	draft.form.fields.forEach((field, index) => {
		if (field.kind !== 'const') {
			items.push(fieldItem(field, draft.inputs[index], index, current.problems));
		}
	});
	for (const { message } of current.problems.filter((problem) => problem.field === undefined)) {
		items.push({ label: '$(error)', description: lineOf(message) });
	}
	items.push(
		{ label: '', kind: vscode.QuickPickItemKind.Separator },
		{ label: `$(circle-slash) ${t('Decline')}`, result: { action: 'decline' } },
		{ label: `$(close) ${t('Cancel')}`, result: { action: 'cancel' } },
		{ label: `$(window) ${t('Open as Form')}`, result: TO_FORM },
	);
	return items;
}

function fieldItem(field: Field, input: Input | undefined, index: number, problems: readonly Problem[]): ReviewItem {
	const problem = problems.find((candidate) => candidate.field === index);
	return {
		label: `$(${problem ? 'error' : 'edit'}) ${native(field.label || t('(no name)'), 80)}`,
		description: native(inputSummary(field, input), 200),
		...(problem && { detail: lineOf(problem.message) }),
		result: { edit: index },
	};
}

/** Escape after something was entered is asked back once (F14). */
async function confirmDiscard(): Promise<boolean> {
	const discard: vscode.QuickPickItem = { label: line('Discard what you entered and cancel') };
	const keep: vscode.QuickPickItem = { label: line('Keep editing') };
	return (await vscode.window.showQuickPick([keep, discard], { ignoreFocusOut: true })) === discard;
}
