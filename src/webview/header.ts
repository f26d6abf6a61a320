import { shorten, visible } from '../elicitation/display.ts';
import type { FormModel } from '../protocol.ts';
import { bdi, button, type Child, el, fill, reachable } from './dom.ts';
import type { T } from './strings.ts';

export interface HeaderModel extends Pick<FormModel, 'server' | 'serverTitle' | 'message'> {
	/** What caused the request, and when; left out where nothing asked, or where it is not known. */
	readonly asked?: Pick<FormModel, 'calls' | 'receivedAt'>;
	/** Nobody asks: it is shown to be looked at. */
	readonly preview?: true;
}

/** The header of a form, which names the call as well where the form is for its arguments. */
export function formHeader(model: FormModel, t: T, toPickers: () => void): Header {
	const { purpose, server, calls, receivedAt, pickers } = model;
	const call = calls[0];
	const title =
		purpose === 'arguments' && call !== undefined ? fill(t('{0} on {1}'), bdi(call.name), bdi(server)) : [bdi(server)];
	const header = {
		...model,
		...(purpose === 'elicitation' && { asked: { calls, receivedAt } }),
		...(purpose === 'preview' && { preview: true as const }),
	};
	return new Header(header, t, title, pickers ? toPickers : undefined);
}

const askedBy = {
	tool: 'asked by tool {0}',
	prompt: 'asked by prompt {0}',
	resource: 'asked by resource {0}',
} as const;

/** Who asks, when, and what: the part of a question that is always in view. */
export class Header {
	readonly element: HTMLElement;
	readonly heading: HTMLElement;
	/** The message; undefined when the server sent none. */
	readonly message: HTMLElement | undefined;
	/** The way to the pickers, where there is one. */
	readonly pickers: HTMLButtonElement | undefined;
	readonly #age = el('span', { class: 'age' });

	constructor(
		private readonly model: HeaderModel,
		private readonly t: T,
		title: readonly Child[],
		toPickers?: () => void,
	) {
		this.heading = el('h1', { tabindex: -1 }, ...title);
		const own = model.serverTitle;
		const names = el('div', { class: 'names' }, this.heading);
		if (own !== undefined && own !== '' && own !== model.server) {
			names.append(el('span', { class: 'own' }, ...fill(t('calls itself {0}'), bdi(shorten(own, 64)))));
		}
		const origin = el('div', { class: 'origin' }, el('p', {}, ...this.#origin()));
		if (toPickers) {
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

	#origin(): Child[] {
		const { t } = this;
		if (this.model.preview) {
			return [el('strong', {}, t('Preview'))];
		}
		const calls = this.model.asked?.calls;
		if (calls === undefined) {
			return [];
		}
		const [call, ...others] = calls;
		if (call === undefined) {
			return [t('asked by the server itself'), ' · ', this.#age];
		}
		const text = t(others.length > 0 ? 'asked by one of {0}' : askedBy[call.kind]);
		const names = el('span', {}, el('strong', {}, bdi(call.name)));
		for (const { name } of others) {
			names.append(', ', el('strong', {}, bdi(name)));
		}
		const via = others.length === 0 && call.via !== undefined ? [', ', call.via] : [];
		return [...fill(text, names), ...via, ' · ', this.#age];
	}

	/** Brings the age up to date. */
	tick(): void {
		const seconds = Math.max(0, Math.floor((Date.now() - (this.model.asked?.receivedAt ?? 0)) / 1000));
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

/** The name of the question for assistive technology: the server's configured name. */
export function questionName(model: HeaderModel): string {
	return visible(model.server);
}
