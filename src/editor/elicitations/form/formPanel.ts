import type * as vscode from 'vscode';
import { delay } from '../../../elicitation/abort.ts';
import { type NativeText, native, shorten } from '../../../elicitation/display.ts';
import { constraintOf, fieldLabel } from '../../../elicitation/form/constraint.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import type { Review } from '../../../elicitation/form/form.ts';
import { type Input, type Problem, textOf } from '../../../elicitation/form/inputs.ts';
import { type JsonObject, plainObject } from '../../../elicitation/json.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import { render } from '../../../elicitation/sentence.ts';
import { type FormModel, type FromForm, fromForm, type ShownProblem, type ToForm } from '../../../protocol.ts';
import type { CallSubject } from '../../calls/callSubject.ts';
import { localize, localizeSentence } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { Page } from '../../common/webviewPage.ts';
import type { Surface, UserFocus } from '../userFocus.ts';
import type { Draft, FormOutcome } from './draft.ts';
import type { ModelResponse } from './languageModel.ts';
import { chooseOptions } from './pickers.ts';

/**
 * How a panel ends: with a response, because the user switches to pickers, or because its tab was closed with what the user has entered, which
 * the draft has.
 */
export type PanelOutcome = FormOutcome | { readonly action: 'pickers' } | { readonly action: 'closed' };

export interface FormPanelOptions {
	readonly extensionUri: vscode.Uri;
	readonly title: NativeText;
	readonly draft: Draft;
	/** Everything in the form except the draft. */
	readonly model: Omit<FormModel, 'fields' | 'constraints' | 'inputs' | 'rest'>;
	/** Open beside the active editor, without taking the focus. */
	readonly background: boolean;
	readonly userFocus: UserFocus;
	readonly suggest?: CallSubject['suggest'];
	/** Has a language model draft the response. */
	readonly draftResponse?: ((signal: AbortSignal) => Promise<ModelResponse | undefined>) | undefined;
	/** Where a whole response is written: sends it later or, if there is none, never. False if the user has changed their mind. */
	readonly postpone?: (response?: JsonObject) => Promise<boolean>;
}

/** Pause in typing before the server is asked for suggestions, and the most that are shown of them. */
const SUGGEST_PAUSE = 150;
const MAX_SUGGESTIONS = 100;

/** The webview of one form. It has exactly one outcome; closing the tab cancels, unless something was entered (F14). */
export class FormPanel implements Surface {
	readonly outcome: Promise<PanelOutcome>;
	readonly #page: Page<ToForm, typeof fromForm>;
	#resolve!: (outcome: PanelOutcome) => void;
	#ended = false;
	/** What the user has accepted is being checked. */
	#isSubmitting = false;
	/** Revision of the latest message with an answer. Validations may finish out of order. */
	#revision = 0;
	#withdrawn: { readonly reason: string; readonly cancelled: boolean } | undefined;
	/** Aborts the running request for suggestions. */
	#suggesting = new AbortController();
	/** Closes the picker of options. */
	#choosing = new AbortController();
	/** Aborts the language model that drafts the response. */
	#drafting: AbortController | undefined;
	/** What it has drafted, until the page has it. */
	#modelDraft: ModelResponse | undefined;
	/** A hidden page misses that its form was replaced, and would restore what was entered into the form before. */
	#isReplaced = false;
	#draft: Draft;
	#model: FormPanelOptions['model'];

