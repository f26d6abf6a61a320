import { legibleJson } from '../../elicitation/display.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import { type Input, isActive, isBlank, textOf } from '../../elicitation/form/inputs.ts';
import { canBecomeNumber } from '../../elicitation/form/literals.ts';
import { own } from '../../elicitation/json.ts';
import { parseJson } from '../../elicitation/jsonText.ts';
import type { FormModel, ShownProblem } from '../../protocol.ts';
import type { Next as NextOf } from '../common/store.ts';
import { beginJson, endJson, firstJson, followForm, type JsonState, showJsonState } from './jsonState.ts';
import {
	type Answer,
	type Chosen,
	type FocusTarget,
	type FormAction,
	type FormEffect,
	type FormState,
	fitting,
	isJsonActive,
	type JsonReview,
	type Review,
	type SavedForm,
	type Withdrawal,
} from './state.ts';

type Next = NextOf<FormState, FormEffect>;

const focus = (target: FocusTarget): FormEffect => ({ type: 'focus', target });

/** The form as it begins, or goes on from a draft. */
export function firstState(model: FormModel, draft?: SavedForm): Next {
	const edited = draft?.edited ?? false;
	const inputs = draft?.inputs ?? model.inputs;
	const shownJson = model.json ?? firstTemplate(model);
	const json = draft ? draft.json : shownJson;
	const state: FormState = {
		model,
		inputs: model.fields.map((field, at) => fitting(field, inputs[at])),
		generations: model.fields.map(() => 0),
		changed: new Set(),
		touched: new Set(),
		troubles: new Map(),
		typing: new Set(),
		errors: [],
		formErrors: [],
		showsAllErrors: false,
		refusals: 0,
		suggestions: undefined,
		json: json ? { ...firstJson, ...json, isDue: false } : firstJson,
		rest: model.rest,
		revision: draft?.revision ?? 0,
		sent: undefined,
		isChangeDue: false,
		isEdited: edited || model.edited === true,
		isEngaged: edited,
		isSubmitting: false,
		problems: [],
		jsonReview: undefined,
		unchecked: '',
		notes: model.notes ?? [],
		spelled: [],
		isBeginningJson: false,
		leaving: undefined,
		isConfirming: false,
		isOver: false,
		withdrawal: undefined,
		announcement: json && 'json',
	};
	// The host reviews what it shows by itself. Of a draft it may not have the last keys.
	const isShown = JSON.stringify(json?.text ?? inputs) === JSON.stringify(shownJson?.text ?? model.inputs);
	return isShown ? [{ ...state, sent: answerOf(state) }, focus('first')] : [...send(state), focus('first')];
}

/** A whole response has no form to go back to. */
function firstTemplate({ templates }: FormModel): FormModel['json'] {
	const [first] = templates ?? [];
	return first && { text: first.text, original: '' };
}

export function reduce(state: FormState, action: FormAction): Next {
	if (action.type === 'withdrawn') {
		return withdraw(state, action);
	}
	if (state.isOver) {
		// Whoever still wants to send is shown why nothing is sent any more.
		return action.type === 'submit' && state.withdrawal ? [state, focus('status')] : [state];
	}
	switch (action.type) {
		case 'engaged':
			return [state.isEngaged ? state : { ...state, isEngaged: true }];
		case 'input':
			return enter(state, action);
		case 'choose': {
			// The host has to know what is chosen so far.
			const [next, ...effects] = sendDue(state);
			return [next, ...effects, { type: 'send', message: { type: 'choose', field: action.field } }];
		}
		case 'chosen':
			return choose({ ...state, isEngaged: true }, action);
		case 'visited':
			return [visit(state, action.field)];
		case 'typingPaused':
			return sendDue(state);
		case 'jsonInput':
			return enterJson(state, action.text);
		case 'template':
			return [...enterJson(state, action.text), focus('json')];
		case 'editJson':
			return state.isSubmitting ? [state] : editJson(state);
		case 'jsonVisited':
			return [{ ...state, json: showJsonState({ ...state.json, isTyping: false }) }];
		case 'suggestions':
			return [{ ...state, suggestions: action }];
		case 'draft':
			return [state, { type: 'send', message: { type: 'draft' } }];
		case 'drafted':
			return fill(state, action.inputs);
		case 'review':
			return takeReview(state, action);
		case 'jsonReview':
			return takeJsonReview(state, action);
		case 'escape':
			return pressEscape(state);
		case 'nextProblem':
			return [state, focus('nextProblem')];
		case 'keepEditing':
			return [{ ...state, isConfirming: false }, focus('before')];
		default:
			return state.isSubmitting ? [state] : press(state, action.type);
	}
}

