import type { Field } from '../../elicitation/form/fields.ts';
import { blank, type Input, isActive, isBlank } from '../../elicitation/form/inputs.ts';
import type { FormModel, FromForm, ShownProblem, ToForm } from '../../protocol.ts';
import type { JsonState } from './jsonState.ts';

export type Review = Extract<ToForm, { type: 'review' }>;
export type JsonReview = Extract<ToForm, { type: 'jsonReview' }>;
export type Suggestions = Extract<ToForm, { type: 'suggestions' }>;
export type Drafted = Extract<ToForm, { type: 'drafted' }>;
export type Chosen = Extract<ToForm, { type: 'chosen' }>;
export type Withdrawal = Extract<ToForm, { type: 'withdrawn' }>;

/** What is kept of a form while its page is hidden. */
export interface SavedForm {
	readonly inputs: readonly Input[];
	readonly revision: number;
	readonly edited: boolean;
	/** Set while the user answers as JSON: the text, and the one that the form had made. */
	readonly json?: { readonly text: string; readonly original: string };
}

/** The form of one elicitation, or of a call's arguments. The fields are the answer or, once it was edited, the JSON. */
export interface FormState {
	readonly model: FormModel;
	readonly inputs: readonly Input[];
	/** Of each field: goes up when its control has to start anew, with another input. */
	readonly generations: readonly number[];
	/** Fields that the user has changed. */
	readonly changed: ReadonlySet<number>;
	/** Fields that the user has changed and left, or in which typing on corrects nothing: their errors are shown from then on. */
	readonly touched: ReadonlySet<number>;
	/** What is wrong with fields in a way that their inputs cannot express. */
	readonly troubles: ReadonlyMap<number, string>;
	/** Fields for JSON that the user is typing in: JSON is wrong most of that time. */
	readonly typing: ReadonlySet<number>;
	/** The errors shown: under each field, and under the form as a whole. */
	readonly errors: readonly (string | undefined)[];
	readonly formErrors: readonly string[];
	readonly showsAllErrors: boolean;
	/** How often nothing was sent although the user wanted to. */
	readonly refusals: number;
	/** What the server suggests for the field that was typed in last. */
	readonly suggestions: Suggestions | undefined;
	readonly json: JsonState;
	/** Properties that no field shows; they are sent all the same. */
	readonly rest: readonly string[];
	/** Of the newest message about the answer. */
	readonly revision: number;
	/** The answer in that message. */
	readonly sent: Answer | undefined;
	/** A change waits for a pause in typing. */
	readonly isChangeDue: boolean;
	readonly isEdited: boolean;
	/** The user has changed or moved something: what they press is meant for this form. */
	readonly isEngaged: boolean;
	/** A submit waits for its review. */
	readonly isSubmitting: boolean;
	readonly problems: readonly ShownProblem[];
	readonly jsonReview: JsonReview | undefined;
	readonly unchecked: string;
	/** Of each field: what cannot be checked here. */
	readonly notes: readonly (readonly string[])[];
	/** Of each field: the text that is sent for a moment, if it is written otherwise than it was entered. */
	readonly spelled: readonly (string | undefined)[];
	/** Editing the JSON waits until it follows from the inputs. */
	readonly isBeginningJson: boolean;
	/** Set while going back to the form waits until the host has read the text. */
	readonly leaving: 'keep' | 'discard' | undefined;
	/** Escape has asked whether to discard what was entered. */
	readonly isConfirming: boolean;
	/** Declined, cancelled or withdrawn: nothing is sent any more. */
	readonly isOver: boolean;
	readonly withdrawal: Withdrawal | undefined;
	/** What is read out: how many problems there are, what is wrong with a field, or that JSON is the answer. */
	readonly announcement: number | { readonly field: number } | 'json' | undefined;
}

export type Answer = string | readonly Input[];

export type FormAction =
	| {
			readonly type: 'input';
			readonly field: number;
			readonly input: Input;
			readonly trouble: string | undefined;
			/** The user has chosen between no answer and an empty one. */
			readonly isMeant?: true;
	  }
	/** The options of the field are asked for. */
	| { readonly type: 'choose'; readonly field: number }
	/** The user has left the field or, in JSON, paused. */
	| { readonly type: 'visited'; readonly field: number }
	/** The user has changed the JSON, or begins anew with another text. */
	| { readonly type: 'jsonInput' | 'template'; readonly text: string }
	| {
			readonly type:
				| 'jsonVisited'
				| 'engaged'
				| 'typingPaused'
				| 'submit'
				| 'decline'
				| 'cancel'
				| 'escape'
				| 'nextProblem'
				| 'draft'
				| 'later'
				| 'never';
	  }
	| { readonly type: 'keepEditing' | 'toPickers' | 'editJson' | 'toForm' | 'discardJson' }
	| Review
	| JsonReview
	| Suggestions
	| Drafted
	| Chosen
	| Withdrawal;

export type FocusTarget =
	| 'first'
	| 'json'
	| 'problems'
	| 'blocked'
	| 'status'
	| 'keepEditing'
	| 'before'
	| 'nextProblem'
	| number;

export type FormEffect =
	| { readonly type: 'send'; readonly message: FromForm }
	| { readonly type: 'save' }
	/** Dispatches `typingPaused` once the user has paused for long enough to send what was typed. */
	| { readonly type: 'awaitPause' }
	/** Dispatches `visited` or `jsonVisited` after a longer pause. */
	| { readonly type: 'awaitVisited'; readonly field: number | 'json' }
	| { readonly type: 'focus'; readonly target: FocusTarget }
	/** Gives the focus back to a field, unless the user has moved it elsewhere in the page. */
	| { readonly type: 'refocus'; readonly field: number };

export function isJsonActive({ json }: FormState): boolean {
	return json.original !== undefined;
}

export function savedFormOf({ inputs, revision, isEdited, json: { text, original } }: FormState): SavedForm {
	return { inputs, revision, edited: isEdited, ...(original !== undefined && { json: { text, original } }) };
}

/** Properties of the JSON that are sent although no field shows them: an answer in the form goes before them. */
export function unshownKeys({ model, inputs, rest }: FormState): readonly string[] {
	const answered = new Set(
		model.fields.filter((field, at) => !isBlank(inputs[at]) && isActive(field, inputs)).map(({ key }) => key),
	);
	return rest.filter((key) => !answered.has(key));
}

/** An input of another kind counts as no answer. */
export function fitting(field: Field, input: Input | undefined): Input {
	const none = blank(field);
	return input?.kind === none.kind ? input : none;
}