	constructor(private readonly options: FormPanelOptions) {
		this.#draft = options.draft;
		this.#model = options.model;
		this.outcome = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		const { extensionUri, title, background, userFocus } = options;
		this.#page = new Page(extensionUri, { name: 'form', title, background, messages: fromForm });
		this.#page.onDidMove(() => this.#closeIfOver());
		this.#page.own(userFocus.watch(this));
		this.#page.open({
			show: () => this.#show(),
			receive: (message) => this.#receive(message),
			closed: () => this.#end({ action: this.#draft.touched ? 'closed' : 'cancel' }),
		});
	}

	get inUse(): boolean {
		return !this.#ended && (this.#page.isActive || (this.#page.isVisible && this.#draft.touched));
	}

	get isSubmitting(): boolean {
		return this.#isSubmitting;
	}

	reveal(): void {
		this.#page.reveal();
	}

	/** Shows another form instead of this one. */
	replace(draft: Draft, model: FormPanelOptions['model']): void {
		if (!this.#ended) {
			this.#choosing.abort();
			this.#draft = draft;
			this.#model = model;
			this.#revision = 0;
			this.#isReplaced = true;
			this.#show();
		}
	}

	/**
	 * The elicitation was withdrawn. The form can no longer be sent, and shows why, until the user closes it or, where nothing was entered,
	 * turns to something else.
	 * @param cancelled whether the server received a cancel response
	 * @returns whether the user can see it
	 */
	withdraw(reason: string, cancelled: boolean): boolean {
		if (this.#ended) {
			return false;
		}
		this.#ended = true;
		this.#choosing.abort();
		this.#drafting?.abort();
		this.#withdrawn = { reason, cancelled };
		this.#page.post({ type: 'withdrawn', reason, cancelled });
		this.#closeIfOver();
		return !this.#page.isClosed;
	}

	#closeIfOver(): void {
		if (this.#withdrawn && !this.#page.isVisible && !this.#draft.touched) {
			this.dispose();
		}
	}

	dispose(): void {
		this.#end({ action: 'cancel' });
	}

	async #receive(message: FromForm): Promise<void> {
		if (this.#ended) {
			return;
		}
		this.#isReplaced = false;
		switch (message.type) {
			case 'change':
			case 'submit': {
				const before = this.#draft.inputs;
				if (this.#applyInputs(message.inputs)) {
					void this.#suggest(before, message.inputs);
					this.#revision = message.revision;
					this.#fillDraft();
					await this.#review(message.type === 'submit');
				}
				return;
			}
			case 'json':
			case 'submitJson':
				this.#revision = message.revision;
				this.#draft.json = message.text;
				await this.#reviewJson(
					message.type === 'submitJson' ? (content) => this.#end({ action: 'accept', content }) : undefined,
				);
				return;
			case 'later':
				await this.#reviewJson((content) => this.#postpone(content));
				return;
			case 'never':
				await this.#postpone();
				return;
			case 'pickers':
				if (this.#model.pickers && this.#applyInputs(message.inputs)) {
					this.#end({ action: 'pickers' });
				}
				return;
			case 'choose':
				await this.#choose(message.field);
				return;
			case 'draft':
				await this.#draftResponse();
				return;
			case 'decline':
			case 'cancel':
				this.#end({ action: message.type });
		}
	}

	/** Applies the inputs if they match this form. */
	#applyInputs(inputs: readonly Input[]): boolean {
		const draft = this.#draft;
		if (inputs.length !== draft.form.fields.length) {
			return false;
		}
		draft.json = undefined;
		draft.enter(inputs);
		return true;
	}

	/** Shows the server's suggestions for the field that has changed, after a pause in typing. Never rejects. */
	async #suggest(before: readonly Input[], inputs: readonly Input[]): Promise<void> {
		const { suggest } = this.options;
		if (!suggest) {
			return;
		}
		const { fields } = this.#draft.form;
		const changed = before.findLastIndex((input, at) => textOf(input) !== textOf(inputs[at]));
		const field = fields[changed];
		if (!field) {
			return;
		}
		this.#suggesting.abort();
		// No secret leaves before the user sends it.
		if (field.secret) {
			return;
		}
		this.#suggesting = new AbortController();
		const { signal } = this.#suggesting;
		await delay(SUGGEST_PAUSE, signal);
		const entered = fields.flatMap(({ key, secret }, at): [string, string][] => {
			const text = textOf(inputs[at]);
			return text === '' || secret ? [] : [[key, text]];
		});
		const context = plainObject(entered) as Record<string, string>;
		const values = signal.aborted ? [] : await suggest(field.key, context, signal);
		if (!signal.aborted) {
			this.#page.post({ type: 'suggestions', field: changed, values: values.slice(0, MAX_SUGGESTIONS) });
		}
	}

	/** Long choices are made in a picker of the editor. */
	async #choose(at: number): Promise<void> {
		const { form, inputs } = this.#draft;
		const [field, input] = [form.fields[at], inputs[at]];
		if (input && (field?.kind === 'choice' || field?.kind === 'choices')) {
			this.#choosing.abort();
			this.#choosing = new AbortController();
			const { signal } = this.#choosing;
			const title = native(`${shorten(this.#model.server, 40)} · ${fieldLabel(field, localize)}`, 100);
			const chosen = await chooseOptions(title, field, input, signal);
			if (!signal.aborted) {
				this.#page.post({ type: 'chosen', field: at, ...(chosen && { input: chosen }) });
			}
		}
	}

	async #postpone(response?: JsonObject): Promise<void> {
		if (await this.options.postpone?.(response)) {
			this.#end({ action: 'cancel' });
		}
	}

	async #draftResponse(): Promise<void> {
		if (this.#drafting) {
			return;
		}
		const drafting = new AbortController();
		this.#drafting = drafting;
		try {
			this.#modelDraft = await this.options.draftResponse?.(drafting.signal);
		} catch (error) {
			showError(error);
		} finally {
			this.#drafting = undefined;
		}
		this.#fillDraft();
	}

	/** Puts what a language model has drafted below what the user has written, once the page shows the form. */
	#fillDraft(): void {
		const { form, inputs } = this.#draft;
		const modelDraft = this.#modelDraft;
		if (modelDraft && !this.#ended && this.#text === undefined && this.#page.isVisible) {
			this.#modelDraft = undefined;
			this.#page.post({
				type: 'drafted',
				inputs: inputs.map((input, at) => withDraft(input, form.fields[at], modelDraft)),
			});
		}
	}

	/** Posts the form and, as soon as it is there, its review: the page sends nothing before the user acts. */
	#show(): void {
		const draft = this.#draft;
		this.#page.post({
			type: 'show',
			model: {
				...this.#model,
				fields: draft.form.fields,
				constraints: draft.form.fields.map((field) => constraintOf(field).map(localizeSentence)),
				inputs: draft.inputs,
				rest: Object.keys(draft.rest),
				...(draft.json !== undefined && { json: { text: draft.json, original: JSON.stringify(draft.content) } }),
				// Arguments of an earlier call are still to be had.
				...(this.#model.purpose !== 'arguments' && draft.touched && { edited: true }),
			},
			...(this.#isReplaced && { instead: true }),
		});
		// A hidden webview reloads when it is shown again, so send the reason again.
		if (this.#withdrawn !== undefined) {
			this.#page.post({ type: 'withdrawn', ...this.#withdrawn });
			return;
		}
		this.#fillDraft();
		(this.#text === undefined ? this.#review(false) : this.#reviewJson()).catch(showError);
	}

	/** What the page shows as JSON instead of the fields. */
	get #text(): string | undefined {
		return this.#draft.json ?? this.#model.templates?.[0]?.text;
	}

	async #review(submitted: boolean): Promise<void> {
		const draft = this.#draft;
		const revision = this.#revision;
		this.#isSubmitting = submitted;
		const review = await draft.review();
		this.#isSubmitting = false;
		// The request may have been withdrawn meanwhile.
		if (draft !== this.#draft || this.#ended) {
			return;
		}
		if (submitted && this.#acceptable(review)) {
			this.#end({ action: 'accept', content: review.content });
			return;
		}
		this.#page.post({
			type: 'review',
			revision,
			json: writeJson(review.content, 2),
			...shown(review),
			...(review.notes && { notes: review.notes.map(shownProblem) }),
			...(review.sent && { sent: review.sent }),
			refused: submitted,
		});
	}

	/** @param accept what is done with the content if it is acceptable; otherwise, it is only reviewed */
	async #reviewJson(accept?: (content: JsonObject) => unknown): Promise<void> {
		const draft = this.#draft;
		const revision = this.#revision;
		this.#isSubmitting = accept !== undefined;
		const review = await draft.form.reviewJson(this.#text ?? '');
		this.#isSubmitting = false;
		if (draft !== this.#draft || this.#page.isClosed) {
			return;
		}
		if (review.inputs && review.rest && revision === this.#revision) {
			draft.enter(review.inputs, review.rest);
		}
		// What was entered is kept even if the request was withdrawn meanwhile.
		if (this.#ended) {
			return;
		}
		if (accept && review.content && this.#acceptable(review)) {
			await accept(review.content);
			return;
		}
		this.#page.post({
			type: 'jsonReview',
			revision,
			...shown(review),
			...(review.inputs && { inputs: review.inputs }),
			rest: Object.keys(review.rest ?? {}),
			refused: accept !== undefined,
		});
	}

	#acceptable({ problems }: Pick<Review, 'problems'>): boolean {
		const { templates, blocked } = this.#model;
		return templates !== undefined || (problems.length === 0 && blocked === undefined);
	}

	#end(outcome: PanelOutcome): void {
		this.#ended = true;
		this.#choosing.abort();
		this.#suggesting.abort();
		this.#drafting?.abort();
		this.#resolve(outcome);
		this.#page.dispose();
	}
}

function withDraft(input: Input, field: Field | undefined, { text, model }: ModelResponse): Input {
	if (field?.key === 'text' && input.kind === 'text') {
		const before = textOf(input);
		return { kind: 'text', text: before.trim() === '' ? text : `${before}\n\n${text}` };
	}
	return field?.key === 'model' ? { kind: 'text', text: model } : input;
}

/** Problems and reasons, translated. */
function shown({ problems, unchecked }: Pick<Review, 'problems' | 'unchecked'>): {
	readonly problems: readonly ShownProblem[];
	readonly unchecked?: string;
} {
	return {
		problems: problems.map(shownProblem),
		...(unchecked && { unchecked: render(unchecked, localize) }),
	};
}

function shownProblem({ field, message }: Problem): ShownProblem {
	return { ...(field !== undefined && { field }), text: render(message, localize) };
}
