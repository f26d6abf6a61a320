import { visible } from '../elicitation/display.ts';
import type { T } from './strings.ts';

export type Child = Node | string;

/** Attributes of our own choosing; text goes in as children, which are text nodes. `true` is the empty attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. There is no way to hand it markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	attributes: Attributes = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value !== undefined && value !== false) {
			element.setAttribute(name, value === true ? '' : String(value));
		}
	}
	element.append(...children);
	return element;
}

/** Server text: hidden characters visible, and its direction kept to itself. */
export function bdi(text: string, attributes: Attributes = {}): HTMLElement {
	return el('bdi', attributes, visible(text));
}

/** A translated text whose `{0}`, `{1}`, … become nodes, so that server text in it stays isolated. */
export function fill(template: string, ...nodes: readonly Node[]): Child[] {
	return template
		.split(/\{(\d+)\}/)
		.map((part, at) => (at % 2 === 1 ? (nodes[Number(part)] ?? `{${part}}`) : part))
		.filter((part) => part !== '');
}

/** What stands between two sentences: a space, or in Chinese nothing. */
export function gap(t: T): string {
	return t('{0} {1}', '', '');
}

/** A button that never submits by itself. */
export function button(text: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
	const element = el('button', { type: 'button', ...attributes }, text);
	element.addEventListener('click', onClick);
	return element;
}

/** Sets the attribute, or removes it when there is nothing to say. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
	if (value === undefined || value === '') {
		element.removeAttribute(name);
	} else {
		element.setAttribute(name, value);
	}
}

/** What scrolls must be reachable by keyboard, and what does not scroll must not be in the way. */
export function reachable(element: HTMLElement): void {
	if (element.scrollHeight > element.clientHeight + 1) {
		element.tabIndex = 0;
	} else {
		element.removeAttribute('tabindex');
	}
}

/** Moves the focus into a page once it has it: one that opened in the background takes none from the user. */
export function whenFocused(focus: () => void): void {
	if (document.hasFocus()) {
		focus();
		return;
	}
	const once = () => {
		if (document.activeElement === document.body || document.activeElement === null) {
			focus();
		}
	};
	window.addEventListener('focus', once, { once: true });
}

let pressed = false;
document.addEventListener('pointerdown', () => setPressed(true), true);
document.addEventListener('pointerup', () => setPressed(false), true);
document.addEventListener('pointercancel', () => setPressed(false), true);

function setPressed(now: boolean): void {
	pressed = now;
}

/**
 * Runs the action now or, while the user presses a button of the mouse, once the click is through: what the action moves
 * would otherwise slip away from under the pointer, and the click be lost.
 */
export function afterPress(action: () => void): void {
	if (pressed) {
		document.addEventListener('pointerup', () => setTimeout(action), { once: true, capture: true });
	} else {
		action();
	}
}