/** What a button does. None does anything while an answer is on its way. */
function press(
	state: FormState,
	button: 'submit' | 'decline' | 'cancel' | 'later' | 'never' | 'toPickers' | 'toForm' | 'discardJson',
): Next {
	switch (button) {
		case 'decline':
		case 'cancel':
			return [
				{ ...state, isOver: true, isChangeDue: false },
				{ type: 'send', message: { type: button } },
			];
		case 'later':
		case 'never': {
			const [next, ...effects] = sendDue(state);
			return [next, ...effects, { type: 'send', message: { type: button } }];
		}
		case 'submit':
			return state.model.blocked === undefined
				? settled({ ...state, isConfirming: false, isBeginningJson: false }, (next) => send(next, true))
				: [state, focus('blocked')];
		case 'toPickers':
			return isJsonActive(state)
				? [state]
				: settled(state, (next) => [
						{ ...next, isChangeDue: false },
						{ type: 'save' },
						{ type: 'send', message: { type: 'pickers', inputs: next.inputs } },
					]);
		case 'toForm':
			return toForm(state, 'keep');
		case 'discardJson':
			return toForm({ ...state, json: discarded(state.json) }, 'discard');
	}
}

function enter(state: FormState, { field, input, trouble, isMeant }: Extract<FormAction, { type: 'input' }>): Next {
	if (isJsonActive(state)) {
		return [state];
	}
	const troubles = new Map(state.troubles);
	trouble === undefined ? troubles.delete(field) : troubles.set(field, trouble);
	const next = { ...state, troubles };
	const changed = new Set(state.changed).add(field);
	const before = state.inputs[field];
	// A control that reports its empty text once more does not turn what is left out into a value.
	if (JSON.stringify(input) === JSON.stringify(before) || (!isMeant && isBlank(input) && isBlank(before))) {
		return trouble === state.troubles.get(field) ? [state] : [refreshed({ ...next, changed }, field)];
	}
	const isJson = state.model.fields[field]?.kind === 'json';
	const [due, ...effects] = sendLater({
		...next,
		changed,
		touched: isHopeless(state.model.fields[field], input) ? new Set(state.touched).add(field) : state.touched,
		inputs: state.inputs.with(field, input),
		typing: isJson ? new Set(state.typing).add(field) : state.typing,
		json: { ...state.json, isDue: true },
	});
	return [due, ...effects, ...(isJson ? [{ type: 'awaitVisited', field } as const] : [])];
}

/** Whether typing on corrects nothing: no number has a letter. */
function isHopeless(field: Field | undefined, input: Input): boolean {
	const isNumeric = field?.kind === 'number' || (field?.kind === 'list' && field.item !== 'text');
	const texts = input.kind === 'list' ? (input.items ?? []) : [textOf(input)];
	return isNumeric && !texts.every(canBecomeNumber);
}

/** The focus was in the editor's list, and the page has lost it. */
function choose(state: FormState, { field, input }: Chosen): Next {
	const [next, ...effects]: Next = input ? enter(state, { type: 'input', field, input, trouble: undefined }) : [state];
	return [next, ...effects, { type: 'refocus', field }];
}

function visit(state: FormState, field: number): FormState {
	const typing = new Set(state.typing);
	typing.delete(field);
	const touched = state.changed.has(field) ? new Set(state.touched).add(field) : state.touched;
	return refreshed({ ...state, typing, touched }, field);
}

/** Shows the problems anew, unless the newest text is still on its way: then its review shows them. */
function refreshed(state: FormState, field: number): FormState {
	return state.touched.has(field) && state.inputs === state.sent ? showErrors(state) : state;
}

/** Makes the JSON the answer, once it follows from what was entered. */
function editJson(state: FormState): Next {
	if (isJsonActive(state)) {
		return [state];
	}
	if (state.json.isDue) {
		return sendDue({ ...state, isBeginningJson: true });
	}
	const json = beginJson(state.json, state.showsAllErrors ? state.problems : []);
	return [
		{ ...state, json, isBeginningJson: false, jsonReview: undefined, formErrors: [], announcement: 'json' },
		{ type: 'save' },
		focus('json'),
	];
}

function enterJson(state: FormState, text: string): Next {
	const json = { ...state.json, text, isTyping: true };
	const [due, ...effects] = sendLater({ ...state, json, leaving: undefined });
	return [due, ...effects, { type: 'awaitVisited', field: 'json' }];
}

