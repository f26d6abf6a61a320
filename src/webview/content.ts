import { shorten } from '../elicitation/display.ts';
import { isObject, own } from '../elicitation/json.ts';
import { bdi, el, fill } from './dom.ts';
import type { T } from './strings.ts';
import { tree } from './tree.ts';

/** Raster images only: an SVG is a document. */
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const sounds = /^audio\/[a-z0-9][a-z0-9.+-]*$/;
const base64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;
/** Everything else that is text is code or data, in which columns matter. */
const prose = /^text\/(plain|markdown)\b/i;
const longestText = 200_000;

/** One content block of a result, as the server sent it: any JSON at all. */
export function contentBlock(block: unknown, t: T): HTMLElement[] {
	const type = own(block, 'type');
	if (type === 'text' && typeof own(block, 'text') === 'string') {
		return text(String(own(block, 'text')), t);
	}
	if (type === 'image') {
		return [image(own(block, 'data'), own(block, 'mimeType'), t)];
	}
	if (type === 'audio') {
		return [sound(own(block, 'data'), own(block, 'mimeType'), t)];
	}
	if (type === 'resource_link') {
		return [label(t('Link to a resource')), ...resourceFacts(block)];
	}
	if (type === 'resource' && isObject(own(block, 'resource'))) {
		return [label(t('Embedded resource')), ...resourceContents(own(block, 'resource'), t)];
	}
	return unknownContent(block, t);
}

export function unknownContent(value: unknown, t: T): HTMLElement[] {
	return [label(t('Unknown kind of content')), tree(value, t)];
}

function label(words: string): HTMLElement {
	return el('p', { class: 'kind' }, words);
}

function text(value: string, t: T, isCode = false): HTMLElement[] {
	const shown = value.length > longestText ? value.slice(0, longestText) : value;
	const body = el('div', { class: 'text' }, bdi(shown));
	body.classList.toggle('code', isCode);
	return shown === value ? [body] : [body, more(value.length - shown.length, t)];
}

function more(count: number, t: T): HTMLElement {
	return el('p', { class: 'note' }, t('Not shown: {0} more. The raw JSON has all of it.', count));
}

/** A `data:` URI, when type and data are what they should be. */
function dataUri(data: unknown, mimeType: unknown, allowed: (mime: string) => boolean): string | undefined {
	const mime = String(mimeType).toLowerCase();
	return typeof data === 'string' && allowed(mime) && base64.test(data)
		? `data:${mime};base64,${data.replace(/\s/g, '')}`
		: undefined;
}

function image(data: unknown, mimeType: unknown, t: T): HTMLElement {
	const uri = dataUri(data, mimeType, (mime) => images.has(mime));
	const failed = () => el('p', { class: 'note' }, ...fill(t('This image cannot be shown ({0}).'), mimeName(mimeType)));
	if (uri === undefined) {
		return failed();
	}
	const element = el('img', { src: uri, alt: t('Image, {0}', String(mimeType).toLowerCase()) });
	element.addEventListener('error', () => element.replaceWith(failed()));
	return element;
}

function sound(data: unknown, mimeType: unknown, t: T): HTMLElement {
	const uri = dataUri(data, mimeType, (mime) => sounds.test(mime));
	const failed = () => el('p', { class: 'note' }, ...fill(t('This sound cannot be played ({0}).'), mimeName(mimeType)));
	if (uri === undefined) {
		return failed();
	}
	const element = el('audio', {
		src: uri,
		controls: true,
		'aria-label': t('Sound, {0}', String(mimeType).toLowerCase()),
	});
	element.addEventListener('error', () => element.replaceWith(failed()));
	return element;
}

function mimeName(mimeType: unknown): HTMLElement {
	return bdi(typeof mimeType === 'string' ? shorten(mimeType, 100) : '?');
}

/** Name, description, address and type of a resource. The address is text: nothing here is fetched or clicked. */
function resourceFacts(value: unknown): HTMLElement[] {
	const facts: HTMLElement[] = [];
	const name = own(value, 'title') ?? own(value, 'name');
	const description = own(value, 'description');
	if (typeof name === 'string') {
		facts.push(el('p', {}, el('strong', {}, bdi(name))));
	}
	if (typeof description === 'string') {
		facts.push(el('p', { class: 'text' }, bdi(description)));
	}
	const address = [own(value, 'uri'), own(value, 'mimeType')].filter((part) => typeof part === 'string');
	facts.push(el('p', { class: 'address' }, ...address.map((part) => el('code', {}, bdi(part)))));
	return facts;
}

/** What was read of a resource: text as it is, pictures as pictures, of everything else its size. */
export function resourceContents(value: unknown, t: T): HTMLElement[] {
	const parts = resourceFacts(value);
	const body = own(value, 'text');
	const blob = own(value, 'blob');
	const mime = own(value, 'mimeType');
	if (typeof body === 'string') {
		parts.push(...text(body, t, mime !== undefined && !prose.test(String(mime))));
	} else if (typeof blob === 'string' && images.has(String(mime).toLowerCase())) {
		parts.push(image(blob, mime, t));
	} else if (typeof blob === 'string') {
		const bytes = Math.floor((blob.replace(/[=\s]/g, '').length * 3) / 4);
		parts.push(el('p', { class: 'note' }, t('{0} bytes of binary data, not shown.', bytes)));
	}
	return parts;
}
