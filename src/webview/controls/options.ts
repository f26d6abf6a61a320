import type { ChoiceField, ChoicesField, Option } from '../../elicitation/form/fields.ts';
import { bdi, el } from '../dom.ts';
import type { Control, ControlContext } from './control.ts';

interface Item<V> {
	readonly value: V;
	readonly label: Node | string;
	readonly description?: string;
}

/** Yes, No and, where that is allowed, no answer. */
export function booleanControl(initial: boolean | null, context: ControlContext): Control {
	const { t } = context;
	const items: Item<boolean | null>[] = [
		{ value: true, label: t('Yes') },
		{ value: false, label: t('No') },
	];
	return radios(withNoAnswer(items, context), initial, context, 'inline', (value) => ({ kind: 'boolean', value }));
}

/** A choice among few. */
export function radioControl(field: ChoiceField, initial: number | null, context: ControlContext): Control {
	const items: Item<number | null>[] = field.options.map(itemOf);
	return radios(withNoAnswer(items, context), initial, context, 'stacked', (index) => ({ kind: 'choice', index }));
}

function withNoAnswer<V>(items: Item<V | null>[], context: ControlContext): Item<V | null>[] {
	return context.optional ? [...items, { value: null, label: context.noAnswer }] : items;
}

function radios<V>(
	items: readonly Item<V | null>[],
	initial: V | null,
	context: ControlContext,
	layout: 'inline' | 'stacked',
	toInput: (value: V | null) => ReturnType<Control['input']>,
): Control {
	let value = initial;
	const inputs = items.map((item, at) => {
		const input = el('input', { type: 'radio', name: context.id, id: `${context.id}-o${at}` });
		// Without an answer nothing is preselected, unless "no answer" is itself one of the choices.
		input.checked = item.value === initial;
		input.addEventListener('change', () => {
			value = item.value;
			context.changed();
		});
		return input;
	});
	const element = el(
		'div',
		{ class: `options ${layout}` },
		...items.map((item, at) => row(item, inputs[at] as HTMLInputElement)),
	);
	return {
		shape: 'group',
		element,
		target: element,
		input: () => toInput(value),
		focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
	};
}

/** Several among few. Ticking nothing is no answer where that is allowed, otherwise the empty list. */
export function checkboxControl(
	field: ChoicesField,
	initial: readonly number[] | null,
	context: ControlContext,
): Control {
	let indexes = initial;
	const state = el('p', { class: 'note', role: 'status' });
	const boxes = field.options.map((_option, at) => {
		const box = el('input', { type: 'checkbox', id: `${context.id}-o${at}` });
		box.checked = initial?.includes(at) ?? false;
		box.addEventListener('change', () => {
			const ticked = boxes.flatMap((other, index) => (other.checked ? [index] : []));
			indexes = ticked.length === 0 && context.optional ? null : ticked;
			showCount(state, indexes, context);
			context.changed();
		});
		return box;
	});
	showCount(state, indexes, context);
	const rows = field.options.map((option, at) => row(itemOf(option, at), boxes[at] as HTMLInputElement));
	const element = el('div', {}, el('div', { class: 'options stacked' }, ...rows), state);
	return {
		shape: 'group',
		element,
		target: element,
		input: () => ({ kind: 'choices', indexes }),
		focus: () => boxes[0]?.focus(),
	};
}

/** Says how many are selected, or that there is no answer. */
export function showCount(state: HTMLElement, indexes: readonly number[] | null, context: ControlContext): void {
	const { t } = context;
	const none = context.optional ? context.noAnswer : '';
	const count = indexes?.length ?? 0;
	const text = indexes === null ? none : count === 1 ? t('1 selected') : t('{0} selected', count);
	if (state.textContent !== text) {
		state.textContent = text;
	}
}

function itemOf(option: Option, at: number): Item<number> {
	const item = { value: at, label: bdi(option.label) };
	return option.description === undefined ? item : { ...item, description: option.description };
}

function row(item: Item<unknown>, input: HTMLInputElement): HTMLElement {
	const label = el('label', {}, input, el('span', {}, item.label));
	if (item.description === undefined) {
		return el('div', { class: 'option' }, label);
	}
	const description = el('p', { class: 'help', id: `${input.id}-d` }, bdi(item.description));
	input.setAttribute('aria-describedby', description.id);
	return el('div', { class: 'option' }, label, description);
}
