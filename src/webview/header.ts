import { shorten, visible } from '../elicitation/display.ts';
import type { FormModel } from '../protocol.ts';
import { bdi, button, type Child, el, fill, reachable } from './dom.ts';
import type { T } from './strings.ts';

/** Who asks, when, and what: the part of the form that is always in view. */
export class Header {
	readonly element: HTMLElement;
	readonly heading: HTMLElement;
	/** The message; undefined when the server sent none. */
	readonly message: HTMLElement | undefined;
	/** The way to the pickers, where there is one. */
	readonly pickers: HTMLButtonElement | undefined;
	readonly #age = el('span', { class: 'age' });

	constructor(
		private readonly model: FormModel,
		private readonly t: T,
		toPickers: () => void,
	) {
		this.heading = el('h1', { tabindex: -1 }, ...this.#title());
		const own = model.serverTitle;
		const names = el('div', { class: 'names' }, this.heading);
		if (own !== undefined && own !== '' && own !== model.server) {
			names.append(el('span', { class: 'own' }, ...fill(t('calls itself {0}'), bdi(shorten(own, 64)))));
		}
		const origin = el('div', { class: 'origin' }, el('p', {}, ...this.#origin()));
		if (model.pickers) {
			this.pickers = button(t('Answer in pickers'), { class: 'link' }, toPickers);
			origin.append(this.pickers);
		}
		this.element = el('header', {}, el('div', { class: 'top' }, names, origin));
		if (model.message !== '') {
			this.message = el('blockquote', { id: 'message' }, bdi(model.message));
			this.element.append(this.message);
		}
		this.tick();
	}

	#title(): Child[] {
		const { model, t } = this;
		const tool = model.calls[0];
		return model.purpose === 'arguments' && tool !== undefined
			? fill(t('{0} on {1}'), bdi(tool), bdi(model.server))
			: [bdi(model.server)];
	}

	#origin(): Child[] {
		const { model, t } = this;
		if (model.purpose === 'arguments') {
			return [];
		}
		if (model.calls.length === 0) {
			return [t('asked by the server itself'), ' · ', this.#age];
		}
		const text = t(model.calls.length === 1 ? 'asked by tool {0}' : 'asked by one of the tools {0}');
		const tools = el('span', {});
		model.calls.forEach((call, at) => {
			tools.append(at === 0 ? '' : ', ', el('strong', {}, bdi(call)));
		});
		return [...fill(text, tools), ' · ', this.#age];
	}

	/** Brings the age up to date. */
	tick(): void {
		const seconds = Math.max(0, Math.floor((Date.now() - this.model.receivedAt) / 1000));
		this.#age.textContent =
			seconds < 60
				? this.t('{0} s ago', seconds)
				: seconds < 3600
					? this.t('{0} min ago', Math.floor(seconds / 60))
					: this.t('{0} h ago', Math.floor(seconds / 3600));
	}

	/** See `reachable`: a message higher than its share of the page scrolls. */
	fit(): void {
		if (this.message !== undefined) {
			reachable(this.message);
		}
	}
}

/** The name of the form for assistive technology: the server's configured name. */
export function formName(model: FormModel): string {
	return visible(model.server);
}
