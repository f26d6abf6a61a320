import { own } from '../elicitation/json.ts';
import type { ResultModel } from '../protocol.ts';
import { contentBlock, resourceContents, unknownContent } from './content.ts';
import { bdi, button, el, fill } from './dom.ts';
import type { T } from './strings.ts';
import { timesText } from './times.ts';
import { tree } from './tree.ts';

const mostBlocks = 200;

/** What a user can have done with a result. */
export interface ResultActions {
	openJson(): void;
	showTimeline(): void;
	/** Saves one entry of `contents`. */
	save(index: number): void;
}

const finished = {
	tool: 'The tool finished.',
	prompt: 'The server sent the prompt.',
	resource: 'The resource was read.',
} as const;

/** The result of a call, rendered. */
export function renderResult(model: ResultModel, t: T, actions: ResultActions): HTMLElement[] {
	const outcome = model.isError ? t('The tool reported an error.') : t(finished[model.call.kind]);
	const header = el(
		'header',
		{},
		el(
			'div',
			{ class: 'top' },
			el('h1', {}, ...fill(t('{0} on {1}'), bdi(model.call.name), bdi(model.server))),
			el('p', { class: 'origin' }, times(model, t)),
		),
		el(
			'div',
			{ class: 'outcome' },
			el('p', { class: model.isError ? 'failed' : 'finished', role: 'status' }, outcome),
			el(
				'div',
				{ class: 'actions' },
				button(t('Show Timeline'), { class: 'secondary' }, actions.showTimeline),
				button(t('Open raw JSON'), { class: 'secondary' }, actions.openJson),
			),
		),
	);
	return [header, el('div', { class: 'body' }, ...body(model, t, actions))];
}

function times(model: ResultModel, t: T): string {
	const { serverTime: server, humanTime: person, automaticTime: automatic, answeredBy } = model;
	const shares = timesText({ server, person, automatic }, t);
	return answeredBy === undefined ? shares : `${shares} · ${answeredBy}`;
}

function body({ call, result }: ResultModel, t: T, { save }: ResultActions): HTMLElement[] {
	const parts = {
		tool: () => toolResult(result, t),
		prompt: () => promptResult(result, t),
		resource: () =>
			list(own(result, 'contents'), t, (content, at) => [
				...resourceContents(content, t),
				button(t('Save As …'), { class: 'secondary' }, () => save(at)),
			]),
	}[call.kind]();
	return parts.length > 0 ? parts : [el('p', { class: 'note' }, t('The result is empty.'))];
}

function toolResult(result: unknown, t: T): HTMLElement[] {
	const parts = list(own(result, 'content'), t, (content) => contentBlock(content, t));
	const structured = own(result, 'structuredContent');
	if (structured !== undefined) {
		parts.push(block(el('h2', {}, t('Structured content')), tree(structured, t)));
	}
	return parts;
}

function promptResult(result: unknown, t: T): HTMLElement[] {
	const description = own(result, 'description');
	const messages = list(own(result, 'messages'), t, (message) => [
		el('h2', { class: 'role' }, bdi(String(own(message, 'role') ?? '?'))),
		...contentBlock(own(message, 'content'), t),
	]);
	return typeof description === 'string' && description !== ''
		? [el('p', { class: 'text' }, bdi(description)), ...messages]
		: messages;
}

/** The entries of a result, as many as a page can bear; they should be a list, and may be any JSON. */
function list(entries: unknown, t: T, render: (entry: unknown, at: number) => readonly HTMLElement[]): HTMLElement[] {
	if (!Array.isArray(entries)) {
		return entries === undefined ? [] : [block(...unknownContent(entries, t))];
	}
	const parts = entries.slice(0, mostBlocks).map((entry, at) => block(...render(entry, at)));
	if (entries.length > mostBlocks) {
		const hidden = entries.length - mostBlocks;
		parts.push(el('p', { class: 'note' }, t('Not shown: {0} more. The raw JSON has all of it.', hidden)));
	}
	return parts;
}

function block(...parts: readonly HTMLElement[]): HTMLElement {
	return el('section', { class: 'block' }, ...parts);
}
