import { visible } from '../../elicitation/display.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import type { Json } from '../../elicitation/json.ts';
import { button, el } from '../dom.ts';
import type { Control, ControlContext } from './control.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/**
 * Text, numbers and JSON. The element is always a plain text control: `type=number`, `email` and `url` change or lose
 * what was typed. What a control cannot hold (a line break in a single line) makes it a text area.
 */
export function textControl(field: Field, initial: string, context: ControlContext): Control {
	const json = field.kind === 'json';
	const several = json || (field.kind === 'text' && field.entry === 'area') || /[\r\n]/.test(initial);
	const password = field.kind === 'text' && field.entry === 'password';
	const element: TextElement = several && !password ? area(json) : line(field);
	element.value = initial;
	const text = { now: initial };
	element.addEventListener('input', () => {
		text.now = element.value;
		context.changed();
	});
	return {
		shape: 'single',
		element: password ? withReveal(element as HTMLInputElement, context) : element,
		target: element,
		input: () => ({ kind: 'text', text: text.now }),
		focus: () => element.focus(),
	};
}

function area(json: boolean): HTMLTextAreaElement {
	return el('textarea', {
		rows: json ? 5 : 4,
		class: json ? 'code' : undefined,
		spellcheck: String(!json),
		dir: json ? 'ltr' : 'auto',
	});
}

function line(field: Field): HTMLInputElement {
	const entry = field.kind === 'text' ? field.entry : undefined;
	const mode = field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined;
	return el('input', {
		type: entry === 'password' ? 'password' : 'text',
		autocomplete: 'off',
		autocapitalize: 'off',
		spellcheck: String(entry === 'line'),
		inputmode: mode ?? (entry === 'email' ? 'email' : entry === 'uri' ? 'url' : undefined),
		class: field.kind === 'number' ? 'short' : undefined,
		dir: entry === undefined ? undefined : 'auto',
	});
}

function withReveal(input: HTMLInputElement, context: ControlContext): HTMLElement {
	const { t } = context;
	const toggle = button(t('Show'), { class: 'secondary', 'aria-controls': context.id }, () => {
		const masked = input.type === 'password';
		input.type = masked ? 'text' : 'password';
		toggle.textContent = t(masked ? 'Hide' : 'Show');
	});
	return el('div', { class: 'row' }, input, toggle);
}

/** The one allowed value: can be read and copied, not changed. */
export function constControl(value: Json): Control {
	const text = visible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
	const short = text.length <= 60 && !text.includes('\n');
	const element: TextElement = short
		? el('input', { type: 'text', readonly: true, dir: 'auto' })
		: el('textarea', { readonly: true, dir: 'auto', rows: Math.min(8, text.split('\n').length + 1) });
	element.value = text;
	return {
		shape: 'single',
		element,
		target: element,
		input: () => ({ kind: 'const' }),
		focus: () => element.focus(),
	};
}
