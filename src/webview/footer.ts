import { visible } from '../elicitation/display.ts';
import type { FormModel } from '../protocol.ts';
import { bdi, button, el, fill, gap, reachable } from './dom.ts';
import type { T } from './strings.ts';

export interface Actions {
	submit(): void;
	decline(): void;
	cancel(): void;
}

const call = { tool: 'Call', prompt: 'Get', resource: 'Read' } as const;

/** Warnings, what is wrong as a whole, and the buttons: always in view. */
export class Footer {
	readonly element: HTMLElement;
	/** Says how things stand: sending, unchecked, withdrawn. */
	readonly #status = el('p', { class: 'status', role: 'status', tabindex: -1 });
	readonly #notices: HTMLElement;
	readonly #problems = el('div', { class: 'problems', tabindex: -1 });
	readonly #confirm: HTMLElement;
	readonly #keep: HTMLButtonElement;
	readonly #buttons: HTMLElement;
	readonly #accept: HTMLButtonElement;
	readonly #all: HTMLButtonElement[];
	#focusBefore: Element | null = null;

	constructor(
		private readonly model: FormModel,
		private readonly t: T,
		actions: Actions,
	) {
		const elicitation = model.purpose !== 'arguments';
		const submit = elicitation ? 'Accept' : call[model.calls[0]?.kind ?? 'tool'];
		this.#accept = button(t(submit), { class: 'primary' }, actions.submit);
		const decline = elicitation ? [button(t('Decline'), { class: 'secondary' }, actions.decline)] : [];
		const cancel = button(t('Cancel'), { class: 'link' }, actions.cancel);
		this.#all = [this.#accept, ...decline, cancel];
		const recipient = el(
			'span',
			{ class: 'recipient' },
			...(model.purpose === 'preview' ? [t('Nothing is sent')] : fill(t('Sent to {0} only'), bdi(model.server))),
		);
		this.#buttons = el('div', { class: 'buttons' }, ...this.#all, recipient);
		this.#keep = button(t('Keep editing'), { class: 'primary' }, () => this.keepEditing());
		this.#confirm = el(
			'div',
			{ class: 'confirm', role: 'group', 'aria-labelledby': 'discard-question', hidden: true },
			el('p', { id: 'discard-question' }, t('Discard what you entered?')),
			el('div', { class: 'buttons' }, button(t('Discard'), { class: 'secondary' }, actions.cancel), this.#keep),
		);
		this.#notices = el('div', { class: 'notices' }, ...this.#warnings(), this.#problems);
		this.element = el('footer', {}, this.#notices, this.#status, this.#confirm, this.#buttons);
		this.setBusy(false);
	}

	#warnings(): HTMLElement[] {
		const notices = this.model.warnings.map((text) => el('p', { class: 'warning' }, bdi(text)));
		if (this.model.blocked !== undefined) {
			notices.push(el('p', { class: 'blocked', id: 'blocked' }, bdi(this.model.blocked)));
			this.#accept.setAttribute('aria-describedby', 'blocked');
		}
		return notices;
	}

	/** While an answer is on its way nothing can be pressed twice. */
	setBusy(busy: boolean): void {
		for (const each of this.#all) {
			each.disabled = busy || (each === this.#accept && this.model.blocked !== undefined);
		}
		this.setStatus(busy ? this.t('Sending …') : '');
	}

	/** Says how things stand. What is said already is left alone, so that it is not read out again. */
	setStatus(text: string): void {
		if (this.#status.textContent !== visible(text)) {
			this.#status.replaceChildren(...(text === '' ? [] : [bdi(text)]));
		}
	}

	setProblems(texts: readonly string[]): void {
		const shown = [...this.#problems.children].map((child) => child.textContent);
		if (shown.length !== texts.length || texts.some((text, at) => shown[at] !== text)) {
			this.#problems.replaceChildren(...texts.map((text) => el('p', { class: 'error', role: 'alert' }, bdi(text))));
		}
	}

	/** See `reachable`. */
	fit(): void {
		reachable(this.#notices);
	}

	focusProblems(): void {
		this.#problems.focus();
	}

	get isConfirming(): boolean {
		return !this.#confirm.hidden;
	}

	/** Asks before an Escape throws away what was entered. */
	confirm(): void {
		this.#focusBefore = document.activeElement;
		this.#confirm.hidden = false;
		this.#buttons.hidden = true;
		this.#keep.focus();
	}

	keepEditing(): void {
		this.#confirm.hidden = true;
		this.#buttons.hidden = false;
		if (this.#focusBefore instanceof HTMLElement) {
			this.#focusBefore.focus();
		}
	}

	/** The end: one line that says why, and what the server was told. */
	close(reason: string, cancelled: boolean): void {
		this.#confirm.hidden = true;
		this.#buttons.hidden = false;
		this.setProblems([]);
		this.#status.classList.add('over');
		const sent = cancelled ? this.t('"cancel" was sent to the server.') : this.t('Nothing was sent.');
		this.#status.replaceChildren(bdi(reason), gap(this.t), sent);
		this.#status.focus();
	}
}
