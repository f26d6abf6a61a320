import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { english, render, type Sentence } from '../../../../src/elicitation/sentence.ts';
import { kindOfHost } from '../../../../src/elicitation/url/hosts.ts';
import { escapeInvisible } from '../../../../src/elicitation/url/invisible.ts';
import { unicodeHost } from '../../../../src/elicitation/url/urlParts.ts';
import { inspectUrl, levelOf, type UrlOptions, whyRefused } from '../../../../src/elicitation/url/urlSafety.ts';
import { tableRows } from '../../../tableRows.ts';

const rows = tableRows(import.meta.url);

const DEFAULTS: UrlOptions = { insecure: 'loopback' };

function warnings(url: string, options: Partial<UrlOptions> = {}): string[] {
	return remarks(url, options).warnings;
}

/** Everything that is said of a URL, by level. */
function remarks(url: string, options: Partial<UrlOptions> = {}) {
	const { alarms, warnings, notes } = inspectUrl(url, { ...DEFAULTS, ...options });
	const said = (sentences: readonly Sentence[]) => sentences.map((sentence) => render(sentence, english));
	return { alarms: said(alarms), warnings: said(warnings), notes: said(notes) };
}

describe('inspectUrl: refused URLs (U07)', () => {
	it.each<[string, string, string]>([
		...rows('refused'),
		['too long', `https://example.com/${'a'.repeat(8_192)}`, 'longer'],
		['too long once it is encoded', `https://example.com/${'é'.repeat(2_000)}`, 'longer'],
		['a longer host than there can be', `https://${'a.'.repeat(130)}example.com/`, 'valid'],
	])('%s', (_, url, reason) => {
		const report = inspectUrl(url, DEFAULTS);
		expect(report.verdict).toBe('refuse');
		expect(whyRefused(url, DEFAULTS)).toEqual(report.reason);
		expect(report.reason && render(report.reason, english)).toContain(reason);
	});

	it('is fast for any host, however long', () => {
		const report = inspectUrl(`https://${'中'.repeat(500_000)}.example/`, DEFAULTS);
		expect(report.verdict).toBe('refuse');
		expect(report.unicodeHost).toBe(report.host);
	});

	it('parses a refused URL, so that it can be shown', () => {
		expect(inspectUrl('https://bank.example@evil.test/x', DEFAULTS)).toMatchObject({
			verdict: 'refuse',
			host: 'evil.test',
			domain: 'evil.test',
		});
	});
});

describe('inspectUrl: http', () => {
	it.each<[string, UrlOptions['insecure'], 'ask' | 'refuse']>([
		['http://localhost:3000/', 'loopback', 'ask'],
		['http://app.localhost/', 'loopback', 'ask'],
		['http://127.0.0.1/', 'loopback', 'ask'],
		['http://127.8.8.8/', 'loopback', 'ask'],
		['http://[::1]:8080/', 'loopback', 'ask'],
		['http://0x7f.1/', 'loopback', 'ask'],
		['http://localhost/', 'never', 'refuse'],
		['http://example.com/', 'loopback', 'refuse'],
		['http://example.com/', 'never', 'refuse'],
		['http://example.com/', 'always', 'ask'],
		['http://192.168.0.1/', 'loopback', 'refuse'],
	])('%s when %s: %s', (url, insecure, verdict) => {
		expect(inspectUrl(url, { insecure }).verdict).toBe(verdict);
	});

	it.each([
		['never', 'http://localhost/', 'The URL is not encrypted (http:).'],
		['loopback', 'http://example.com/', 'The URL is not encrypted (http:) and not on this computer.'],
	] as const)('says why it is refused when %s is allowed: %s', (insecure, url, words) => {
		const { reason } = inspectUrl(url, { insecure });
		expect(reason && render(reason, english)).toBe(words);
	});

	it('warns of no port on this computer', () => {
		expect(warnings('http://localhost:3000/')).toEqual([]);
	});

	it('always says that a page elsewhere is not encrypted', () => {
		expect(warnings('http://example.com/', { insecure: 'always' })).toEqual(['The URL is not encrypted (http:).']);
	});
});

