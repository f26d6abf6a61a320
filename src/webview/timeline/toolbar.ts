import { visible } from '../../elicitation/display.ts';
import type { ShownFilter, ShownRows } from '../../timelineProtocol.ts';
import { bdi, el, fill } from '../dom.ts';
import type { T, WebviewString } from '../strings.ts';
import { type IconName, icon } from './icons.ts';

export interface ToolbarActions {
	filter(filter: ShownFilter): void;
	foldAll(open: boolean): void;
	copy(): void;
	export(): void;
	clear(): void;
	/** The user is done with searching. */
	toList(): void;
}

/** After the last key, before the host is asked (milliseconds). */
const PAUSE = 200;

const shows: readonly (readonly [ShownFilter['show'], WebviewString])[] = [
	['all', 'Everything'],
	['elicitations', 'Elicitations'],
	['errors', 'Errors'],
	['requests', 'Requests'],
	['responses', 'Responses'],
	['notifications', 'Notifications'],
];

const directions: readonly (readonly [ShownFilter['direction'], WebviewString])[] = [
	['', 'Both directions'],
	['sent', 'Sent'],
	['received', 'Received'],
];

/** What is looked for, what came of it, and what can be done with all of it. */
export class Toolbar {
	readonly element: HTMLElement;
	readonly #search: HTMLInputElement;
	readonly #show: HTMLSelectElement;
	readonly #direction: HTMLSelectElement;
	readonly #server: HTMLSelectElement;
	readonly #method: HTMLSelectElement;
	readonly #only = el('button', { type: 'button', class: 'only', hidden: true });
	readonly #copy: HTMLButtonElement;
	readonly #count = el('p', { class: 'count', role: 'status' });
	#filter: ShownFilter;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		filter: ShownFilter,
		private readonly t: T,
		private readonly actions: ToolbarActions,
	) {
		this.#filter = filter;
		this.#search = el('input', {
			type: 'search',
			'aria-label': t('Search'),
			placeholder: t('Search'),
			spellcheck: 'false',
		});
		this.#search.addEventListener('input', () => this.#soon());
		this.#search.addEventListener('keydown', (event) => this.#key(event));
		this.#show = this.#select(
			t('Show'),
			shows.map(([value, text]) => [value, t(text)]),
			(value) => ({ show: value as ShownFilter['show'] }),
		);
		this.#direction = this.#select(
			t('Direction'),
			directions.map(([value, text]) => [value, t(text)]),
			(value) => ({
				direction: value as ShownFilter['direction'],
			}),
		);
		this.#server = this.#select(t('Server'), [], (server) => ({ server }));
		this.#method = this.#select(t('Method'), [], (method) => ({ method }));
		this.#only.addEventListener('click', () => this.#change({ group: '' }));
		this.#copy = this.#tool('copy', t('Copy the Selected Line'), actions.copy);
		this.element = el(
			'div',
			{ class: 'toolbar', role: 'group', 'aria-label': t('Timeline') },
			this.#search,
			this.#count,
			el(
				'div',
				{ class: 'tools' },
				this.#tool('expand', t('Unfold All'), () => actions.foldAll(true)),
				this.#tool('collapse', t('Fold All'), () => actions.foldAll(false)),
				this.#copy,
				this.#tool('export', t('Export …'), actions.export),
				this.#tool('clear', t('Clear Timeline'), actions.clear),
			),
			el('div', { class: 'filters' }, this.#show, this.#direction, this.#server, this.#method, this.#only),
		);
		this.setFilter(filter);
	}

	get filter(): ShownFilter {
		return this.#filter;
	}

	/** Shows a filter that the host has chosen. */
	setFilter(filter: ShownFilter): void {
		clearTimeout(this.#timer);
		this.#filter = filter;
		this.#search.value = filter.text;
		this.#show.value = filter.show;
		this.#direction.value = filter.direction;
		this.#server.value = filter.server;
		this.#method.value = filter.method;
	}

	/** Shows nothing but one call, or everything again. */
	only(group: string): void {
		this.#change({ group });
	}

	/** Begins to search with what was typed elsewhere. */
	search(text: string): void {
		this.#search.focus();
		this.#search.value += text;
		this.#soon();
	}

	/** Whether there is anything to copy. */
	set copyable(isSelected: boolean) {
		this.#copy.disabled = !isSelected;
	}

	/** What there is to choose from, and what was found. */
	update(rows: ShownRows): void {
		const { t } = this;
		const { servers, methods, only, searching } = rows;
		offer(this.#server, [['', t('All servers')], ...servers.map((name) => [name, name] as const)], this.#filter.server);
		offer(this.#method, [['', t('All methods')], ...methods.map((name) => [name, name] as const)], this.#filter.method);
		this.#server.hidden = servers.length < 2 && this.#filter.server === '';
		this.#only.hidden = only === undefined;
		if (only !== undefined) {
			this.#only.replaceChildren(el('span', {}, ...fill(t('Only {0}'), bdi(only))), icon('close'));
			this.#only.title = t('Show all calls');
		}
		const count = countText(rows, t);
		const text = searching ? t('{0} …', count) : count;
		if (this.#count.textContent !== text) {
			this.#count.textContent = text;
		}
	}

	#select(
		label: string,
		options: readonly (readonly [string, string])[],
		part: (value: string) => Partial<ShownFilter>,
	): HTMLSelectElement {
		const select = el('select', { 'aria-label': label, title: label });
		offer(select, options, '');
		select.addEventListener('change', () => this.#change(part(select.value)));
		return select;
	}

	#tool(name: IconName, text: string, act: () => void): HTMLButtonElement {
		const element = el('button', { type: 'button', class: 'tool', 'aria-label': text, title: text }, icon(name));
		element.addEventListener('click', act);
		return element;
	}

	#soon(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#change({}), PAUSE);
	}

	#change(part: Partial<ShownFilter>): void {
		clearTimeout(this.#timer);
		this.#filter = { ...this.#filter, text: this.#search.value, ...part };
		this.actions.filter(this.#filter);
	}

	#key(event: KeyboardEvent): void {
		if (event.key === 'Enter' || event.key === 'ArrowDown') {
			this.#change({});
			this.actions.toList();
		} else if (event.key === 'Escape') {
			if (this.#search.value === '') {
				this.actions.toList();
			} else {
				this.#search.value = '';
				this.#change({});
			}
		} else {
			return;
		}
		event.preventDefault();
	}
}

function countText({ found, messages, dropped }: ShownRows, t: T): string {
	if (!found) {
		return dropped > 0
			? t('{0} messages; {1} older ones were forgotten', messages, dropped)
			: t('{0} messages', messages);
	}
	const count = t('{0} of {1} messages', found.messages, messages);
	const { elicitations } = found;
	return elicitations === 0
		? count
		: t('{0}, {1}', count, elicitations === 1 ? t('1 elicitation') : t('{0} elicitations', elicitations));
}

/** Puts options into a select, unless they are there already; what is chosen stays, even where it is no longer offered. */
function offer(select: HTMLSelectElement, options: readonly (readonly [string, string])[], chosen: string): void {
	const all = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as const];
	const before = [...select.options].map(({ value, text }) => `${value}\n${text}`).join('\n');
	const wanted = all.map(([value, text]) => [value, visible(text)] as const);
	if (before !== wanted.map(([value, text]) => `${value}\n${text}`).join('\n')) {
		select.replaceChildren(...wanted.map(([value, text]) => el('option', { value }, text)));
	}
	select.value = chosen;
}
