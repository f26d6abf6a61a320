import type { FromUrl, UrlModel } from '../protocol.ts';
import { bdi, button, el, reachable, whenFocused } from './dom.ts';
import { Header, questionName } from './header.ts';
import type { T } from './strings.ts';
import { parameterList, partsList, rawUrl, wholeUrl } from './urlParts.ts';

type Press = Exclude<FromUrl['type'], 'ready'>;

/** From this many characters on the URL is said to be long: it may scroll. */
const LONG = 300;

/** The consent to one URL, or a look at one that was refused: who asks, the URL whole and in its parts, and what is wrong. */
export class UrlView {
	readonly #header: Header;
	readonly #body = el('div', { class: 'body' });
	/** Says how things stand: copied, opening, over. */
	readonly #status = el('p', { class: 'status', role: 'status', tabindex: -1 });
	readonly #buttons: readonly HTMLButtonElement[];
	#over = false;

	constructor(
		root: HTMLElement,
		private readonly model: UrlModel,
		private readonly t: T,
		private readonly send: (type: Press) => void,
	) {
		this.#header = new Header(model, t, [bdi(model.server)]);
		this.#buttons =
			model.refused === undefined
				? this.#consent()
				: [button(t('Close'), { class: 'secondary' }, () => this.#press('cancel'))];
		const note = el('span', { class: 'recipient' }, t('Opens in your own browser'));
		this.#fill(this.#body);
		const element = el(
			'section',
			{ class: 'question', 'aria-label': questionName(model), 'aria-describedby': this.#header.message?.id },
			this.#header.element,
			this.#body,
			el(
				'footer',
				{},
				this.#status,
				el('div', { class: 'buttons' }, ...this.#buttons, ...(model.refused === undefined ? [note] : [])),
			),
		);
		root.replaceChildren(element);
		this.#fit();
		// Never on a button: what is typed or pressed without looking must not be a consent.
		whenFocused(() => this.#header.heading.focus());
	}

	#consent(): HTMLButtonElement[] {
		const { t } = this;
		// What is suspicious is not what we suggest.
		const suspicious = this.model.warnings.length > 0;
		const open = { class: suspicious ? 'secondary' : 'primary', 'aria-describedby': suspicious && 'warnings' };
		return [
			button(t('Open URL'), open, () => this.#press('open')),
			button(t('Copy URL'), { class: 'secondary' }, () => this.#press('copy')),
			...(this.model.accepted
				? [button(t('Close'), { class: 'link' }, () => this.#press('cancel'))]
				: [
						button(t('Decline'), { class: 'secondary' }, () => this.#press('decline')),
						button(t('Cancel'), { class: 'link' }, () => this.#press('cancel')),
					]),
		];
	}

	#fill(body: HTMLElement): void {
		const { model, t } = this;
		const { parts, raw, warnings, notes, refused } = model;
		if (refused !== undefined) {
			body.append(el('p', { class: 'blocked' }, bdi(refused)));
		}
		if (warnings.length > 0) {
			const items = warnings.map((text) => el('li', { class: 'warning' }, bdi(text)));
			body.append(el('ul', { class: 'warnings', id: 'warnings' }, ...items));
		}
		const title = refused === undefined ? t('This exact URL is opened if you agree') : t('This URL was refused');
		const { length } = parts.href;
		const count = length > LONG ? [el('span', { class: 'note' }, t('{0} characters', length))] : [];
		body.append(
			el(
				'section',
				{},
				el('h2', {}, title, ...count),
				wholeUrl(parts),
				...notes.map((text) => el('p', { class: 'note' }, bdi(text))),
			),
		);
		if (raw !== undefined) {
			body.append(el('section', {}, el('h2', {}, t('As the server wrote it')), rawUrl(raw)));
		}
		body.append(el('section', {}, el('h2', {}, t('Its parts')), partsList(parts, t)));
		if (parts.parameters.length > 0) {
			body.append(el('section', {}, el('h2', {}, t('Its parameters')), parameterList(parts.parameters, t)));
		}
	}

	#press(type: Press): void {
		if (this.#over) {
			return;
		}
		if (type !== 'copy') {
			this.#end();
		}
		// What is said already would not be read out again.
		this.#say(type === 'open' ? this.t('Opening …') : '');
		this.send(type);
	}

	copied(): void {
		if (!this.#over) {
			this.#say(this.t('Copied.'));
		}
	}

	/** The end from elsewhere: one line that says why. */
	over(reason: string): void {
		this.#end();
		this.#status.classList.add('over');
		this.#status.replaceChildren(bdi(reason));
		this.#status.focus();
	}

	#end(): void {
		this.#over = true;
		for (const each of this.#buttons) {
			each.disabled = true;
		}
	}

	#say(text: string): void {
		this.#status.textContent = text;
	}

	/** Escape is cancel; no key is a consent. */
	key(event: KeyboardEvent): void {
		if (event.key === 'Escape' && !event.defaultPrevented) {
			event.preventDefault();
			this.#press('cancel');
		}
	}

	/** Called now and then: the age of the request, and what needs to scroll. */
	tick(): void {
		this.#header.tick();
		this.#fit();
	}

	#fit(): void {
		this.#header.fit();
		for (const part of [this.#body, ...this.#body.querySelectorAll<HTMLElement>('.url')]) {
			reachable(part);
		}
	}
}
