import { visible } from '../../elicitation/display.ts';
import type { ShownJson } from '../../timelineProtocol.ts';
import { button, el } from '../dom.ts';
import type { T } from '../strings.ts';

/** More than this is not coloured: it would be more elements than a page can bear (characters). */
const MOST_COLOURED = 30_000;

/** Names and texts of JSON that the host has printed. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** JSON to be read and selected; hidden characters are visible in it. */
export function jsonElement({ text, cut }: ShownJson, name: string, t: T): HTMLElement {
	// Code keeps its direction.
	const code = el('bdo', { dir: 'ltr' });
	code.append(...(text.length > MOST_COLOURED ? [visible(text)] : coloured(visible(text))));
	const box = el('pre', { class: 'json', tabindex: 0, role: 'region', 'aria-label': name }, code);
	return cut === 0
		? box
		: el(
				'div',
				{},
				box,
				el('p', { class: 'note' }, t('Not shown: {0} characters. Open it as JSON to see all of it.', cut)),
			);
}

function coloured(text: string): (string | HTMLElement)[] {
	const parts: (string | HTMLElement)[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKEN)) {
		const [whole, quoted = '', colon] = match;
		const kind = colon === undefined ? 'json-text' : 'json-name';
		parts.push(text.slice(end, match.index), el('span', { class: kind }, quoted), colon ?? '');
		end = match.index + whole.length;
	}
	return [...parts, text.slice(end)].filter((part) => part !== '');
}

/** A block of JSON under a heading, with what copies it. */
export function jsonBlock(title: string, json: ShownJson, copy: () => void, t: T): HTMLElement {
	return el(
		'section',
		{ class: 'block' },
		el(
			'div',
			{ class: 'block-head' },
			el('h2', {}, title),
			button(t('Copy'), { class: 'link', 'aria-label': t('Copy: {0}', title) }, copy),
		),
		jsonElement(json, title, t),
	);
}
