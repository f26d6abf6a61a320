import type { ShownStartRow, ShownStartSection, StartModel } from '../protocol.ts';
import { bdi, button, el, fill, reachable, whenFocused } from './dom.ts';
import type { T } from './strings.ts';

/** The consent to start a server: everything that influences what is run or sent, each on a line of its own. */
export class StartView {
	readonly #body: HTMLElement;
	readonly #buttons: readonly HTMLButtonElement[];
	#pressed = false;

	constructor(
		root: HTMLElement,
		model: StartModel,
		t: T,
		private readonly send: (type: 'start' | 'cancel') => void,
	) {
		const alarming = model.sections.some(({ alarm }) => alarm);
		const heading = el('h1', { tabindex: -1 }, ...fill(t('Start the MCP server {0}?'), bdi(model.server)));
		this.#body = el('div', { class: 'body' }, ...model.sections.map(section));
		this.#buttons = [
			// What is suspicious is not what we suggest.
			button(t('Start Server'), { class: alarming ? 'secondary' : 'primary' }, () => this.#press('start')),
			button(t('Cancel'), { class: 'link' }, () => this.#press('cancel')),
		];
		root.replaceChildren(
			el(
				'section',
				{ class: 'question', 'aria-label': model.server },
				el('header', {}, heading, el('p', {}, bdi(model.reason)), el('p', { class: 'note' }, bdi(model.place))),
				this.#body,
				el('footer', {}, el('div', { class: 'buttons' }, ...this.#buttons)),
			),
		);
		this.fit();
		// Never on a button: what is typed or pressed without looking must not be a consent.
		whenFocused(() => heading.focus());
	}

	/** Escape is cancel; no key is a consent. */
	key(event: KeyboardEvent): void {
		if (event.key === 'Escape' && !event.defaultPrevented) {
			event.preventDefault();
			this.#press('cancel');
		}
	}

	/** What does not scroll need not be reached. */
	fit(): void {
		reachable(this.#body);
	}

	#press(type: 'start' | 'cancel'): void {
		if (this.#pressed) {
			return;
		}
		this.#pressed = true;
		for (const each of this.#buttons) {
			each.disabled = true;
		}
		this.send(type);
	}
}

function section({ title, alarm, rows }: ShownStartSection): HTMLElement {
	const heading = title === undefined ? [] : [el('h2', alarm ? { class: 'warning' } : {}, title)];
	return el('section', alarm ? { class: 'alarm' } : {}, ...heading, el('ul', { class: 'rows' }, ...rows.map(row)));
}

/** Its characters stand in the order in which they were written, whatever script they are of. */
function row({ label, text, notes }: ShownStartRow): HTMLElement {
	const name = label === undefined ? [] : [el('span', { class: 'label' }, label)];
	const value = el('code', { class: 'exact' }, el('bdo', { dir: 'ltr' }, text));
	const asides = notes.map((note) => el('span', { class: 'note' }, bdi(note)));
	return el('li', label === undefined ? {} : { class: 'named' }, ...name, el('div', {}, value, ...asides));
}