/** The first edit is sent at once: if the tab is closed right after it, there is something to keep. */
function sendLater(state: FormState): Next {
	const edited: FormState = { ...state, isEdited: true };
	return state.isEdited ? [{ ...edited, isChangeDue: true }, { type: 'save' }, { type: 'awaitPause' }] : send(edited);
}

function sendDue(state: FormState): Next {
	return state.isChangeDue ? send(state) : [state];
}

/** Sends the answer. While a submit waits for its review, changes wait too, or the review would be taken for an old one. */
function send(state: FormState, isSubmit = false): Next {
	if (state.isSubmitting) {
		return [{ ...state, isChangeDue: false }];
	}
	const revision = state.revision + 1;
	const isJson = isJsonActive(state);
	const next: FormState = {
		...state,
		revision,
		sent: answerOf(state),
		isChangeDue: false,
		json: isJson ? state.json : { ...state.json, isDue: true },
		...(isSubmit && { isSubmitting: true, leaving: undefined, announcement: undefined }),
	};
	const message = isJson
		? ({ type: isSubmit ? 'submitJson' : 'json', revision, text: state.json.text } as const)
		: ({ type: isSubmit ? 'submit' : 'change', revision, inputs: state.inputs } as const);
	return [next, { type: 'save' }, { type: 'send', message }];
}

function answerOf(state: FormState): Answer {
	return isJsonActive(state) ? state.json.text : state.inputs;
}

/** Ends all typing in the fields, and goes on unless a field holds what is no input and would be lost. */
function settled(state: FormState, goOn: (state: FormState) => Next): Next {
	if (isJsonActive(state)) {
		return goOn(state);
	}
	const next = { ...state, typing: new Set<number>() };
	const troubled = [...state.troubles.keys()].filter((at) => isActive(state.model.fields[at] as Field, state.inputs));
	return troubled.length === 0
		? goOn(next)
		: refused(showErrors({ ...next, showsAllErrors: true }), troubled.length, false, Math.min(...troubled));
}

/** Takes the host's review of the newest inputs. Reviews of older ones are dropped. */
function takeReview(state: FormState, review: Review): Next {
	if (review.revision !== state.revision || isJsonActive(state)) {
		return [state];
	}
	const isChanged = state.inputs !== state.sent;
	const json = isChanged ? state.json : followForm(state.json, review.json);
	const { problems, notes = [], sent = [] } = review;
	const next = showErrors(
		reviewed({ ...state, json, problems, ...shownBy(state, notes), spelled: at(state, sent) }, review),
	);
	const fields = review.problems.flatMap(({ field }) => (isField(state, field) ? [field] : []));
	if (review.refused) {
		return refused(next, review.problems.length, isChanged, fields.length > 0 ? Math.min(...fields) : 'problems');
	}
	return next.isBeginningJson ? editJson(next) : [next];
}

/** What a review says of each field, the last of several texts. */
function at({ model }: FormState, texts: readonly ShownProblem[]): (string | undefined)[] {
	return model.fields.map((_, index) => texts.findLast(({ field }) => field === index)?.text);
}

/** The notes on each field. Those that have not changed stay the same, so that nothing is drawn again. */
function shownBy({ model, notes: before }: FormState, found: readonly ShownProblem[]): Pick<FormState, 'notes'> {
	const notes = model.fields.map((_, index) => [
		...(model.notes?.[index] ?? []),
		...found.filter(({ field }) => field === index).map(({ text }) => text),
	]);
	return { notes: JSON.stringify(notes) === JSON.stringify(before) ? before : notes };
}

/** The same for the answer as JSON. */
function takeJsonReview(state: FormState, review: JsonReview): Next {
	if (review.revision !== state.revision || !isJsonActive(state)) {
		return [state];
	}
	const json = showJsonState({
		...state.json,
		problems: review.problems,
		isShowable: fits(state, review),
		isTyping: state.json.isTyping && !review.refused,
	});
	const next = reviewed({ ...state, json, jsonReview: review }, review);
	if (review.refused) {
		return refused(next, review.problems.length, state.json.text !== state.sent, 'json');
	}
	return next.leaving === undefined ? [next] : leave(next, next.leaving, review);
}

function reviewed(state: FormState, { refused: isRefused, unchecked = '' }: Review | JsonReview): FormState {
	return isRefused ? { ...state, unchecked, isSubmitting: false, showsAllErrors: true } : { ...state, unchecked };
}

