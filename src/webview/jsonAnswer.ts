import { writeOut } from '../elicitation/display.ts';
import type { Field } from '../elicitation/form/fields.ts';
import type { ShownProblem } from '../protocol.ts';
import { bdi, button, el, fill, setAttribute } from './dom.ts';
import type { JsonDraft } from './draft.ts';
import { fieldName } from './fieldView.ts';
import { Settling } from './settling.ts';
import type { T } from './strings.ts';

export interface JsonActions {
	/** From here on the text is the answer. */
	begun(): void;
	/** The user changed the text. */
	edited(): void;
	back(): void;
	discard(): void;
}

const errorId = 'json-error';
const reasonId = 'json-reason';

/** The exact JSON that will be sent. It follows the form until the user edits it; from then on it is the answer. */
export class JsonAnswer {
	readonly element: HTMLDetailsElement;
	readonly #summary: HTMLElement;
	readonly #mode: HTMLElement;
	readonly #back: HTMLButtonElement;
	/** Why there is no way back but by discarding. */
	readonly #unshowable: HTMLElement;
	readonly #area: HTMLTextAreaElement;
	readonly #settling: Settling;
	#error: HTMLElement | undefined;
	#problems: readonly ShownProblem[] = [];
	#showable = true;
	#closed = false;
	/** What the form made of it last. */
	#followed = '';
	/** What the form had made of it when the user began to edit. */
	#original: string | undefined;

	constructor(
		private readonly fields: readonly Field[],
		private readonly t: T,
		private readonly actions: JsonActions,
	) {
		this.#summary = el('summary', {}, t('Answer as JSON'));
		this.#back = button(t('Back to the form'), { class: 'secondary' }, actions.back);
		this.#unshowable = el(
			'div',
			{ class: 'unshowable', hidden: true },
			el('p', { class: 'note', id: reasonId }, t('The form can show a JSON object only.')),
			button(t('Discard JSON changes'), { class: 'link' }, actions.discard),
		);
		this.#mode = el(
			'div',
			{ class: 'mode', hidden: true },
			el('p', {}, el('strong', {}, t('You are answering as JSON.'))),
			this.#back,
		);
		this.#area = el('textarea', {
			id: 'json-answer',
			class: 'code',
			rows: 6,
			readonly: true,
			spellcheck: 'false',
			autocapitalize: 'off',
			dir: 'ltr',
			'aria-label': t('The answer as JSON'),
		});
		this.#settling = new Settling(this.#area, () => this.#showState());
		this.#area.addEventListener('input', () => {
			this.#begin(this.#followed);
			actions.edited();
		});
		this.#area.addEventListener('blur', () => {
			this.#settling.settle();
			this.#showState();
		});
		this.element = el('details', { class: 'json' }, this.#summary, this.#mode, this.#area, this.#unshowable);
	}

	/** True while the text is the answer, not the form. */
	get isActive(): boolean {
		return this.#original !== undefined;
	}

	get text(): string {
		return this.#area.value;
	}

	get draft(): JsonDraft | undefined {
		return this.#original === undefined ? undefined : { text: this.text, original: this.#original };
	}

	/** Goes on where an earlier page was left. */
	restore(draft: JsonDraft): void {
		this.#area.value = draft.text;
		this.#begin(draft.original);
	}

	#begin(original: string): void {
		if (this.isActive) {
			return;
		}
		this.#original = original;
		this.#area.readOnly = false;
		this.element.open = true;
		this.#summary.hidden = true;
		this.#mode.hidden = false;
		this.actions.begun();
	}

	/** Shows what the form makes of the inputs. Until that is known (`undefined`) nobody can build on something older. */
	follow(json: string | undefined): void {
		if (this.isActive) {
			return;
		}
		this.#area.readOnly = json === undefined;
		if (json !== undefined && json !== this.#followed) {
			this.#followed = json;
			this.#area.value = legible(json);
		}
	}

	/** Puts the text back to what the form had made. */
	reset(): void {
		this.#area.value = legible(this.#original ?? this.#followed);
		this.#settling.settle();
	}

	/** The form is the answer again. */
	end(): void {
		this.#original = undefined;
		this.#followed = '';
		this.#area.readOnly = true;
		this.#summary.hidden = false;
		this.#mode.hidden = true;
		this.showReview([], true);
	}

	/** Shows what is wrong, and whether the form could show the text. `now`: even if the user is in the middle of it. */
	showReview(problems: readonly ShownProblem[], showable: boolean, now = false): void {
		if (now) {
			this.#settling.settle();
		}
		this.#problems = problems;
		this.#showable = showable;
		this.#showState();
	}

	/** See `Settling`. */
	#showState(): void {
		if (this.#closed) {
			return;
		}
		if (this.#showable || this.#settling.isSettled) {
			this.#back.disabled = !this.#showable;
			setAttribute(this.#back, 'aria-describedby', this.#showable ? undefined : reasonId);
			this.#unshowable.hidden = this.#showable;
		}
		this.#showProblems();
	}

	#showProblems(): void {
		if (this.#problems.length === 0) {
			this.#error?.remove();
			this.#error = undefined;
		} else if (this.#settling.isSettled) {
			const lines = this.#problems.map((problem) => this.#line(problem));
			const texts = lines.map((line) => line.textContent);
			const shown = [...(this.#error?.children ?? [])].map((line) => line.textContent);
			// An unchanged alert is left alone, so that it is not read out again.
			if (texts.length !== shown.length || texts.some((text, at) => text !== shown[at])) {
				this.#error ??= el('div', { role: 'alert', id: errorId });
				this.#error.replaceChildren(...lines);
				this.#area.after(this.#error);
			}
		}
		const error = this.#error?.id;
		setAttribute(this.#area, 'aria-invalid', error === undefined ? undefined : 'true');
		setAttribute(this.#area, 'aria-errormessage', error);
		setAttribute(this.#area, 'aria-describedby', error);
	}

	#line({ field: index, text }: ShownProblem): HTMLElement {
		const field = index === undefined ? undefined : this.fields[index];
		const words =
			field === undefined ? [bdi(text)] : fill(this.t('{0}: {1}'), el('bdi', {}, fieldName(field, this.t)), bdi(text));
		return el('p', { class: 'error' }, ...words);
	}

	focus(): void {
		this.#area.focus();
	}

	/** When all is over the text can still be read and copied. */
	close(): void {
		this.#closed = true;
		this.#area.disabled = false;
		this.#area.readOnly = true;
	}
}

/** The same JSON, with characters that cannot be seen or that reorder others written as escapes. */
function legible(json: string): string {
	return writeOut(json, (character) =>
		Array.from(
			{ length: character.length },
			(_unit, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
		).join(''),
	);
}
