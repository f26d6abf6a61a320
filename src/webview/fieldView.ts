import { shorten, visible } from '../elicitation/display.ts';
import type { Input } from '../elicitation/form/answer.ts';
import type { Field } from '../elicitation/form/fields.ts';
import { constraintOf } from './constraint.ts';
import { buildControl } from './controls/build.ts';
import type { Control } from './controls/control.ts';
import { afterPress, bdi, type Child, el, setAttribute } from './dom.ts';
import { Settling } from './settling.ts';
import type { T } from './strings.ts';

/** What a field is called, hidden characters visible. */
export function fieldName(field: Field, t: T): string {
	const shown = visible(field.label);
	return shown.trim() === '' ? t('(no name)') : shown;
}

/** One field: label, control, help, error, and the ties between them. */
export class FieldView {
	readonly element: HTMLElement;
	readonly control: Control;
	/** Set once the user has been here: from then on errors are shown while typing. */
	touched = false;
	/** What carries the help and the error for assistive technology. */
	readonly #target: HTMLElement;
	readonly #describedBy: string[] = [];
	readonly #settling: Settling | undefined;
	#error: HTMLElement | undefined;

	constructor(
		private readonly field: Field,
		input: Input | undefined,
		private readonly id: string,
		private readonly t: T,
		changed: () => void,
	) {
		const label = fieldName(field, t);
		const optional = !field.required || field.nullable;
		this.control = buildControl(field, input, {
			t,
			id,
			label,
			optional,
			noAnswer: t(field.required ? 'Empty (null)' : 'No answer'),
			changed,
		});
		const group = this.control.shape === 'group';
		const required = !optional && field.kind !== 'const';
		const help = this.#help(group && required);
		if (group) {
			this.element = el('fieldset', { class: 'field' }, el('legend', {}, ...this.#label(label, required)), ...help);
			this.element.append(this.control.element);
			this.#target = this.element;
		} else {
			const [name, ...rest] = this.#label(label, required);
			const line = el('div', { class: 'label' }, el('label', { for: id }, name as Child), ...rest);
			this.element = el('div', { class: 'field' }, line, this.control.element, ...help);
			this.#target = this.control.target;
			this.#target.id = id;
			setAttribute(this.#target, 'aria-required', required ? 'true' : undefined);
		}
		setAttribute(this.#target, 'aria-describedby', this.#describedBy.join(' '));
		const visited = () => {
			this.#settling?.settle();
			this.touched = true;
			changed();
		};
		this.#settling = field.kind === 'json' ? new Settling(this.#target, visited) : undefined;
		this.element.addEventListener('focusout', (event) => {
			// Whoever looks at another part of the window, and will come back, has not left the field.
			const next = (event.relatedTarget ?? document.activeElement) as Node | null;
			if (!this.element.contains(next)) {
				afterPress(visited);
			}
		});
	}

	#label(label: string, required: boolean): Child[] {
		const { field } = this;
		const parts: Child[] = [bdi(label)];
		if (required) {
			parts.push(el('span', { class: 'mark', 'aria-hidden': 'true' }, '*'));
		}
		if (field.key !== field.label) {
			const id = `${this.id}-key`;
			parts.push(el('code', { class: 'key', id, 'aria-hidden': 'true' }, bdi(shorten(field.key, 200))));
			this.#describedBy.push(id);
		}
		return parts;
	}

	#help(sayRequired: boolean): HTMLElement[] {
		const { field, id } = this;
		const description = field.description ? [bdi(field.description)] : [];
		const constraint = constraintOf(field, this.t);
		const spoken = sayRequired ? [el('span', { class: 'spoken' }, this.t('Required.'))] : [];
		if (description.length + constraint.length + spoken.length === 0) {
			return [];
		}
		const help = el('p', { class: 'help', id: `${id}-help` }, ...description);
		if (description.length > 0 && constraint.length > 0) {
			help.append(' ');
		}
		help.append(...(constraint.length > 0 ? [el('span', {}, ...constraint)] : []), ...spoken);
		this.#describedBy.push(help.id);
		return [help];
	}

	input(): Input {
		return this.control.input();
	}

	/** Settles what is still being typed, before the inputs are read for good. */
	settle(): void {
		this.#settling?.settle();
		this.control.commit?.();
	}

	focus(): void {
		this.control.focus();
		this.element.scrollIntoView?.({ block: 'nearest' });
	}

	/** Shows an error under the field, or none. An unchanged one is left alone, so that it is not announced again. */
	setError(text: string | undefined): void {
		if (text === undefined) {
			this.#error?.remove();
			this.#error = undefined;
		} else if (this.#settling?.isSettled === false) {
			return;
		} else if (this.#error === undefined) {
			this.#error = el('p', { class: 'error', role: 'alert', id: `${this.id}-error` }, bdi(text));
			this.element.append(this.#error);
		} else if (this.#error.textContent !== visible(text)) {
			this.#error.replaceChildren(bdi(text));
		}
		const error = this.#error?.id;
		setAttribute(this.#target, 'aria-invalid', error === undefined ? undefined : 'true');
		setAttribute(this.#target, 'aria-errormessage', error);
		const described = error === undefined ? this.#describedBy : [error, ...this.#describedBy];
		setAttribute(this.#target, 'aria-describedby', described.join(' '));
	}
}
