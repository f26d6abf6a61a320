import { shorten } from '../elicitation/display.ts';
import { bdi, el } from './dom.ts';
import type { T } from './strings.ts';

const mostChildren = 200;
const deepest = 32;
const longestValue = 10_000;

/** JSON as a folded tree. Branches are drawn when they are first opened, and are bounded in width and depth. */
export function tree(value: unknown, t: T): HTMLElement {
	return el('div', { class: 'tree' }, node(undefined, value, 0, t, true));
}

function node(key: string | undefined, value: unknown, depth: number, t: T, open: boolean): HTMLElement {
	const name = key === undefined ? [] : [el('span', { class: 'name' }, bdi(key)), ': '];
	if (typeof value !== 'object' || value === null) {
		return el('div', { class: 'leaf' }, ...name, leaf(value));
	}
	const entries = Object.entries(value);
	const brackets = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
	if (entries.length === 0) {
		return el('div', { class: 'leaf' }, ...name, brackets);
	}
	const branch = el('details', {}, el('summary', {}, ...name, el('span', { class: 'note' }, brackets)));
	const draw = () => branch.append(children(entries, depth + 1, t));
	if (open) {
		draw();
		branch.open = true;
	} else {
		branch.addEventListener('toggle', draw, { once: true });
	}
	return branch;
}

function children(entries: readonly [string, unknown][], depth: number, t: T): HTMLElement {
	if (depth > deepest) {
		return el('p', { class: 'note' }, t('Nested too deeply to be shown. The raw JSON has all of it.'));
	}
	const shown = entries.slice(0, mostChildren).map(([key, value]) => node(key, value, depth, t, false));
	const list = el('div', { class: 'children' }, ...shown);
	if (entries.length > mostChildren) {
		const hidden = entries.length - mostChildren;
		list.append(el('p', { class: 'note' }, t('Not shown: {0} more. The raw JSON has all of it.', hidden)));
	}
	return list;
}

function leaf(value: unknown): HTMLElement {
	const text = typeof value === 'string' ? JSON.stringify(shorten(value, longestValue)) : String(value);
	return el('code', { class: typeof value }, bdi(text));
}
