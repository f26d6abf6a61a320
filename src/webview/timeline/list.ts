import type { ShownRow, ShownRows } from '../../timelineProtocol.ts';
import { el } from '../dom.ts';
import type { T } from '../strings.ts';
import { rowElement } from './row.ts';

export interface ListOptions {
	readonly t: T;
	/** Asks the host for rows. */
	wants(first: number, count: number, origin: number, anchor?: { key: string; index: number }): void;
	/** A row was made the active one; `undefined` while it is still on its way. */
	select(key: string): void;
	fold(key: string, open: boolean): void;
	/** Enter or a double click. */
	open(key: string): void;
	copy(key: string): void;
	/** Something was typed that is to be searched for. */
	search(text: string): void;
}

/** Where a list was left. */
export interface Left {
	readonly key: string;
	readonly index: number;
	/** Pixels by which its upper edge was cut. */
	readonly offset: number;
}

/** Rows beyond the visible ones that exist, and that are asked for. */
const OVERSCAN = 6;
const AHEAD = 60;

/** A tree of which only the rows near the visible part exist, and only those near them are known. */
export class RowList {
	readonly element: HTMLElement;
	readonly #space = el('div', { role: 'presentation', class: 'space' });
	#height = 22;
	#total = 0;
	#first = 0;
	#rows: readonly ShownRow[] = [];
	#origin = 0;
	#asked: string | undefined;
	#active: { key?: string; index: number } | undefined;
	/** Where it is to be scrolled to, as soon as it has its size. */
	#left: Left | undefined;
	/** The elements that exist, by what they show: a row that has not changed stays the same element. */
	#elements = new Map<string, HTMLElement>();