/** Nothing was sent: the number of problems is read out, and the focus says what the first one is. */
function refused(before: FormState, announcement: number, isChanged: boolean, target: FocusTarget): Next {
	const state = { ...before, refusals: before.refusals + 1, announcement };
	const [next, ...effects] = isChanged ? send(state) : ([state] as const);
	return [next, focus(target), ...effects];
}

function isField({ model }: FormState, index: number | undefined): index is number {
	return index !== undefined && model.fields[index] !== undefined;
}

/** Shows what is wrong with the fields that the user has done with, or with all. */
function showErrors(state: FormState): FormState {
	const { model, problems, troubles, touched, typing, showsAllErrors } = state;
	const texts = new Map(troubles);
	for (const { field, text } of problems) {
		if (isField(state, field) && !texts.has(field)) {
			texts.set(field, text);
		}
	}
	const errors = model.fields.map((_field, at) => {
		const text = showsAllErrors || touched.has(at) ? texts.get(at) : undefined;
		return text !== undefined && typing.has(at) ? state.errors[at] : text;
	});
	const whole = problems.filter(({ field }) => !isField(state, field));
	const field = errors.findIndex((error, at) => error !== undefined && error !== state.errors[at]);
	return {
		...state,
		errors,
		formErrors: showsAllErrors ? whole.map(({ text }) => text) : [],
		...(field >= 0 && { announcement: { field } }),
	};
}

function discarded(json: JsonState): JsonState {
	return { ...json, text: legibleJson(json.original ?? json.followed), isTyping: false };
}

/**
 * Goes back to the form, with what was entered or with what the form had before. The host keeps what no field shows,
 * so it reads the very text that is gone back to before the form takes over.
 */
function toForm(state: FormState, how: 'keep' | 'discard'): Next {
	const review = state.jsonReview;
	return review?.revision === state.revision && state.json.text === state.sent
		? leave(state, how, review)
		: send({ ...state, leaving: how });
}

function leave(state: FormState, how: 'keep' | 'discard', review: JsonReview): Next {
	if (!fits(state, review)) {
		return [{ ...state, leaving: undefined }, focus('json')];
	}
	const kept = how === 'keep' ? withInputs(state, readFrom(state, review.inputs)) : state;
	const next = { ...kept, leaving: undefined, json: endJson(state.json), announcement: undefined, rest: review.rest };
	return [...send(next), focus('first')];
}

/** What JSON makes of the inputs. Where it has the same value as before, the field may hold what is no value yet. */
function readFrom({ model, inputs, json }: FormState, read: readonly Input[]): readonly Input[] {
	const [before, after] = [parseJson(json.original ?? '{}'), parseJson(json.text)];
	const isSame = (key: string) => JSON.stringify(own(before, key)) === JSON.stringify(own(after, key));
	return model.fields.map((field, at) => fitting(field, (isSame(field.key) ? inputs : read)[at]));
}

/** The form with other inputs. A field whose input differs starts anew, and counts as one that the user has done with. */
function withInputs(state: FormState, inputs: readonly Input[]): FormState {
	const { fields } = state.model;
	const next = fields.map((field, at) => fitting(field, inputs[at]));
	const isDiffering = (at: number) => JSON.stringify(next[at]) !== JSON.stringify(state.inputs[at]);
	const differing = new Set([...fields.keys()].filter(isDiffering));
	return {
		...state,
		inputs: next,
		generations: state.generations.map((generation, at) => (differing.has(at) ? generation + 1 : generation)),
		touched: new Set([...state.touched, ...differing]),
		troubles: new Map([...state.troubles].filter(([at]) => !differing.has(at))),
		typing: new Set(),
		errors: [],
	};
}

/** The form with a draft. While JSON is edited, it is left alone: the host sends the draft again to the form. */
function fill(state: FormState, inputs: readonly Input[]): Next {
	return isJsonActive(state) || inputs.length !== state.model.fields.length
		? [state]
		: send({ ...withInputs(state, inputs), isEdited: true });
}

function fits({ model }: FormState, review: JsonReview): review is JsonReview & { inputs: readonly Input[] } {
	return review.inputs?.length === model.fields.length;
}

function pressEscape(state: FormState): Next {
	if (state.isConfirming) {
		return [{ ...state, isConfirming: false }, focus('before')];
	}
	if (state.isEdited) {
		return [{ ...state, isConfirming: true }, focus('keepEditing')];
	}
	return state.isSubmitting ? [state] : press(state, 'cancel');
}

function withdraw(state: FormState, withdrawal: Withdrawal): Next {
	return [
		{ ...state, isOver: true, isChangeDue: false, withdrawal, isConfirming: false, formErrors: [] },
		focus('status'),
	];
}
