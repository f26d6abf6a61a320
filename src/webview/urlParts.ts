import { spellOut } from '../elicitation/url/unseen.ts';
import type { UrlParameter, UrlParts } from '../elicitation/url/urlParts.ts';
import { type Child, el, fill } from './dom.ts';
import type { T } from './strings.ts';

/** A piece of a URL: on its own, on one line, and nothing in it unseen. */
function piece(text: string): HTMLElement {
	return el('bdi', {}, spellOut(text));
}

/** The whole URL, its domain set off (U03, U05). No link: nothing here can be clicked. */
export function wholeUrl(parts: UrlParts): HTMLElement {
	const { href, scheme, userInfo, host, domain } = parts;
	const hostAt = `${scheme}://`.length + (userInfo === '' ? 0 : userInfo.length + 1);
	const at = hostAt + host.lastIndexOf(domain);
	const known = domain !== '' && href.startsWith(domain, at);
	const url = known
		? [spellOut(href.slice(0, at)), el('strong', { class: 'domain' }, domain), spellOut(href.slice(at + domain.length))]
		: [spellOut(href)];
	return el('code', { class: 'url' }, el('bdi', { dir: 'ltr' }, ...url));
}

/** What the server wrote. Its characters stand in the order in which they were written, whatever script they are of. */
export function rawUrl(raw: string): HTMLElement {
	return el('code', { class: 'url' }, el('bdo', { dir: 'ltr' }, spellOut(raw)));
}

/** The URL in its parts. */
export function partsList(parts: UrlParts, t: T): HTMLElement {
	const { scheme, userInfo, host, unicodeHost, domain, port, path, fragment } = parts;
	const rows: [name: string, ...shown: Child[]][] = [
		[t('Scheme'), piece(scheme)],
		[t('User information'), ...withReading(userInfo, t)],
		[t('Host'), host === '' ? '' : hostOf(host, domain)],
		[t('Host in Unicode'), unicodeHost === host ? '' : labelsOf(unicodeHost)],
		[t('Domain'), domain === host ? '' : el('strong', { class: 'domain' }, piece(domain))],
		[t('Port'), piece(port)],
		[t('Path'), ...withReading(path, t)],
		[t('Fragment'), ...withReading(fragment, t)],
	];
	const list = el('dl', { class: 'parts' });
	for (const [name, ...shown] of rows) {
		const value = el('dd', {}, ...shown);
		if (value.textContent !== '') {
			list.append(el('dt', {}, name), value);
		}
	}
	return list;
}

/** The parameters under names of their own: none of them passes for a part of the URL. */
export function parameterList(parameters: readonly UrlParameter[], t: T): HTMLElement {
	const rows = parameters.flatMap(({ name, value, written }) => [
		el('dt', { class: 'code' }, name === '' ? empty(t) : piece(name)),
		el(
			'dd',
			{},
			value === '' ? empty(t) : piece(value),
			...(written === undefined ? [] : [aside(t('written {0}'), written)]),
		),
	]);
	return el('dl', { class: 'parts' }, ...rows);
}

function hostOf(host: string, domain: string): HTMLElement {
	const at = host.lastIndexOf(domain);
	const rest = host.slice(at + domain.length);
	return el('span', { class: 'host' }, host.slice(0, at), el('strong', { class: 'domain' }, domain), rest);
}

/** Every label on its own, so that those of other scripts do not trade places. */
function labelsOf(unicodeHost: string): HTMLElement {
	const labels = unicodeHost.split('.').flatMap((label, at) => (at === 0 ? [piece(label)] : ['.', piece(label)]));
	return el('bdi', { dir: 'ltr' }, ...labels);
}

/** A part as it stands in the URL and, where that differs, what it reads. */
function withReading(part: string, t: T): Child[] {
	const reading = decoded(part);
	return reading === part ? [piece(part)] : [piece(part), aside(t('reads {0}'), reading)];
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function aside(template: string, text: string): HTMLElement {
	return el('span', { class: 'aside' }, ...fill(template, el('span', { class: 'code' }, piece(text))));
}

function empty(t: T): HTMLElement {
	return el('em', {}, t('empty'));
}
