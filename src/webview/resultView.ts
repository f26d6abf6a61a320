import { own } from '../elicitation/json.ts';
import type { ResultModel } from '../protocol.ts';
import { contentBlock } from './content.ts';
import { bdi, button, el, fill } from './dom.ts';
import type { T } from './strings.ts';
import { tree } from './tree.ts';

const mostBlocks = 200;

/** A tool's result, rendered. */
export function renderResult(model: ResultModel, t: T, openJson: () => void): HTMLElement[] {
	const outcome = model.isError ? t('The tool reported an error.') : t('The tool finished.');
	const header = el(
		'header',
		{},
		el(
			'div',
			{ class: 'top' },
			el('h1', {}, ...fill(t('{0} on {1}'), bdi(model.tool), bdi(model.server))),
			el('p', { class: 'origin' }, times(model, t)),
		),
		el(
			'div',
			{ class: 'outcome' },
			el('p', { class: model.isError ? 'failed' : 'finished', role: 'status' }, outcome),
			button(t('Open raw JSON'), { class: 'secondary' }, openJson),
		),
	);
	return [header, el('div', { class: 'body' }, ...body(model.result, t))];
}

function times(model: ResultModel, t: T): string {
	const server = duration(model.serverTime, t);
	return model.humanTime > 0
		? t('server {0} · you {1}', server, duration(model.humanTime, t))
		: t('server {0}', server);
}

function duration(milliseconds: number, t: T): string {
	if (milliseconds < 1000) {
		return t('{0} ms', Math.max(0, Math.round(milliseconds)));
	}
	const seconds = milliseconds / 1000;
	if (seconds < 60) {
		return t('{0} s', seconds < 10 ? seconds.toFixed(1) : Math.round(seconds));
	}
	const whole = Math.round(seconds);
	return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
}

function body(result: unknown, t: T): HTMLElement[] {
	const content = own(result, 'content');
	const structured = own(result, 'structuredContent');
	const blocks = Array.isArray(content) ? content : [];
	const parts = blocks.slice(0, mostBlocks).map((block) => contentBlock(block, t));
	if (blocks.length > mostBlocks) {
		const hidden = blocks.length - mostBlocks;
		parts.push(el('p', { class: 'note' }, t('Not shown: {0} more. The raw JSON has all of it.', hidden)));
	}
	if (structured !== undefined) {
		parts.push(el('section', { class: 'block' }, el('h2', {}, t('Structured content')), tree(structured, t)));
	}
	if (parts.length > 0) {
		return parts;
	}
	const empty = el('p', { class: 'note' }, t('The result is empty.'));
	const odd = content !== undefined && !Array.isArray(content);
	return odd
		? [el('section', { class: 'block' }, el('p', { class: 'kind' }, t('Unknown kind of content')), tree(content, t))]
		: [empty];
}
