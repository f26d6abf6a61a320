import { button, el, gap } from '../dom.ts';
import { type LocalMoment, localOf, localTimeOf, momentOf, timeOf } from '../localTime.ts';
import type { Control, ControlContext } from './control.ts';

type Entry = 'date' | 'date-time' | 'time';

const nativeTypes = { date: 'date', 'date-time': 'datetime-local', time: 'time' } as const;

/** Dates and times: the native picker, or, at any time, the text that is sent. */
export function momentControl(entry: Entry, initial: string, context: ControlContext): Control {
	const moment = new MomentControl(entry, initial, context);
	return {
		shape: 'single',
		element: moment.element,
		target: moment.field,
		input: () => ({ kind: 'text', text: moment.text }),
		focus: () => moment.field.focus(),
		trouble: () => (moment.field.validity.badInput ? context.t('This entry is incomplete.') : undefined),
	};
}

class MomentControl {
	text: string;
	readonly element: HTMLElement;
	readonly field = el('input', { autocomplete: 'off' });
	readonly #offset = el('span', { class: 'offset' });
	readonly #choice: HTMLSelectElement;
	readonly #note = el('p', { class: 'note' });
	readonly #toggle: HTMLButtonElement;
	#local: LocalMoment | undefined;

	constructor(
		private readonly entry: Entry,
		initial: string,
		private readonly context: ControlContext,
	) {
		this.text = initial;
		this.#choice = el('select', { 'aria-label': context.t('Offset from UTC') });
		this.#toggle = button('', { class: 'link' }, () => {
			this.#setPicker(this.field.type === 'text');
			this.field.focus();
		});
		this.field.addEventListener('input', () => this.#read());
		this.#choice.addEventListener('change', () => {
			this.#take(this.#choice.selectedIndex);
		});
		this.element = el(
			'div',
			{},
			el('div', { class: 'row' }, this.field, this.#offset, this.#choice, this.#toggle),
			this.#note,
		);
		this.#setPicker(initial === '' || this.#pickerValue() !== undefined);
	}

	/** The picker's value for the text; `undefined` when the picker cannot show it. */
	#pickerValue(): string | undefined {
		switch (this.entry) {
			case 'date':
				return /^\d{4}-\d\d-\d\d$/.test(this.text) ? this.text : undefined;
			case 'date-time':
				return localOf(this.text);
			case 'time':
				return localTimeOf(this.text, new Date());
		}
	}

	#setPicker(picker: boolean): void {
		const value = picker ? (this.#pickerValue() ?? '') : this.text;
		this.field.type = picker ? nativeTypes[this.entry] : 'text';
		this.field.className = `moment ${picker ? this.entry : 'text'}`;
		if (picker && this.entry !== 'date') {
			this.field.step = '1';
		}
		if (picker && this.entry !== 'time') {
			this.field.max = this.entry === 'date' ? '9999-12-31' : '9999-12-31T23:59:59';
		}
		this.field.value = value;
		this.#local = undefined;
		this.#toggle.textContent = this.context.t(picker ? 'Type as text' : 'Use the picker');
		this.#show();
	}

	#read(): void {
		const value = this.field.value;
		this.#local = undefined;
		if (this.field.type === 'text' || this.entry === 'date' || value === '') {
			this.text = value;
		} else if (this.entry === 'time') {
			this.text = timeOf(value, new Date())?.text ?? value;
		} else {
			this.#local = momentOf(value);
			this.text = this.#local?.texts[0] ?? value;
		}
		this.#show();
		this.context.changed();
	}

	#take(index: number): void {
		this.text = this.#local?.texts[index] ?? this.text;
		this.#show();
		this.context.changed();
	}

	#show(): void {
		const { t } = this.context;
		const picker = this.field.type !== 'text';
		const odd = this.#local?.oddity;
		const offset = /(?:Z|[+-]\d\d:\d\d)$/.exec(this.entry === 'date' ? '' : this.text)?.[0];
		this.#offset.hidden = !picker || odd !== undefined || offset === undefined;
		this.#offset.textContent = offset === undefined ? '' : offset === 'Z' ? 'UTC' : `UTC${offset}`;
		this.#choice.hidden = odd === undefined;
		if (this.#local !== undefined && odd !== undefined) {
			const chosen = this.#local.texts.indexOf(this.text);
			this.#choice.replaceChildren(...this.#local.offsets.map((text) => el('option', {}, `UTC${text}`)));
			this.#choice.selectedIndex = chosen;
		}
		const warning =
			odd === 'twice'
				? t('The clock shows this time twice on that day. Check the offset.')
				: odd === 'never'
					? t('The clock skips this time on that day. Check the offset.')
					: undefined;
		const sent = picker && this.entry !== 'date' && this.text !== '' ? t('Sent as {0}', this.text) : undefined;
		this.#note.textContent = [warning, sent].filter((line) => line !== undefined).join(gap(t));
		this.#note.hidden = this.#note.textContent === '';
		this.#toggle.disabled = !picker && this.text !== '' && this.#pickerValue() === undefined;
	}
}
