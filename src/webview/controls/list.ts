import type { ListField } from '../../elicitation/form/fields.ts';
import { button, el } from '../dom.ts';
import type { Control, ControlContext } from './control.ts';

/** A list of free entries, one row each. Enter adds a row below; without rows there is no answer where that is allowed. */
export function listControl(field: ListField, initial: readonly string[] | null, context: ControlContext): Control {
	const { t } = context;
	const rows = el('div', { class: 'entries' });
	const items: string[] = [...(initial ?? [])];
	let untouched = true;
	const state = el('p', { class: 'note', role: 'status' });

	function changed(): void {
		untouched = false;
		state.textContent = items.length === 0 && context.optional ? context.noAnswer : '';
		context.changed();
	}
	function draw(): void {
		rows.replaceChildren(...items.map(row));
	}
	function row(text: string, at: number): HTMLElement {
		const input = el('input', {
			type: 'text',
			autocomplete: 'off',
			'aria-label': `${context.label}: ${t('Entry {0}', at + 1)}`,
			inputmode: field.item === 'text' ? undefined : 'decimal',
			dir: field.item === 'text' ? 'auto' : undefined,
		});
		input.value = text;
		input.addEventListener('input', () => {
			items[at] = input.value;
			changed();
		});
		input.addEventListener('keydown', (event) => {
			if (event.key === 'Enter' && !event.isComposing && !event.ctrlKey && !event.metaKey) {
				event.preventDefault();
				event.stopPropagation();
				insert(at + 1);
			}
		});
		const remove = button('×', { class: 'secondary icon', 'aria-label': t('Remove entry {0}', at + 1) }, () =>
			drop(at),
		);
		return el('div', { class: 'row' }, input, remove);
	}
	function insert(at: number): void {
		items.splice(at, 0, '');
		draw();
		rows.children[at]?.querySelector('input')?.focus();
		changed();
	}
	function drop(at: number): void {
		items.splice(at, 1);
		draw();
		(rows.children[Math.min(at, items.length - 1)]?.querySelector('button') ?? add).focus();
		changed();
	}

	const add = button(t('Add entry'), { class: 'secondary' }, () => insert(items.length));
	draw();
	state.textContent = initial === null && context.optional ? context.noAnswer : '';
	const element = el('div', {}, rows, el('div', { class: 'row' }, add, state));
	return {
		shape: 'group',
		element,
		target: element,
		input: () => {
			const none = untouched ? initial === null : items.length === 0 && context.optional;
			return { kind: 'list', items: none ? null : [...items] };
		},
		focus: () => (rows.querySelector('input') ?? add).focus(),
	};
}