describe('inspectUrl: what is opened and shown (U03, U05)', () => {
	it('takes the URL apart', () => {
		expect(inspectUrl('https://bank.example.evil.test:8443/a%2Fb/c?next=%23a&x=1+2#frag', DEFAULTS)).toMatchObject({
			verdict: 'ask',
			href: 'https://bank.example.evil.test:8443/a%2Fb/c?next=%23a&x=1+2#frag',
			differs: false,
			scheme: 'https',
			host: 'bank.example.evil.test',
			unicodeHost: 'bank.example.evil.test',
			domain: 'evil.test',
			port: '8443',
			path: '/a%2Fb/c',
			userInfo: '',
			parameters: [
				{ name: 'next', value: '#a', written: 'next=%23a' },
				{ name: 'x', value: '1 2', written: 'x=1+2' },
			],
			fragment: 'frag',
		});
	});

	it('keeps every parameter in its place: empty, doubled and oddly written ones', () => {
		expect(inspectUrl('https://example.com/?a=1&&a=1&b&=c&d=e=f&%61=%FF', DEFAULTS).parameters).toEqual([
			{ name: 'a', value: '1' },
			{ name: 'a', value: '1' },
			{ name: 'b', value: '', written: 'b' },
			{ name: '', value: 'c' },
			{ name: 'd', value: 'e=f' },
			{ name: 'a', value: '\ufffd', written: '%61=%FF' },
		]);
	});

	it('pairs what is written with what it means, whatever the query', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', 'b', '=', '&', '%26', '%3D', '+', '%', 'é'), { maxLength: 30 }),
				(all) => {
					const { parameters } = inspectUrl(`https://example.com/?${all.join('')}`, DEFAULTS);
					for (const { name, value, written } of parameters) {
						expect([...new URLSearchParams(written ?? `${name}=${value}`)]).toEqual([[name, value]]);
					}
				},
			),
			{ numRuns: 500 },
		);
	});

	it.each([
		['https://a@evil.test/', 'a'],
		['https://a:b@evil.test/', 'a:b'],
		['https://:b@evil.test/', ':b'],
		['https://a%40b:@evil.test/', 'a%40b'],
		['https://evil.test/', ''],
	])('the user information of %s is %j', (url, userInfo) => {
		expect(inspectUrl(url, DEFAULTS).userInfo).toBe(userInfo);
	});

	it.each([
		['https://login.example.co.uk/', 'example.co.uk'],
		['https://someone.github.io/', 'someone.github.io'],
		['https://localhost/', 'localhost'],
		['https://192.0.2.7/', '192.0.2.7'],
		['https://[2001:db8::1]/', '[2001:db8::1]'],
	])('the domain of %s is %s', (url, domain) => {
		expect(inspectUrl(url, DEFAULTS).domain).toBe(domain);
	});

	it.each([
		['https://example.com', false],
		['https://example.com/a%20b?x=%C3%A9', false],
		['https://example.com/é', true],
		['HTTPS://Example.com/', true],
		['https://example.com:443/', true],
		['https://example.com/a/../b', true],
		['https://ex%61mple.com/', true],
		['https://аррӏе.com/', true],
	])('says whether %s differs from what is opened: %s', (url, differs) => {
		const report = inspectUrl(url, DEFAULTS);
		expect(report.differs).toBe(differs);
		expect(report.href).toBe(new URL(url).href);
	});

	it.each([
		['xn--80ak6aa92e.com', 'аррӏе.com'],
		['xn--r8jz45g.jp', '例え.jp'],
		['www.xn--mnchen-3ya.de', 'www.münchen.de'],
		['plain.example', 'plain.example'],
		['xn--999999999', 'xn--999999999'],
	])('%s reads %s', (host, expected) => {
		expect(unicodeHost(host)).toBe(expected);
	});

	it('decodes every host that the parser encodes, as Node does', () => {
		fc.assert(
			fc.property(
				fc.stringMatching(/^[a-z\u00e0-\u00f6\u0430-\u044f\u4e00-\u4fff\u{20000}-\u{200ff}]{1,12}$/u),
				(label) => {
					const host = new URL(`https://${label}.example`).hostname;
					expect(unicodeHost(host)).toBe(domainToUnicode(host));
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe('inspectUrl: warnings (U06)', () => {
	it.each([
		['https://pаypal.com/', 'with а (Cyrillic).'],
		['https://аррӏе.com/', 'with а, р, ӏ, е (Cyrillic).'],
		['https://gοοgӏe.com/', 'with ӏ (Cyrillic), ο (Greek).'],
		['https://www.münchen.de/', 'with ü (Latin).'],
		['https://例え.jp/', 'with 例 (Chinese), え (another script).'],
	])('name the letters that can look like others, and their script: %s', (url, words) => {
		expect(remarks(url).alarms).toEqual([expect.stringContaining(words)]);
	});

	// Node compiles what is called often, and parsed such a host differently then.
	it('are the same however many URLs were inspected before', () => {
		const [first, ...others] = Array.from({ length: 20_000 }, () => inspectUrl('https://münchen.de/', DEFAULTS));
		expect(first?.alarms).toHaveLength(1);
		expect(others.filter(({ verdict, alarms }) => verdict !== 'ask' || alarms.length !== 1)).toEqual([]);
	});

	it.each<[string, string, string[]]>(rows('warnings'))('%s', (_, url, expected) => {
		const { alarms, warnings } = remarks(url);
		expect([...alarms, ...warnings]).toEqual(expected.map((part) => expect.stringContaining(part)));
	});

	it('names few parameters, shortly, and counts the others', () => {
		const names = ['a'.repeat(100), 'b\u202e\n', ...'cdefgh'];
		const url = `https://example.com/?${names.map((name) => `${encodeURIComponent(name)}=https://x.test`).join('&')}`;
		expect(warnings(url)).toEqual([
			`The parameter "${'a'.repeat(63)}…" holds another URL.`,
			'The parameter "b‹U+202E›‹U+000A›" holds another URL.',
			...[...'cde'].map((name) => `The parameter "${name}" holds another URL.`),
			'More parameters that hold other URLs: 3.',
		]);
	});

	it('escapes all invisible characters except spaces', () => {
		expect(escapeInvisible('a\u200bb\u00a0 c\r\n\t\ufe0f')).toBe(
			'a‹U+200B›b‹U+00A0› c‹U+000D›‹U+000A›‹U+0009›‹U+FE0F›',
		);
	});

	it('a host unrelated to the server', () => {
		const notes = (url: string, serverHost: string) => remarks(url, { serverHost }).notes;
		expect(notes('https://login.other.example/', 'api.acme.example')).toEqual([
			'The URL is on other.example, but the server is on acme.example.',
		]);
		expect(notes('https://login.acme.example/', 'API.acme.example')).toEqual([]);
		expect(notes('https://login.other.example/', 'localhost')).toEqual([]);
	});

	it('a loopback URL in a remote window is forwarded', () => {
		const { warnings: suspicious, notes } = inspectUrl('http://localhost/', {
			insecure: 'loopback',
			remoteWindow: true,
		});
		expect([suspicious, notes.map(({ text }) => text)]).toEqual([[], [expect.stringMatching(/forwards/)]]);
		expect(warnings('http://localhost/')).toEqual([]);
		expect(remarks('https://example.com/', { remoteWindow: true }).notes).toEqual([]);
		expect(remarks('http://localhost/').notes).toEqual([]);
	});
});

describe('the level of a URL', () => {
	it.each<[string, ReturnType<typeof levelOf>, RegExp[]]>([
		// What a sign-in usually does.
		['https://login.example.com/x', undefined, []],
		[
			'https://login.example.com/authorize?response_type=code&redirect_uri=https%3A%2F%2Flab.example.com%2Fdone',
			undefined,
			[/^Afterwards you return to lab\.example\.com\.$/],
		],
		['https://login.example.com/?return_to=http://127.0.0.1:8080/cb', undefined, [/return to 127\.0\.0\.1:8080\./]],
		['https://login.example.com/#callbackUrl=https://lab.example.com/', undefined, [/return to lab\.example\.com\./]],
		// What is unusual.
		['https://example.com:8443/', 'warning', []],
		['https://printer.local/', 'warning', []],
		['https://192.0.2.7/', 'warning', []],
		['https://example.com/?u=https://other.example/', 'warning', []],
		['https://example.com/?next=//other.example', 'warning', []],
		['https://example.com/?next=vscode://publisher.extension/x', 'warning', []],
		['https://example.com/?next=https://a.example/?to=https%253A%252F%252Fb.example', 'warning', []],
		// What deceives.
		['https://аррӏе.com/', 'alarm', []],
		['https://2130706433/', 'alarm', []],
		['https://metadata.google.internal/', 'alarm', []],
		['https://0.0.0.0/', 'alarm', []],
		['https://example.com/?next=javascript:alert(1)', 'alarm', []],
		['https://example.com/?next=data:text/html,x', 'alarm', []],
		['https://example.com/?next=https://аррӏе.com/', 'alarm', []],
		['https://example.com/?next=https://bank.example@evil.test/', 'alarm', []],
	])('%s: %s', (url, level, notes) => {
		const report = inspectUrl(url, DEFAULTS);
		expect(levelOf(report)).toBe(level);
		expect(remarks(url).notes).toEqual(notes.map((note) => expect.stringMatching(note)));
	});

	it('names the whole host to return to, because its end is what counts', () => {
		const host = `${'a.'.repeat(40)}evil.test`;
		expect(remarks(`https://example.com/?next=https://${host}/`).notes).toEqual([`Afterwards you return to ${host}.`]);
	});
});

describe('kindOfHost', () => {
	it.each<[string, string]>(rows('hosts'))('%s is %s', (host, kind) => {
		expect(kindOfHost(host)).toBe(kind);
	});
});
