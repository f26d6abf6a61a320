import type { ChoicesField } from '../../elicitation/form/fields.ts';
import { button, el, setAttribute } from '../dom.ts';
import type { Control, ControlContext } from './control.ts';
import { showCount } from './options.ts';
import { OptionSearch, VirtualList } from './virtualList.ts';

/** Several among many: a search box above a list in which Space ticks. */
export function manyOfControl(
	field: ChoicesField,
	initial: readonly number[] | null,
	context: ControlContext,
): Control {
	const many = new ManyOf(field, initial, context);
	return {
		shape: 'group',
		element: many.element,
		target: many.element,
		input: () => ({ kind: 'choices', indexes: many.indexes }),
		focus: () => many.box.focus(),
	};
}

class ManyOf {
	indexes: readonly number[] | null;
	readonly element: HTMLElement;
	readonly box: HTMLInputElement;
	readonly #selected: Set<number>;
	readonly #search: OptionSearch;
	readonly #list: VirtualList;
	readonly #count = el('p', { class: 'note', role: 'status' });
	readonly #empty = el('p', { class: 'note', role: 'status' });
	readonly #clear: HTMLButtonElement;

	constructor(
		field: ChoicesField,
		initial: readonly number[] | null,
		private readonly context: ControlContext,
	) {
		const { t } = context;
		this.indexes = initial;
		this.#selected = new Set(initial ?? []);
		this.#search = new OptionSearch(field.options);
		this.box = el('input', {
			type: 'search',
			placeholder: t('Search'),
			dir: 'auto',
			'aria-label': t('Search {0}', context.label),
			autocomplete: 'off',
		});
		this.#list = new VirtualList({
			id: `${context.id}-list`,
			label: context.label,
			several: true,
			twoLines: field.options.some((option) => option.description !== undefined),
			optionAt: (item) => field.options[item] ?? { label: '' },
			isSelected: (item) => this.#selected.has(item),
			onPick: (item) => this.#toggle(item),
			onActive: (id) => setAttribute(this.#list.element, 'aria-activedescendant', id),
		});
		this.#clear = button(t('Clear the answer'), { class: 'link' }, () => {
			this.#selected.clear();
			this.#settle();
			this.box.focus();
		});
		const state = el('div', { class: 'row' }, this.#count, this.#clear);
		this.element = el('div', {}, this.box, this.#list.element, this.#empty, state);
		this.#listen();
		this.#show();
		this.#filter();
	}

	#listen(): void {
		const list = this.#list.element;
		list.tabIndex = 0;
		list.classList.add('standing');
		list.addEventListener('keydown', (event) => this.#listKey(event));
		list.addEventListener('focus', () => {
			if (this.#list.activeItem === undefined) {
				this.#list.handleKey('Home');
			}
		});
		this.box.addEventListener('input', () => this.#filter());
		this.box.addEventListener('keydown', (event) => this.#boxKey(event));
	}

	#toggle(item: number): void {
		if (!this.#selected.delete(item)) {
			this.#selected.add(item);
		}
		this.#settle();
	}

	#settle(): void {
		const none = this.#selected.size === 0 && this.context.optional;
		this.indexes = none ? null : [...this.#selected].sort((a, b) => a - b);
		this.#list.render();
		this.#show();
		this.context.changed();
	}

	#show(): void {
		showCount(this.#count, this.indexes, this.context);
		this.#clear.hidden = this.#selected.size === 0;
	}

	#filter(): void {
		const found = this.#search.find(this.box.value);
		this.#list.element.hidden = found.length === 0;
		this.#empty.textContent = found.length === 0 ? this.context.t('No option matches.') : '';
		this.#list.setItems(found, undefined);
	}

	#listKey(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === ' ' || event.key === 'Enter') {
			this.#list.pickActive();
		} else if (!this.#list.handleKey(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	#boxKey(event: KeyboardEvent): void {
		if (event.isComposing || event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === 'ArrowDown' && this.#list.size > 0) {
			this.#list.element.focus();
		} else if (event.key === 'Escape' && this.box.value !== '') {
			this.box.value = '';
			this.#filter();
		} else if (event.key !== 'Enter') {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}
