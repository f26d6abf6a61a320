import { isObject } from '../../elicitation/json.ts';
import type { FromTimeline, ShownFilter, ShownRows, ToTimeline } from '../../timelineProtocol.ts';
import { afterPress, button, el, whenFocused } from '../dom.ts';
import type { Host } from '../host.ts';
import type { T } from '../strings.ts';
import { DetailView } from './detailView.ts';
import { type Left, RowList } from './list.ts';
import { Toolbar } from './toolbar.ts';

/** The timeline's page: a toolbar, the lines, and beside or below them the selected one. */
export class TimelineView {
	readonly #toolbar: Toolbar;
	readonly #list: RowList;
	readonly #detail: DetailView;
	readonly #empty = el('div', { class: 'empty', hidden: true });
	readonly #said = el('p', { class: 'spoken', role: 'status' });
	#selected: string | undefined;

	constructor(
		root: HTMLElement,
		filter: ShownFilter,
		private readonly t: T,
		private readonly host: Host<FromTimeline>,
	) {
		const copy = (key: string | undefined) => {
			if (key !== undefined) {
				host.send({ type: 'copy', key, part: 'all' });
			}
		};
		this.#toolbar = new Toolbar(filter, t, {
			filter: (changed) => this.#filter(changed),
			foldAll: (open) => host.send({ type: 'foldAll', open }),
			copy: () => copy(this.#selected),
			export: () => host.send({ type: 'export' }),
			clear: () => host.send({ type: 'clear' }),
			toList: () => this.#list.element.focus(),
		});
		this.#list = new RowList({
			t,
			wants: (first, count, origin, anchor) =>
				host.send({ type: 'rows', first, count, origin, ...(anchor && { anchor }) }),
			select: (key) => this.#select(key),
			fold: (key, open) => host.send({ type: 'fold', key, open }),
			open: (key) => host.send({ type: 'open', key }),
			copy,
			search: (text) => this.#toolbar.search(text),
		});
		this.#detail = new DetailView(t, {
			go: (key) => host.send({ type: 'go', key }),
			open: (key) => host.send({ type: 'open', key }),
			copy: (key, part) => host.send({ type: 'copy', key, part }),
			act: (key, action) => host.send({ type: 'act', key, action }),
			only: (key) => this.#toolbar.only(key),
		});
		root.replaceChildren(
			el(
				'div',
				{ class: 'timeline' },
				this.#toolbar.element,
				el('div', { class: 'lines' }, this.#list.element, this.#empty),
				this.#detail.element,
				this.#said,
			),
		);
		this.#list.begin(leftOf(host.saved()));
		this.#list.element.addEventListener('scroll', () => this.#keep(), { passive: true });
		whenFocused(() => this.#list.element.focus());
	}

	/** What moves under a pressed button of the mouse would take the click away from what it was meant for. */
	receive(message: Exclude<ToTimeline, { type: 'show' }>): void {
		switch (message.type) {
			case 'rows':
				afterPress(() => this.#take(message));
				return;
			case 'detail':
				afterPress(() => this.#detail.show(message.detail));
				return;
			case 'place':
				this.#toolbar.setFilter(message.filter);
				this.#list.place(message.index);
				return;
			case 'said':
				this.#said.textContent = message.text;
		}
	}

	#take(rows: ShownRows): void {
		this.#toolbar.update(rows);
		this.#list.take(rows);
		this.#toolbar.copyable = rows.total > 0;
		this.#showEmpty(rows);
		this.#keep();
	}

	#select(key: string): void {
		this.#selected = key;
		this.host.send({ type: 'select', key });
	}

	#filter(filter: ShownFilter): void {
		this.#list.toTop();
		this.host.send({ type: 'filter', filter });
	}

	#showEmpty({ total, found, searching }: ShownRows): void {
		const { t } = this;
		this.#empty.hidden = total > 0 || searching;
		if (this.#empty.hidden) {
			return;
		}
		if (!found) {
			this.#empty.replaceChildren(
				el('p', {}, t('Every call, what the server asked in between, and the raw messages appear here.')),
			);
			return;
		}
		const all = {
			...this.#toolbar.filter,
			text: '',
			server: '',
			group: '',
			direction: '',
			method: '',
			show: 'all',
		} as const;
		this.#empty.replaceChildren(
			el('p', {}, t('Nothing matches.')),
			button(t('Show everything'), { class: 'secondary' }, () => {
				this.#toolbar.setFilter(all);
				this.#filter(all);
				this.#list.element.focus();
			}),
		);
	}

	#keep(): void {
		this.host.save({ left: this.#list.left });
	}
}

/** Where the list was left when the page was hidden. */
function leftOf(saved: unknown): Left | undefined {
	const left = isObject(saved) ? saved.left : undefined;
	return isObject(left) &&
		typeof left.key === 'string' &&
		typeof left.index === 'number' &&
		typeof left.offset === 'number'
		? { key: left.key, index: left.index, offset: left.offset }
		: undefined;
}