	constructor(private readonly options: ListOptions) {
		this.element = el('div', {
			role: 'tree',
			class: 'list',
			tabindex: 0,
			'aria-label': options.t('Calls and messages'),
		});
		this.element.append(this.#space);
		this.element.addEventListener('scroll', () => this.#draw(), { passive: true });
		this.element.addEventListener('keydown', (event) => this.#key(event));
		this.element.addEventListener('click', (event) => this.#click(event));
		this.element.addEventListener('dblclick', (event) => this.#doubleClick(event));
		for (const act of ['wheel', 'pointerdown', 'keydown']) {
			this.element.addEventListener(act, () => this.#stay(), { passive: true });
		}
		new ResizeObserver(() => this.#measure()).observe(this.element);
	}

	/** Where it stands, so that it can be left and come back to. */
	get left(): Left | undefined {
		if (this.#left) {
			return this.#left;
		}
		const index = Math.floor(this.element.scrollTop / this.#height);
		const row = this.#at(index);
		return row && index > 0
			? { key: row.key, index, offset: this.element.scrollTop - index * this.#height }
			: undefined;
	}

	/** Asks for the rows with which it begins, where it was left. */
	begin(left: Left | undefined): void {
		this.#measure();
		this.#left = left;
		this.#ask(left?.index ?? 0, left);
	}

	/** Takes rows from the host. */
	take({ total, first, rows, origin, selected }: ShownRows): void {
		const moved = origin - this.#origin;
		this.#origin = origin;
		this.#total = total;
		this.#first = first;
		this.#rows = rows;
		this.#asked = undefined;
		this.#space.style.height = `${total * this.#height}px`;
		if (this.#left) {
			this.#left = { ...this.#left, index: this.#left.index + moved };
			this.#comeBack();
		} else if (moved !== 0) {
			this.element.scrollTop += moved * this.#height;
		}
		this.#follow(selected, moved);
		this.#draw();
	}

	/** Brings a row into view and makes it the active one. */
	place(index: number): void {
		this.#stay();
		this.#active = { index };
		this.#reveal(index, true);
		this.#settle();
		this.#draw();
	}

	/** Everything is another: whatever was asked for or active is of no meaning any more. */
	toTop(): void {
		this.#stay();
		this.#active = undefined;
		this.element.scrollTop = 0;
	}

	/** Scrolls to where it was left: a page that is shown again may not have its final size yet. */
	#comeBack(): void {
		if (this.#left) {
			const top = this.#left.index * this.#height + this.#left.offset;
			this.element.scrollTop = top;
			if (Math.abs(this.element.scrollTop - top) <= 1) {
				this.#left = undefined;
			}
		}
	}

	/** From here on the user decides where it stands. */
	#stay(): void {
		this.#left = undefined;
	}

	/** The active row moves with the line that it shows. Something is always active, so that there is something to see. */
	#follow(selected: ShownRows['selected'], moved: number): void {
		const active = this.#active;
		const at = active?.key === undefined ? -1 : this.#rows.findIndex(({ key }) => key === active.key);
		if (active && at >= 0) {
			active.index = this.#first + at;
		} else if (active?.key !== undefined && selected?.key !== active.key) {
			// The host has not heard of it yet.
			active.index += moved;
		} else if (selected?.index !== undefined && (!active || active.key === selected.key)) {
			this.#active = { ...selected, index: selected.index };
		} else if (this.#total > 0) {
			const index = active ? active.index : Math.floor(this.element.scrollTop / this.#height);
			this.#active = { index: Math.min(index, this.#total - 1) };
			this.#settle();
		}
	}

	/** The active row has become known: it is selected. */
	#settle(): void {
		const active = this.#active;
		const row = active && this.#at(active.index);
		if (active && row && active.key !== row.key) {
			active.key = row.key;
			this.options.select(row.key);
		}
	}

	#at(index: number): ShownRow | undefined {
		return this.#rows[index - this.#first];
	}

	#measure(): void {
		const size = Number.parseFloat(getComputedStyle(this.element).fontSize) || 13;
		this.#height = Math.max(22, Math.ceil(size * 1.7));
		this.#space.style.height = `${this.#total * this.#height}px`;
		if (this.#total > 0) {
			this.#comeBack();
		}
		this.#draw();
	}

	/** Pixels; before there is a layout, as many as are usual. */
	get #view(): number {
		return this.element.clientHeight || 400;
	}

	get #visible(): number {
		return Math.ceil(this.#view / this.#height) + 1;
	}

	/** Draws the rows around the visible part, as far as they are known, and asks for more before they run out. */
	#draw(): void {
		const top = Math.floor(this.element.scrollTop / this.#height);
		const first = Math.max(0, top - OVERSCAN);
		const end = Math.min(this.#total, top + this.#visible + OVERSCAN);
		const elements = new Map<string, HTMLElement>();
		for (let index = first; index < end; index++) {
			const row = this.#at(index);
			if (row) {
				const shown = JSON.stringify(row);
				const element = this.#elements.get(shown) ?? rowElement(row, this.options.t);
				this.#put(element, index);
				elements.set(shown, element);
			}
		}
		for (const [shown, element] of this.#elements) {
			if (!elements.has(shown)) {
				element.remove();
			}
		}
		this.#elements = elements;
		const active = this.#active;
		const isDrawn = active?.key !== undefined && [...elements.values()].some(({ id }) => id === `row-${active.index}`);
		setActive(this.element, isDrawn ? `row-${active.index}` : undefined);
		this.#askAround(top);
	}

	#put(element: HTMLElement, index: number): void {
		const isActive = this.#active?.index === index && this.#active.key === this.#at(index)?.key;
		element.id = `row-${index}`;
		element.dataset.index = String(index);
		element.style.top = `${index * this.#height}px`;
		element.style.height = `${this.#height}px`;
		element.classList.toggle('active', isActive);
		element.setAttribute('aria-selected', String(isActive));
		if (element.parentNode !== this.#space) {
			this.#space.append(element);
		}
	}

	#askAround(top: number): void {
		const from = Math.max(0, top - AHEAD / 3);
		const to = Math.min(this.#total, top + this.#visible + AHEAD / 3);
		if (from < this.#first || to > this.#first + this.#rows.length) {
			this.#ask(top, undefined);
		}
	}

	#ask(top: number, left: Left | undefined): void {
		const first = Math.max(0, top - AHEAD);
		const count = this.#visible + 2 * AHEAD;
		const row = left ?? (this.element.scrollTop > 0 ? this.#at(top) : undefined);
		const asked = `${first} ${count} ${this.#origin} ${row?.key}`;
		if (asked !== this.#asked) {
			this.#asked = asked;
			const anchor = row && { key: row.key, index: top };
			this.options.wants(first, count, this.#origin, anchor);
		}
	}

	#reveal(index: number, centre = false): void {
		const view = this.#view;
		const top = index * this.#height;
		const { scrollTop } = this.element;
		if (top < scrollTop || top + this.#height > scrollTop + view) {
			this.element.scrollTop = centre
				? top - (view - this.#height) / 2
				: top < scrollTop
					? top
					: top + this.#height - view;
		}
	}

	#move(index: number): void {
		if (this.#total === 0) {
			return;
		}
		this.#active = { index: Math.max(0, Math.min(this.#total - 1, index)) };
		this.#reveal(this.#active.index);
		this.#settle();
		this.#draw();
	}

	#key(event: KeyboardEvent): void {
		const { key, ctrlKey, metaKey, altKey } = event;
		const index = this.#active?.index ?? -1;
		const row = this.#at(index);
		const page = Math.max(1, this.#visible - 2);
		const move = Object.hasOwn(MOVES, key) ? MOVES[key] : undefined;
		if ((ctrlKey || metaKey) && key.toLowerCase() === 'c' && row) {
			this.options.copy(row.key);
		} else if (ctrlKey || metaKey || altKey) {
			return;
		} else if (move) {
			this.#move(move({ index, page, last: this.#total - 1 }));
		} else if (key === 'ArrowRight' && row) {
			this.#unfold(row, index);
		} else if (key === 'ArrowLeft' && row) {
			this.#foldUp(row, index);
		} else if (key === 'Enter' && row) {
			this.#enter(row);
		} else if (key.length === 1 && key !== ' ') {
			this.options.search(key);
		} else {
			return;
		}
		event.preventDefault();
	}

	#unfold(row: ShownRow, index: number): void {
		if (row.open === false) {
			this.options.fold(row.key, true);
		} else if (row.open) {
			this.#move(index + 1);
		}
	}

	#foldUp(row: ShownRow, index: number): void {
		if (row.open) {
			this.options.fold(row.key, false);
		} else if (row.up > 0) {
			this.#move(index - row.up);
		}
	}

	#enter(row: ShownRow): void {
		if (row.open === undefined) {
			this.options.open(row.key);
		} else {
			this.options.fold(row.key, !row.open);
		}
	}

