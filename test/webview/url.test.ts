import { afterEach, describe, expect, it, vi } from 'vitest';
import { partsOf, suspicious } from './models.ts';
import { button, openUrl, press } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const text = (selector: string) => document.querySelector(selector)?.textContent;
const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
const buttons = () => [...document.querySelectorAll('button')];

/** The lists of parts as they read: name and value. */
const rows = () => {
	const values = texts('dd');
	return texts('dt').map((name, at) => [name, values[at]]);
};

describe('the panel of a URL', () => {
	it('says who asks, by which tool, and quotes the message (U03)', async () => {
		await openUrl({ serverTitle: 'Own Name', message: 'Line one\n\u202eline two' });
		expect(text('h1')).toBe('demo');
		expect(text('.own')).toBe('calls itself Own Name');
		expect(text('.origin')).toBe('requested by tool connect · just now');
		expect(text('blockquote > bdi')).toBe('Line one\n‹U+202E›line two');
		const region = document.querySelector('[aria-label=demo]');
		expect(document.getElementById(region?.getAttribute('aria-describedby') ?? '')?.tagName).toBe('BLOCKQUOTE');
	});

	it.each([
		['an ordinary URL', 'https://login.bank.example.com/start?next=%23a#part%2Fone'],
		['a port and odd parameters', 'https://example.com:8443/a%2Fb?a+b=%E4%BD%A0&&c=#'],
		['an address', 'http://127.0.0.1:3000/?example.com'],
		['a long address', 'https://[2001:db8::1]/'],
		['a repeated domain', 'https://com.example.com.example.com/com'],
		['8,000 characters', `https://example.com/?long=${'0123456789'.repeat(800)}`],
	])('shows every byte of %s, and no link (U03)', async (_what, url) => {
		const parts = partsOf(url);
		await openUrl({ parts });
		expect(text('.url')).toBe(parts.href);
		expect(parts.href).toBe(url);
		expect(document.querySelectorAll('a, [href], [src]')).toHaveLength(0);
	});

	it('says how long a long URL is', async () => {
		await openUrl({ parts: partsOf(`https://example.com/?${'x'.repeat(1_000)}`) });
		expect(texts('h2')[0]).toBe('This exact URL is opened if you agree1021 characters');
		await openUrl();
		expect(texts('h2')[0]).toBe('This exact URL is opened if you agree');
	});

	it.each([
		['https://bank.example.evil.test/example', 'evil.test', 'https://bank.example.'],
		['https://evil.test.evil.test/', 'evil.test', 'https://evil.test.'],
		['https://evil.test@user.example.com/', 'example.com', 'https://evil.test@user.'],
		['https://a:b@example.com/', 'example.com', 'https://a:b@'],
		['https://:b@example.com/', 'example.com', 'https://:b@'],
		['https://localhost/', 'localhost', 'https://'],
	])('sets off the domain of %s (U05)', async (url, domain, before) => {
		await openUrl({ parts: partsOf(url) });
		const marked = document.querySelector('.url .domain');
		expect(marked?.textContent).toBe(domain);
		expect(marked?.previousSibling?.textContent).toBe(before);
		expect(text('.pairs .host .domain')).toBe(domain);
	});

	it.each(['javascript:alert(1)', 'mailto:a@example.com', 'file:///etc/passwd'])('marks nothing in %s', async (url) => {
		await openUrl({ parts: partsOf(url), refused: 'Only https: URLs are opened.' });
		expect(text('.url')).toBe(url);
		expect(document.querySelector('.domain')).toBeNull();
	});

	it('sets the parts apart, the decoded value first and the written one where it differs (U03)', async () => {
		await openUrl(suspicious);
		expect(rows()).toEqual([
			['Scheme', 'https'],
			['Host', 'a.xn--80ak6aa92e.com'],
			['Host in Unicode', 'a.аррӏе.com'],
			['Domain', 'xn--80ak6aa92e.com'],
			['Port', '8443'],
			['Path', '/a%20b/creads /a b/c'],
			['Fragment', 'top%2Freads top/'],
			['next', 'https://evil.test/written next=https%3A%2F%2Fevil.test%2F'],
			['plain', '1'],
			['empty', 'empty'],
			['odd', '‹U+000A›written odd=%0A'],
		]);
	});

	it('keeps what a parameter says on its line and in its place, whatever it says', async () => {
		const evil = '\r\nHost\u202e\u00a0good.example';
		await openUrl({ parts: partsOf(`https://example.com/?${encodeURIComponent(evil)}=${encodeURIComponent(evil)}`) });
		const shown = '‹U+000D›‹U+000A›Host‹U+202E›‹U+00A0›good.example';
		expect(rows().at(-1)?.[0]).toBe(shown);
		expect(rows().at(-1)?.[1]?.startsWith(`${shown}written %0D%0AHost`)).toBe(true);
		const name = [...document.querySelectorAll('dt')].at(-1);
		expect(name?.closest('section')?.querySelector('h2')?.textContent).toBe('Parameters');
	});

	it('isolates the labels of a host in other scripts from one another', async () => {
		await openUrl({ parts: partsOf('https://אב.com.example.com/') });
		const host = [...document.querySelectorAll('dd')].find((each) => each.textContent === 'אב.com.example.com');
		expect([...(host?.querySelectorAll('bdi bdi') ?? [])].map((label) => label.textContent)).toEqual(
			'אב.com.example.com'.split('.'),
		);
	});

	it('marks the letters of a host that can look like others', async () => {
		await openUrl({ parts: partsOf('https://pаypal.exаmple.com/') });
		expect(texts('mark')).toEqual(['а', 'а']);
	});

	it('shows what the server wrote where that is something else, in the order in which it was written', async () => {
		await openUrl({ raw: 'https://EXAMPLE.com/א/ב\u202e' });
		expect(texts('h2')).toContain('As the server wrote it');
		expect(text('bdo')).toBe('https://EXAMPLE.com/א/ב‹U+202E›');
		await openUrl();
		expect(document.querySelector('bdo')).toBeNull();
	});

	it('puts what is suspicious or unusual into words, ties it to Open URL, and suggests no suspicious URL (U06)', async () => {
		await openUrl(suspicious);
		expect(texts('.alarm')).toEqual(['This URL is suspicious. The host has letters that can look like others.']);
		expect(texts('.warning')).toEqual(suspicious.warnings);
		const described = () =>
			document.getElementById(button('Open URL').getAttribute('aria-describedby') ?? '')?.textContent;
		expect(described()).toContain('can look like others');
		expect(document.querySelector('.primary')).toBeNull();

		await openUrl({ ...suspicious, alarms: [] });
		expect(described()).toBe('The port is not the usual one: 8443.');
		expect(document.querySelector('.primary')).toBe(button('Open URL'));

		await openUrl({ notes: ['Afterwards you return to lab.example.com.'] });
		expect(texts('.alarm, .warning')).toEqual([]);
		expect(texts('.note')).toContain('Afterwards you return to lab.example.com.');
		expect(document.querySelector('.primary')).toBe(button('Open URL'));
	});

	it('starts on the heading, and no key is a consent', async () => {
		const opened = performance.now();
		const page = await openUrl();
		expect(document.activeElement?.tagName).toBe('H1');
		for (const after of [0, 50, 400]) {
			press('Escape', {}, opened + after - performance.now());
		}
		press('Enter');
		press('Enter', { ctrlKey: true });
		press(' ');
		expect(page.sent.map(({ type }) => type)).toEqual(['ready']);
		press('Escape');
		expect(page.sent.map(({ type }) => type)).toEqual(['ready', 'cancel']);
	});

	it.each([
		['Open URL', 'open'],
		['Decline', 'decline'],
		['Cancel', 'cancel'],
	])('%s is sent once, without any URL', async (name, type) => {
		const page = await openUrl();
		expect(buttons().map((each) => each.textContent)).toEqual(['Open URL', 'Copy URL', 'Decline', 'Cancel']);
		button(name).click();
		expect(buttons().every((each) => each.disabled)).toBe(true);
		press('Escape');
		expect(page.sent.slice(1)).toEqual([{ type }]);
	});

	it('stays open when the URL is copied, and says so each time', async () => {
		const page = await openUrl();
		for (const times of [1, 2]) {
			button('Copy URL').click();
			expect(text('[role=status]')).toBe('');
			page.receive({ type: 'copied' });
			expect(text('[role=status]')).toBe('Copied.');
			expect(page.sent).toHaveLength(1 + times);
		}
		expect(buttons().some((each) => each.disabled)).toBe(false);
	});

	it('no longer says where the URL is opened, once it is over', async () => {
		const page = await openUrl({});
		expect(text('.recipient')).toBe('Opens in your own browser');
		page.receive({ type: 'over', reason: 'Gone.' });
		expect(text('.recipient')).toBeUndefined();
	});

	it('says why it is over, moves there, and takes nothing any more (fault 5)', async () => {
		const page = await openUrl();
		page.receive({ type: 'over', reason: 'The request was completed elsewhere; nothing was opened.' });
		expect(text('[role=status]')).toBe('The request was completed elsewhere; nothing was opened.');
		expect(document.activeElement).toBe(document.querySelector('[role=status]'));
		expect(buttons().every((each) => each.disabled)).toBe(true);
		page.receive({ type: 'copied' });
		press('Escape');
		expect(text('[role=status]')).toContain('completed elsewhere');
		expect(page.sent).toHaveLength(1);
	});

	it('of a refused URL says why, and offers nothing but to close it (U07)', async () => {
		const page = await openUrl({
			asked: undefined as never,
			parts: partsOf('https://bank.example@evil.test/x'),
			refused: 'The URL contains user information in front of the host.',
		});
		expect(text('.blocked')).toBe('The URL contains user information in front of the host.');
		expect(texts('h2')[0]).toBe('This URL was refused');
		expect(text('.origin')).toBe('');
		expect(rows().slice(0, 3)).toEqual([
			['Scheme', 'https'],
			['User information', 'bank.example'],
			['Host', 'evil.test'],
		]);
		expect(buttons().map((each) => each.textContent)).toEqual(['Close']);
		button('Close').click();
		expect(page.sent.at(-1)).toEqual({ type: 'cancel' });
	});

	it('of a page that was accepted in the user’s place has nothing to decline', async () => {
		const page = await openUrl({ accepted: true });
		expect(buttons().map((each) => each.textContent)).toEqual(['Open URL', 'Copy URL', 'Close']);
		button('Close').click();
		expect(page.sent.at(-1)).toEqual({ type: 'cancel' });
	});

	it('drops a message with an unknown type', async () => {
		const page = await openUrl();
		page.receive({ type: 'open' });
		expect(text('[role=status]')).toBe('');
		expect(button('Open URL').disabled).toBe(false);
	});

	it('shows the first model and keeps it: the URL under a button never changes', async () => {
		const page = await openUrl();
		page.receive({
			type: 'show',
			model: { ...suspicious, server: 'other', message: '', alarms: [], warnings: [] },
		});
		expect(text('h1')).toBe('demo');
	});
});
