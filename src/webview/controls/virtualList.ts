import { bdi, el } from '../dom.ts';

export interface VirtualOption {
	readonly label: string;
	readonly description?: string;
}

export interface VirtualListOptions {
	readonly id: string;
	readonly label: string;
	readonly several: boolean;
	readonly optionAt: (item: number) => VirtualOption;
	readonly isSelected: (item: number) => boolean;
	readonly onPick: (item: number) => void;
	/** The active option's element id, or `undefined` when none is active. */
	readonly onActive: (id: string | undefined) => void;
	readonly twoLines: boolean;
}

const visibleRows = 8;
const overscan = 4;

/** A listbox in which only the options near the visible part exist, so that ten thousand cost no more than ten. */
export class VirtualList {
	readonly element: HTMLElement;
	#items: readonly number[] = [];
	#active = -1;
	#rowHeight = 0;
	readonly #space = el('div', { role: 'presentation', class: 'space' });

	constructor(private readonly options: VirtualListOptions) {
		this.element = el('div', {
			id: options.id,
			role: 'listbox',
			class: 'listbox',
			'aria-label': options.label,
			'aria-multiselectable': options.several ? 'true' : undefined,
		});
		this.element.append(this.#space);
		this.element.addEventListener('scroll', () => this.render(), { passive: true });
		// The focus stays where it is: in the search box or on the list.
		this.element.addEventListener('mousedown', (event) => event.preventDefault());
		this.element.addEventListener('click', (event) => this.#click(event));
	}

	get size(): number {
		return this.#items.length;
	}

	get activeItem(): number | undefined {
		return this.#items[this.#active];
	}

	/** Shows these items; the active one is the item given, or none. */
	setItems(items: readonly number[], active: number | undefined): void {
		this.#items = items;
		this.#active = active === undefined ? -1 : items.indexOf(active);
		this.element.scrollTop = 0;
		this.#reveal();
	}

	/** Moves the active option by keyboard. True when the key was one for a list. */
	handleKey(key: string): boolean {
		const last = this.#items.length - 1;
		const moves: Record<string, number> = {
			ArrowDown: this.#active + 1,
			ArrowUp: this.#active < 0 ? last : this.#active - 1,
			PageDown: this.#active + visibleRows,
			PageUp: this.#active - visibleRows,
			Home: 0,
			End: last,
		};
		if (!Object.hasOwn(moves, key)) {
			return false;
		}
		this.#active = Math.max(0, Math.min(last, moves[key] ?? 0));
		this.#reveal();
		return true;
	}

	pickActive(): void {
		const item = this.activeItem;
		if (item !== undefined && this.element.getAttribute('aria-disabled') !== 'true') {
			this.options.onPick(item);
		}
	}

	/** Draws the options around the visible part. */
	render(): void {
		const height = this.#measure();
		const shown = Math.ceil((this.element.clientHeight || visibleRows * height) / height);
		const first = Math.max(0, Math.floor(this.element.scrollTop / height) - overscan);
		const end = Math.min(this.#items.length, first + shown + 2 * overscan);
		this.#space.style.height = `${this.#items.length * height}px`;
		const rows: HTMLElement[] = [];
		for (let at = first; at < end; at++) {
			rows.push(this.#row(at, height));
		}
		this.#space.replaceChildren(...rows);
		this.options.onActive(this.#active >= first && this.#active < end ? this.#rowId(this.#active) : undefined);
	}

	#measure(): number {
		if (this.#rowHeight === 0) {
			const size = Number.parseFloat(getComputedStyle(this.element).fontSize) || 13;
			this.#rowHeight = Math.ceil(size * (this.options.twoLines ? 3.2 : 1.9));
			this.element.style.maxHeight = `${visibleRows * this.#rowHeight + 2}px`;
		}
		return this.#rowHeight;
	}

	#reveal(): void {
		const height = this.#measure();
		this.#space.style.height = `${this.#items.length * height}px`;
		if (this.#active >= 0) {
			const view = this.element.clientHeight || visibleRows * height;
			const top = this.#active * height;
			this.element.scrollTop = Math.max(top + height - view, Math.min(this.element.scrollTop, top));
		}
		this.render();
	}

	#row(at: number, height: number): HTMLElement {
		const item = this.#items[at] as number;
		const option = this.options.optionAt(item);
		const label = bdi(option.label);
		const row = el(
			'div',
			{
				id: this.#rowId(at),
				role: 'option',
				class: at === this.#active ? 'row-option active' : 'row-option',
				title: label.textContent ?? '',
				'data-at': at,
				'aria-selected': String(this.options.isSelected(item)),
				'aria-setsize': this.#items.length,
				'aria-posinset': at + 1,
			},
			label,
		);
		if (option.description !== undefined) {
			row.append(el('span', { class: 'help' }, bdi(option.description)));
		}
		row.style.top = `${at * height}px`;
		row.style.height = `${height}px`;
		return row;
	}

	#rowId(at: number): string {
		return `${this.options.id}-${at}`;
	}

	#click(event: MouseEvent): void {
		const row = (event.target as Element).closest('[data-at]');
		if (row !== null) {
			this.#active = Number(row.getAttribute('data-at'));
			this.pickActive();
		}
	}
}

/** Finds the items whose label or description contains the words typed. */
export class OptionSearch {
	#haystack: string[] | undefined;

	constructor(private readonly options: readonly VirtualOption[]) {}

	find(query: string): number[] {
		const words = query
			.toLowerCase()
			.split(/\s+/)
			.filter((word) => word !== '');
		this.#haystack ??= this.options.map((option) => `${option.label}\n${option.description ?? ''}`.toLowerCase());
		return this.#haystack.flatMap((text, at) => (words.every((word) => text.includes(word)) ? [at] : []));
	}
}