	#click(event: MouseEvent): void {
		const index = indexOf(event);
		const row = index === undefined ? undefined : this.#at(index);
		if (index === undefined || !row) {
			return;
		}
		this.#move(index);
		const onTwistie = (event.target as Element).closest('[data-fold]') !== null;
		if (row.open !== undefined && (onTwistie || event.detail > 1)) {
			this.options.fold(row.key, !row.open);
		}
	}

	#doubleClick(event: MouseEvent): void {
		const row = this.#at(indexOf(event) ?? -1);
		if (row && row.open === undefined) {
			this.options.open(row.key);
		}
	}
}

interface Place {
	readonly index: number;
	readonly page: number;
	readonly last: number;
}

const MOVES: Readonly<Record<string, (place: Place) => number>> = {
	ArrowDown: ({ index }) => index + 1,
	ArrowUp: ({ index }) => index - 1,
	PageDown: ({ index, page }) => index + page,
	PageUp: ({ index, page }) => index - page,
	Home: () => 0,
	End: ({ last }) => last,
};

function indexOf(event: Event): number | undefined {
	const row = (event.target as Element).closest<HTMLElement>('[data-index]');
	return row ? Number(row.dataset.index) : undefined;
}

function setActive(element: HTMLElement, id: string | undefined): void {
	if (id === undefined) {
		element.removeAttribute('aria-activedescendant');
	} else {
		element.setAttribute('aria-activedescendant', id);
	}
}
