import type { ChoicesField } from '../../elicitation/fields.ts';
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
	const { t } = context;
	let indexes = initial;
	const selected = new Set(initial ?? []);
	const search = new OptionSearch(field.options);
	const state = el('p', { class: 'note', role: 'status' });
	const empty = el('p', { class: 'note', role: 'status' });
	const list: VirtualList = new VirtualList({
		id: `${context.id}-list`,
		label: context.label,
		several: true,
		twoLines: field.options.some((option) => option.description !== undefined),
		optionAt: (item) => field.options[item] ?? { label: '' },
		isSelected: (item) => selected.has(item),
		onPick: (item) => {
			if (!selected.delete(item)) {
				selected.add(item);
			}
			settle();
		},
		onActive: (id) => setAttribute(list.element, 'aria-activedescendant', id),
	});
	const clear = button(t('Clear the answer'), { class: 'link' }, () => {
		selected.clear();
		settle();
		box.focus();
	});
	const box = el('input', {
		type: 'search',
		placeholder: t('Search'),
		'aria-label': t('Search {0}', context.label),
		autocomplete: 'off',
	});

	function show(): void {
		showCount(state, indexes, context);
		clear.hidden = selected.size === 0;
	}
	function settle(): void {
		indexes = selected.size === 0 && context.optional ? null : [...selected].sort((a, b) => a - b);
		list.render();
		show();
		context.changed();
	}
	function filter(): void {
		const found = search.find(box.value);
		list.element.hidden = found.length === 0;
		empty.textContent = found.length === 0 ? t('No option matches.') : '';
		list.setItems(found, undefined);
	}

	list.element.tabIndex = 0;
	list.element.classList.add('standing');
	list.element.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === ' ' || event.key === 'Enter') {
			list.pickActive();
		} else if (!list.handleKey(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	list.element.addEventListener('focus', () => {
		if (list.activeItem === undefined) {
			list.handleKey('Home');
		}
	});
	box.addEventListener('input', filter);
	box.addEventListener('keydown', (event) => {
		if (event.key === 'ArrowDown' && list.size > 0) {
			list.element.focus();
			event.preventDefault();
		} else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
			event.preventDefault();
			event.stopPropagation();
		} else if (event.key === 'Escape' && box.value !== '') {
			box.value = '';
			filter();
			event.preventDefault();
			event.stopPropagation();
		}
	});
	show();
	filter();
	const element = el('div', { class: 'many' }, box, list.element, empty, el('div', { class: 'row' }, state, clear));
	return {
		shape: 'group',
		element,
		target: element,
		input: () => ({ kind: 'choices', indexes }),
		focus: () => box.focus(),
	};
}
