import type { Input } from '../elicitation/answer.ts';
import { visible } from '../elicitation/display.ts';
import { isObject } from '../elicitation/json.ts';
import type { FormModel, FromForm, ToForm } from '../protocol.ts';
import { bdi, el } from './dom.ts';
import { FieldView } from './fieldView.ts';
import { Footer } from './footer.ts';
import { formName, Header } from './header.ts';
import type { Host } from './host.ts';
import type { T } from './strings.ts';

/** What is kept while the webview is hidden. */
interface Draft {
	readonly inputs: readonly Input[];
	readonly revision: number;
	readonly edited: boolean;
}

type Review = Extract<ToForm, { type: 'review' }>;

const typingPause = 150;

/** The form of one elicitation, or of a tool's arguments. */
export class FormView {
	readonly #form: HTMLFormElement;
	readonly #header: Header;
	readonly #footer: Footer;
	readonly #fields: readonly FieldView[];
	readonly #json = el('pre', { tabindex: 0 });
	#revision = 0;
	#edited = false;
	#showAll = false;
	#over = false;
	/** The inputs as last seen and as last sent, serialised: leaving a field unchanged sends nothing. */
	#seen = '';
	#sent = '';
	#submitted: number | undefined;
	#review: Review | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		root: HTMLElement,
		private readonly model: FormModel,
		private readonly t: T,
		private readonly host: Host<FromForm>,
	) {
		const draft = draftOf(host.saved(), model.fields.length);
		const inputs = draft?.inputs ?? model.inputs;
		this.#revision = draft?.revision ?? 0;
		this.#edited = draft?.edited ?? false;
		this.#header = new Header(model, t);
		this.#footer = new Footer(model, t, {
			submit: () => this.submit(),
			decline: () => this.#finish('decline'),
			cancel: () => this.#finish('cancel'),
		});
		this.#fields = model.fields.map((field, at) => {
			const view: FieldView = new FieldView(field, inputs[at], `field-${at}`, t, () => this.#changed(view));
			return view;
		});
		this.#form = el(
			'form',
			{ role: 'form', novalidate: true, 'aria-label': formName(model), 'aria-describedby': this.#header.message?.id },
			this.#header.element,
			this.#body(),
			this.#footer.element,
		);
		this.#form.addEventListener('submit', (event) => event.preventDefault());
		root.replaceChildren(this.#form);
		this.#fit();
		this.#send('change');
		this.#focusFirst();
	}

	#body(): HTMLElement {
		const { model } = this;
		const body = el('div', { class: 'body' });
		if (model.title) {
			body.append(el('h2', {}, bdi(model.title)));
		}
		if (model.description) {
			body.append(el('p', { class: 'about' }, bdi(model.description)));
		}
		body.append(...this.#fields.map((field) => field.element), this.#folded());
		return body;
	}

	#folded(): HTMLElement {
		const { model, t } = this;
		const folded = el('div', { class: 'folded' });
		folded.append(el('details', {}, el('summary', {}, t('Answer as JSON')), this.#json));
		const count = model.findings.length;
		if (count > 0) {
			const items = model.findings.map((finding) => el('li', {}, bdi(finding.text)));
			const title = count === 1 ? t('1 finding') : t('{0} findings', count);
			folded.append(el('details', {}, el('summary', {}, title), el('ul', {}, ...items)));
		}
		return folded;
	}

	/** A form that opened in the background takes no focus; it gets its first one when the person comes to it. */
	#focusFirst(): void {
		const at = this.model.fields.findIndex((field) => field.kind !== 'const');
		const focus = () => (at < 0 ? this.#header.heading.focus() : this.#fields[at]?.control.focus());
		if (document.hasFocus()) {
			focus();
			return;
		}
		const once = () => {
			if (document.activeElement === document.body || document.activeElement === null) {
				focus();
			}
		};
		window.addEventListener('focus', once, { once: true });
	}

	#inputs(): Input[] {
		return this.#fields.map((field) => field.input());
	}

	#changed(field: FieldView): void {
		if (this.#over) {
			return;
		}
		const seen = JSON.stringify(this.#inputs());
		if (seen !== this.#seen) {
			this.#seen = seen;
			this.#edited = true;
			this.#save();
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => this.#send('change'), typingPause);
		} else if (field.touched) {
			this.#showProblems();
		}
	}

	#save(): void {
		const draft: Draft = { inputs: this.#inputs(), revision: this.#revision, edited: this.#edited };
		this.host.save(draft);
	}

	/** Sends the inputs. While a submit waits for its review, changes wait too, or the review would pass for an old one. */
	#send(type: 'change' | 'submit'): void {
		clearTimeout(this.#timer);
		if (this.#over || this.#submitted !== undefined) {
			return;
		}
		const inputs = this.#inputs();
		this.#sent = JSON.stringify(inputs);
		this.#seen = this.#sent;
		this.#revision++;
		this.#save();
		this.host.send({ type, revision: this.#revision, inputs });
		if (type === 'submit') {
			this.#submitted = this.#revision;
			this.#footer.setBusy(true);
		}
	}

	submit(): void {
		if (this.#over || this.#submitted !== undefined || this.model.blocked !== undefined) {
			return;
		}
		for (const field of this.#fields) {
			field.control.commit?.();
		}
		const stuck = this.#fields.find((field) => field.control.trouble?.() !== undefined);
		if (stuck !== undefined) {
			this.#showAll = true;
			this.#showProblems();
			stuck.focus();
			return;
		}
		this.#send('submit');
	}

	#finish(type: 'decline' | 'cancel'): void {
		if (!this.#over && this.#submitted === undefined) {
			this.#over = true;
			clearTimeout(this.#timer);
			this.#footer.setBusy(true);
			this.host.send({ type });
		}
	}

	/** The host's word on the newest inputs; what it says about older ones is dropped. */
	showReview(review: Review): void {
		if (this.#over || review.revision !== this.#revision) {
			return;
		}
		this.#review = review;
		this.#json.textContent = visible(review.json);
		if (!review.refused) {
			this.#footer.status.textContent = this.#submitted === undefined ? (review.unchecked ?? '') : this.t('Sending …');
			this.#showProblems();
			return;
		}
		this.#submitted = undefined;
		this.#showAll = true;
		this.#footer.setBusy(false);
		this.#footer.status.textContent = review.unchecked ?? '';
		this.#showProblems();
		this.#focusProblem(review);
		if (JSON.stringify(this.#inputs()) !== this.#sent) {
			this.#send('change');
		}
	}

	#focusProblem(review: Review): void {
		const indexes = review.problems.flatMap((problem) => (this.#isField(problem.field) ? [problem.field] : []));
		if (indexes.length > 0) {
			this.#fields[Math.min(...indexes)]?.focus();
		} else {
			this.#footer.focusProblems();
		}
	}

	#isField(index: number | undefined): index is number {
		return index !== undefined && this.#fields[index] !== undefined;
	}

	#showProblems(): void {
		const problems = this.#review?.problems ?? [];
		this.#fields.forEach((field, at) => {
			const text = field.control.trouble?.() ?? problems.find((problem) => problem.field === at)?.text;
			field.setError(this.#showAll || field.touched ? text : undefined);
		});
		const whole = problems.filter((problem) => !this.#isField(problem.field));
		this.#footer.setProblems(this.#showAll ? whole.map((problem) => problem.text) : []);
		this.#footer.fit();
	}

	withdraw(reason: string): void {
		this.#over = true;
		clearTimeout(this.#timer);
		for (const control of this.#form.querySelectorAll<HTMLInputElement>('input, select, textarea, button')) {
			control.disabled = true;
		}
		for (const list of this.#form.querySelectorAll('[role=listbox]')) {
			list.setAttribute('aria-disabled', 'true');
			list.removeAttribute('tabindex');
		}
		this.#footer.close(reason);
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
			if (event.ctrlKey || event.metaKey || line) {
				event.preventDefault();
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

function draftOf(saved: unknown, fields: number): Draft | undefined {
	return isObject(saved) && Array.isArray(saved.inputs) && saved.inputs.length === fields
		? (saved as unknown as Draft)
		: undefined;
}
