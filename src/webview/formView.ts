import type { Input } from '../elicitation/form/answer.ts';
import type { FormModel, FromForm, ToForm } from '../protocol.ts';
import { el, whenFocused } from './dom.ts';
import { type Draft, draftOf } from './draft.ts';
import { FieldSet } from './fieldSet.ts';
import type { FieldView } from './fieldView.ts';
import { Footer } from './footer.ts';
import { formBody } from './formBody.ts';
import { formHeader, type Header, questionName } from './header.ts';
import type { Host } from './host.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { RestLine } from './rest.ts';
import type { T } from './strings.ts';

type Review = Extract<ToForm, { type: 'review' }>;
type JsonReview = Extract<ToForm, { type: 'jsonReview' }>;

/** Milliseconds without a key before the host is asked: long enough to skip fast typing, short enough to seem immediate. */
const typingPause = 25;

/** Keys that move the focus, or what is marked in a field. */
const MOVES = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']);

/** The form of one elicitation, or of a tool's arguments. The fields are the answer or, once it was edited, the JSON. */
export class FormView {
	readonly #form: HTMLFormElement;
	readonly #header: Header;
	readonly #footer: Footer;
	readonly #fields: FieldSet;
	readonly #json: JsonAnswer;
	readonly #rest: RestLine;
	/** Read out, not seen. */
	readonly #announcer = el('p', { class: 'spoken', role: 'status' });
	#revision = 0;
	#edited = false;
	/** The user has changed or moved something: what they press is meant for this form. */
	#engaged = false;
	#showAll = false;
	#over = false;
	/** The answer as last seen and as last sent: leaving a field unchanged sends nothing. */
	#seen = '';
	#sent = '';
	#submitted: number | undefined;
	#review: Review | undefined;
	#jsonReview: JsonReview | undefined;
	/** Set while the way back to the form waits for the host to read the text. */
	#leaving: 'keep' | 'discard' | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		root: HTMLElement,
		private readonly model: FormModel,
		private readonly t: T,
		private readonly host: Host<FromForm>,
	) {
		const draft = draftOf(host.saved(), model.fields.length);
		this.#revision = draft?.revision ?? 0;
		this.#edited = draft?.edited ?? false;
		this.#engaged = this.#edited;
		this.#header = formHeader(model, t, () => this.#toPickers());
		this.#footer = new Footer(model, t, {
			submit: () => this.submit(),
			decline: () => this.#finish('decline'),
			cancel: () => this.#finish('cancel'),
		});
		this.#fields = new FieldSet(model.fields, draft?.inputs ?? model.inputs, t, (view) => this.#changed(view));
		this.#rest = new RestLine(model.fields, t);
		this.#rest.setKeys(model.rest);
		this.#json = new JsonAnswer(model.fields, t, {
			begun: () => this.#jsonBegun(),
			edited: () => this.#jsonEdited(),
			back: () => this.#back('keep'),
			discard: () => this.#back('discard'),
		});
		this.#form = el(
			'form',
			{
				class: 'question',
				role: 'form',
				novalidate: true,
				'aria-label': questionName(model),
				'aria-describedby': this.#header.message?.id,
			},
			this.#header.element,
			formBody(model, t, [this.#fields.element, this.#rest.element], this.#json.element),
			this.#footer.element,
			this.#announcer,
		);
		this.#form.addEventListener('submit', (event) => event.preventDefault());
		this.#followUser();
		root.replaceChildren(this.#form);
		if (draft?.json !== undefined) {
			this.#json.restore(draft.json);
		}
		this.#showMode();
		this.#fit();
		this.#send(false);
		this.#focusFirst();
	}

	#followUser(): void {
		const engaged = () => {
			this.#engaged = true;
		};
		for (const type of ['input', 'change', 'pointerdown']) {
			this.#form.addEventListener(type, engaged, { capture: true });
		}
		this.#form.addEventListener('keydown', ({ key }) => MOVES.has(key) && engaged(), { capture: true });
	}

	#focusFirst(): void {
		whenFocused(() => {
			if (this.#json.isActive) {
				this.#json.focus();
			} else if (!this.#fields.focusFirst()) {
				this.#header.heading.focus();
			}
		});
	}

	#changed(field: FieldView): void {
		if (this.#over || this.#json.isActive) {
			return;
		}
		if (this.#answer() !== this.#seen) {
			this.#json.follow(undefined);
			this.#sendSoon();
		} else if (field.touched && this.#seen === this.#sent) {
			// Left while its newest text is still on the way: the answer to it shows the problems, not the one before.
			this.#showProblems();
		}
	}

	/** The answer as it stands, to tell whether it changed. */
	#answer(): string {
		return this.#json.isActive ? this.#json.text : JSON.stringify(this.#fields.inputs());
	}

	#sendSoon(): void {
		this.#seen = this.#answer();
		this.#edited = true;
		this.#save();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#send(false), typingPause);
	}

	#save(): void {
		const json = this.#json.draft;
		const inputs = this.#fields.inputs();
		const draft: Draft = { inputs, revision: this.#revision, edited: this.#edited, ...(json && { json }) };
		this.host.save(draft);
	}

	/** Sends the answer. While a submit waits for its review, changes wait too, or the review would pass for an old one. */
	#send(submit: boolean): void {
		clearTimeout(this.#timer);
		if (this.#over || this.#submitted !== undefined) {
			return;
		}
		this.#sent = this.#answer();
		this.#seen = this.#sent;
		this.#revision++;
		this.#save();
		const revision = this.#revision;
		if (this.#json.isActive) {
			this.host.send({ type: submit ? 'submitJson' : 'json', revision, text: this.#json.text });
		} else {
			this.#json.follow(undefined);
			this.host.send({ type: submit ? 'submit' : 'change', revision, inputs: this.#fields.inputs() });
		}
		if (submit) {
			this.#submitted = revision;
			this.#leaving = undefined;
			this.#announce('');
			this.#footer.setBusy(true);
		}
	}

	submit(): void {
		if (!this.#isWaiting() && this.model.blocked === undefined && this.#settle()) {
			this.#send(true);
		}
	}

	/** True when nothing can be sent: all is over, or an answer is on its way. */
	#isWaiting(): boolean {
		return this.#over || this.#submitted !== undefined;
	}

	/** Ends all typing in the fields. False, with the field in view, where one holds what is no input and would be lost. */
	#settle(): boolean {
		const stuck = this.#json.isActive ? undefined : this.#fields.settle();
		if (stuck !== undefined) {
			this.#showAll = true;
			this.#showProblems();
			stuck.focus();
		}
		return stuck === undefined;
	}

	#finish(type: 'decline' | 'cancel'): void {
		if (!this.#isWaiting()) {
			this.#over = true;
			clearTimeout(this.#timer);
			this.#footer.setBusy(true);
			this.host.send({ type });
		}
	}

	#toPickers(): void {
		if (!this.#isWaiting() && !this.#json.isActive && this.#settle()) {
			clearTimeout(this.#timer);
			this.#save();
			this.host.send({ type: 'pickers', inputs: this.#fields.inputs() });
		}
	}

	/** The host's word on the newest inputs; what it says about older ones is dropped. */
	showReview(review: Review): void {
		if (this.#over || review.revision !== this.#revision || this.#json.isActive) {
			return;
		}
		this.#review = review;
		const changed = this.#answer() !== this.#sent;
		if (!changed) {
			this.#json.follow(review.json);
		}
		this.#rest.show(this.#fields.inputs());
		this.#reviewed(review);
		this.#showProblems();
		if (review.refused) {
			if (!this.#fields.focusProblem(review.problems)) {
				this.#footer.focusProblems();
			}
			if (changed) {
				this.#send(false);
			}
		}
	}

	/** The same for the answer as JSON. */
	showJsonReview(review: JsonReview): void {
		if (this.#over || review.revision !== this.#revision || !this.#json.isActive) {
			return;
		}
		this.#jsonReview = review;
		this.#reviewed(review);
		this.#json.showReview(review.problems, this.#fits(review), review.refused);
		if (review.refused) {
			this.#json.focus();
			if (this.#answer() !== this.#sent) {
				this.#send(false);
			}
		} else if (this.#leaving !== undefined) {
			this.#leave(this.#leaving, review);
		}
	}

	#reviewed({ refused, unchecked, problems }: Review | JsonReview): void {
		if (refused) {
			this.#submitted = undefined;
			this.#showAll = true;
			this.#footer.setBusy(false);
			const count = problems.length;
			this.#announce(count === 1 ? this.t('1 problem') : this.t('{0} problems', count));
		}
		this.#footer.setStatus(this.#submitted === undefined ? (unchecked ?? '') : this.t('Sending …'));
	}

	#announce(text: string): void {
		this.#announcer.textContent = text;
	}

	#showProblems(): void {
		const whole = this.#fields.showProblems(this.#review?.problems ?? [], this.#showAll);
		this.#footer.setProblems(this.#showAll ? whole.map((problem) => problem.text) : []);
		this.#footer.fit();
	}

	#jsonBegun(): void {
		clearTimeout(this.#timer);
		this.#jsonReview = undefined;
		this.#footer.setProblems([]);
		this.#announce(this.t('You are answering as JSON.'));
		this.#showMode();
	}

	#jsonEdited(): void {
		this.#leaving = undefined;
		this.#sendSoon();
	}

	/** Fields and JSON are never both the answer. */
	#showMode(): void {
		const { isActive } = this.#json;
		this.#fields.setHidden(isActive);
		if (isActive) {
			this.#rest.hide();
		} else {
			this.#rest.show(this.#fields.inputs());
		}
		if (this.#header.pickers !== undefined) {
			this.#header.pickers.hidden = isActive;
		}
	}

	/**
	 * The way back to the form, with what was entered or with what the form had before. The host keeps what no field shows,
	 * so it reads the very text that is gone back to before the form takes over.
	 */
	#back(how: 'keep' | 'discard'): void {
		if (this.#isWaiting()) {
			return;
		}
		if (how === 'discard') {
			this.#json.reset();
		}
		const review = this.#jsonReview;
		if (review?.revision === this.#revision && this.#answer() === this.#sent) {
			this.#leave(how, review);
		} else {
			this.#leaving = how;
			this.#send(false);
		}
	}

	#leave(how: 'keep' | 'discard', review: JsonReview): void {
		this.#leaving = undefined;
		if (!this.#fits(review)) {
			this.#json.focus();
			return;
		}
		this.#json.end();
		if (how === 'keep') {
			this.#fields.replace(review.inputs);
		}
		this.#announce('');
		this.#rest.setKeys(review.rest);
		this.#showMode();
		this.#send(false);
		this.#focusFirst();
	}

	#fits(review: JsonReview): review is JsonReview & { inputs: readonly Input[] } {
		return review.inputs?.length === this.model.fields.length;
	}

	withdraw(reason: string, cancelled: boolean): void {
		this.#over = true;
		clearTimeout(this.#timer);
		for (const control of this.#form.querySelectorAll<HTMLInputElement>('input, select, textarea, button')) {
			control.disabled = true;
		}
		for (const list of this.#form.querySelectorAll('[role=listbox]')) {
			list.setAttribute('aria-disabled', 'true');
			list.removeAttribute('tabindex');
		}
		this.#json.close();
		this.#footer.close(reason, cancelled);
	}

	/** Keys of the page as a whole; controls that need a key for themselves stop it before it gets here. */
	key(event: KeyboardEvent): void {
		const target = event.target as HTMLElement;
		if (event.isComposing || event.defaultPrevented || this.#over) {
			return;
		}
		if (event.key === 'Escape') {
			event.preventDefault();
			this.#escape();
		} else if (event.key === 'Enter' && !this.#footer.element.contains(target)) {
			const line = target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type);
			const meant = event.ctrlKey || event.metaKey;
			if (meant || line) {
				event.preventDefault();
			}
			if (meant || (line && this.#engaged)) {
				this.submit();
			}
		}
	}

	#escape(): void {
		if (this.#footer.isConfirming) {
			this.#footer.keepEditing();
		} else if (this.#edited) {
			this.#footer.confirm();
		} else {
			this.#finish('cancel');
		}
	}

	/** Called now and then: the age of the request, and what needs to scroll. */
	tick(): void {
		this.#header.tick();
		this.#fit();
	}

	#fit(): void {
		this.#header.fit();
		this.#footer.fit();
	}
}
