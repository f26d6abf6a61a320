import { visible } from '../../elicitation/display.ts';
import type { ChoiceField } from '../../elicitation/form/fields.ts';
import { el, setAttribute } from '../dom.ts';
import type { Control, ControlContext } from './control.ts';
import { OptionSearch, VirtualList } from './virtualList.ts';

/** Stands for "no answer" among the items of the list. */
const nothing = -1;

/** A choice among many: type to narrow, arrows to move, Enter to choose, Escape to close. */
export function comboboxControl(field: ChoiceField, initial: number | null, context: ControlContext): Control {
	const box = new Combobox(field, initial, context);
	return {
		shape: 'single',
		element: box.element,
		target: box.field,
		input: () => ({ kind: 'choice', index: box.index }),
		focus: () => box.field.focus(),
		commit: () => box.leave(),
		trouble: () => (box.unmatched ? context.t('Choose one of the options.') : undefined),
	};
}

class Combobox {
	index: number | null;
	/** True while the box holds text that is none of the options. */
	unmatched = false;
	readonly element: HTMLElement;
	readonly field: HTMLInputElement;
	readonly #list: VirtualList;
	readonly #search: OptionSearch;
	readonly #empty: HTMLElement;
	readonly #popup: HTMLElement;
	#typed = false;

	constructor(
		private readonly choice: ChoiceField,
		initial: number | null,
		private readonly context: ControlContext,
	) {
		this.index = initial;
		this.#search = new OptionSearch(choice.options);
		this.#list = new VirtualList({
			id: `${context.id}-list`,
			label: context.label,
			several: false,
			twoLines: choice.options.some((option) => option.description !== undefined),
			optionAt: (item) => choice.options[item] ?? { label: context.noAnswer },
			isSelected: (item) => item === (this.index ?? nothing),
			onPick: (item) => this.#pick(item === nothing ? null : item),
			onActive: (id) => setAttribute(this.field, 'aria-activedescendant', id),
		});
		this.field = el('input', {
			type: 'text',
			role: 'combobox',
			autocomplete: 'off',
			spellcheck: 'false',
			placeholder: context.t('Search'),
			dir: 'auto',
			'aria-autocomplete': 'list',
			'aria-expanded': 'false',
			'aria-controls': this.#list.element.id,
		});
		this.#empty = el('p', { class: 'note', role: 'status' });
		this.#popup = el('div', { class: 'popup', hidden: true }, this.#list.element);
		this.element = el('div', { class: 'combobox' }, this.field, this.#popup, this.#empty);
		this.#showChosen();
		this.field.addEventListener('input', () => this.#type());
		this.field.addEventListener('click', () => this.#open());
		this.field.addEventListener('keydown', (event) => this.#key(event));
		this.field.addEventListener('focus', () => this.field.select());
		this.field.addEventListener('blur', () => this.leave());
	}

	get #isOpen(): boolean {
		return !this.#popup.hidden;
	}

	#open(): void {
		if (this.#isOpen || this.field.disabled) {
			return;
		}
		this.#popup.hidden = false;
		this.field.setAttribute('aria-expanded', 'true');
		const all = this.choice.options.map((_option, at) => at);
		this.#setItems(this.context.optional ? [nothing, ...all] : all, this.index ?? undefined);
		this.#popup.scrollIntoView?.({ block: 'nearest' });
	}

	#close(): void {
		this.#popup.hidden = true;
		this.#empty.textContent = '';
		this.field.setAttribute('aria-expanded', 'false');
		this.field.removeAttribute('aria-activedescendant');
	}

	#setItems(items: readonly number[], active: number | undefined): void {
		this.#list.element.hidden = items.length === 0;
		this.#empty.textContent = items.length === 0 ? this.context.t('No option matches.') : '';
		this.#list.setItems(items, active);
	}

	#type(): void {
		this.#open();
		this.#typed = true;
		const found = this.#search.find(this.field.value);
		this.#setItems(found, this.field.value.trim() === '' ? undefined : found[0]);
	}

	#key(event: KeyboardEvent): void {
		if (event.isComposing || event.ctrlKey || event.metaKey) {
			return;
		}
		if (!this.#isOpen) {
			if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
				this.#open();
				event.preventDefault();
			}
			return;
		}
		const caret = event.key === 'Home' || event.key === 'End';
		if (event.key === 'Enter' && this.#list.activeItem !== undefined) {
			this.#list.pickActive();
		} else if (event.key === 'Enter') {
			this.leave();
		} else if (event.key === 'Escape') {
			this.#showChosen();
			this.#close();
		} else if (caret || !this.#list.handleKey(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	#pick(index: number | null): void {
		this.index = index;
		this.#showChosen();
		this.#close();
		this.context.changed();
	}

	/** On the way out, text that names exactly one option chooses it; emptied means no answer; the rest stays, marked. */
	leave(): void {
		this.#close();
		if (!this.#typed) {
			return;
		}
		const text = this.field.value.trim().toLowerCase();
		const found = this.#search.find(text);
		const exact = found.filter((at) => visible(this.choice.options[at]?.label ?? '').toLowerCase() === text);
		if (text === '' || (this.context.optional && text === this.context.noAnswer.toLowerCase())) {
			this.#pick(null);
		} else if (exact.length === 1 || found.length === 1) {
			this.#pick(exact[0] ?? found[0] ?? null);
		} else {
			this.unmatched = true;
			this.context.changed();
		}
	}

	#showChosen(): void {
		const option = this.index === null ? undefined : this.choice.options[this.index];
		this.#typed = false;
		this.unmatched = false;
		this.field.value =
			option === undefined ? (this.context.optional ? this.context.noAnswer : '') : visible(option.label);
	}
}
