import type { Frame } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { itByNight, variants } from '../nightly.ts';
import {
	callTool,
	type Editor,
	type Notification,
	Probe,
	program,
	reuseEditor,
	servers,
	structured,
	until,
	urlPanel,
} from './driver/index.ts';

/** The notification and the server's message in it. */
const CONSENT = 'Please sign in';
/** VS Code's own elicitation before it opens a page of another machine. */
const EDITORS_ELICITATION = '.monaco-dialog-box';

/** Letters that pass for others, a port of its own, and another URL inside. */
const SUSPICIOUS = 'https://login.xn--80ak6aa92e.com:8443/a%2Fb?next=https%3A%2F%2Fevil.example%2F&x=1+2#part%2Fone';
/** Encoded slashes and hashes, plus signs and spaces, letters beyond ASCII, empty and doubled parameters. */
const TRICKY =
	'https://login.example.com/caf%C3%A9/a%2Fb+c?next=%23top&s=a%2Bb%26c&q=a+b%20c&r=%25&n=%E4%BD%A0&a=&a=1&&b#part%2Fone';
const TAB = 'sdk1: URL';

let editor: Editor;
let probe: Probe;

beforeAll(async () => {
	editor = await reuseEditor({ machineSettings: servers({ sdk1: program('sdk1') }), beside: ['probe'] });
	probe = await Probe.in(editor);
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const page of editor.externalPages()) {
		await page.close();
	}
	await editor.page.bringToFront();
});

interface Request {
	readonly url: string;
	readonly id?: string;
	/** When the server says that it is over; `never` and `later` leave it to the tool `complete`, `later` with the result. */
	readonly complete?: 'before' | 'after' | 'never' | 'later';
}

/** What the call was answered with, once it was. */
let answer: Promise<unknown>;
let isUnanswered: boolean;

/** Has a program call the tool that asks the user to open a page: it comes unasked, so a notification tells of it. */
async function askToOpen({ url, id = 'id-1', complete = 'after' }: Request): Promise<void> {
	isUnanswered = true;
	const args = { url, message: CONSENT, elicitationId: id, complete };
	answer = probe.run('mcpElicitation.callTool', 'sdk1', 'url', args).then((result) => {
		isUnanswered = false;
		return JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '');
	});
}

function callByHand(url: string, message = CONSENT): Promise<void> {
	const args = { url, message, elicitationId: 'id-1' };
	return callTool(editor, { tool: 'url', args, choices: { complete: 'after' } });
}

/** Calls the tool by hand: then a panel asks for consent. */
async function detailsOf(url: string, message?: string): Promise<Frame> {
	await callByHand(url, message);
	return urlPanel(editor);
}

/** Opens the panel from the list of what is pending. */
async function detailsFromList(): Promise<Frame> {
	await editor.pending().click();
	await editor.quickInput.shows('Choose an elicitation');
	await editor.quickInput.pick(/sdk1/);
	return urlPanel(editor);
}

/** Clicks the lowest of these buttons, and what has come there then; false if that is none of them. Runs in the page. */
async function doubleClickOnLowest(label: string): Promise<boolean> {
	const buttons = [...document.querySelectorAll<HTMLElement>('.notification-toast .monaco-button')];
	const [first, ...others] = buttons
		.filter(({ innerText }) => innerText === label)
		.sort((one, other) => other.getBoundingClientRect().y - one.getBoundingClientRect().y);
	const { x = 0, y = 0 } = first?.getBoundingClientRect() ?? {};
	first?.click();
	for (let tries = 0; tries < 100; tries++) {
		const there = document.elementFromPoint(x + 10, y + 10)?.closest<HTMLElement>('.monaco-button');
		if (there && others.includes(there)) {
			there.click();
			return true;
		}
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return false;
}

const complete = (id: string) => callTool(editor, { tool: 'complete', args: { elicitationId: JSON.stringify(id) } });

const press = (panel: Frame, name: string) => panel.getByRole('button', { name, exact: true }).click();
/** The parts as they read: name to value. */
const parts = (panel: Frame) =>
	panel.evaluate(() =>
		[...document.querySelectorAll('dt')].map((name) => [
			name.innerText,
			(name.nextElementSibling as HTMLElement).innerText,
		]),
	);

describe('consent to a page', () => {
	it('shows who asks, the host and the whole URL, and opens nothing before it is given (U01–U03, U05)', async () => {
		const url = 'https://login.bank.example.com/start?next=%23a';
		await askToOpen({ url });
		const consent = await editor.notification(CONSENT);

		const message = await consent.message();
		expect(message).toContain('sdk1');
		expect(message).toContain(` · Host: login.bank.example.com (example.com) · URL: ${url} · `);
		expect(message.endsWith(` · It says: "${CONSENT}"`)).toBe(true);
		expect(await consent.links()).toEqual([]);
		expect(await consent.buttons()).toEqual(['Open URL', 'Copy URL', 'Details', 'Decline']);
		expect(editor.externalPages()).toEqual([]);
		expect(isUnanswered).toBe(true);
		await editor.screenshot('url consent');

		await consent.press('Decline');
		expect(await answer).toEqual({ action: 'decline' });
		expect(editor.externalPages()).toEqual([]);
	});

	it('opens the very bytes of a URL and accepts without content; then nothing waits for it (U02, U04, U08)', async () => {
		await askToOpen({ url: TRICKY, complete: 'never' });
		const consent = await editor.notification(CONSENT);
		expect(await consent.message()).toContain(TRICKY);
		await consent.press('Open URL');
		await editor.externalPage(TRICKY);
		expect(await answer).toEqual({ action: 'accept' });
		await editor.pending().waitFor({ state: 'hidden' });
	});

	it('sends the cancel when the editor itself is told not to open the page (U08, A03)', async () => {
		await askToOpen({ url: 'https://login.example.org/never' });
		const consent = await editor.notification(CONSENT);
		await consent.press('Open URL');
		const elicitation = editor.page.locator(EDITORS_ELICITATION);
		await elicitation.getByRole('button', { name: 'Cancel' }).click();
		expect(await answer).toEqual({ action: 'cancel' });
		expect(editor.externalPages()).toEqual([]);
		const notice = await editor.notification('was not opened');
		await notice.dismiss();
	});

	it('is not given by the second click of a double click, for which another notification has made room (U02)', async () => {
		// The editor opens pages of this machine without a prompt of its own.
		const [below, above] = ['https://localhost/below', 'https://localhost/above'];
		await askToOpen({ url: below, id: below });
		await editor.notification(below);
		const first = answer;
		await askToOpen({ url: above, id: above });
		await editor.notification(above);
		await editor.page.waitForTimeout(2 * KEY_GUARD);
		const isHit = await editor.page.evaluate(doubleClickOnLowest, 'Open URL');
		expect(isHit).toBe(true);
		await editor.externalPage(below);
		expect(await first).toEqual({ action: 'accept' });
		await (await editor.notification(above)).press('Decline');
		expect(await answer).toEqual({ action: 'decline' });
	});

	it('stays open when the URL is copied, and is a cancel when its notification is dismissed (U03, F14)', async () => {
		const url = 'https://login.example.com/copy?me=%2F';
		await askToOpen({ url });
		await (await editor.notification(CONSENT)).press('Copy URL');
		await until('the URL in the clipboard', async () => {
			const copied = await editor.page.evaluate(() => navigator.clipboard.readText());
			return copied === url;
		});
		const consent = await editor.notification(CONSENT);
		expect(isUnanswered).toBe(true);
		await consent.dismiss();
		expect(await answer).toEqual({ action: 'cancel' });
	});

	it('can still be given from the status bar when the notification has sunk into the bell (U02)', async () => {
		const url = 'https://login.example.com/sunk';
		await askToOpen({ url });
		const consent = await editor.notification(CONSENT);
		// What the editor does by itself after a while.
		await editor.page.keyboard.press('Escape');
		await consent.gone();
		expect(isUnanswered).toBe(true);

		const panel = await detailsFromList();
		expect(await panel.locator('.url').innerText()).toBe(url);
		await panel.getByRole('button', { name: 'Open URL' }).click();
		await editor.externalPage(url);
		expect(await answer).toEqual({ action: 'accept' });
	});

	itByNight.each([
		['pressed', (consent: Notification) => consent.press('Open URL')],
		['dismissed', (consent: Notification) => consent.dismiss()],
	])(
		'is asked for in the panel alone, once it is open: a notification that is left over is %s in vain',
		async (_how, act) => {
			await askToOpen({ url: 'https://login.example.com/twice' });
			const consent = await editor.notification(CONSENT);
			await detailsFromList();
			await act(consent);
			await consent.gone();
			expect(editor.externalPages()).toEqual([]);
			expect(isUnanswered).toBe(true);
			const panel = await urlPanel(editor);
			expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Open URL', 'Copy URL', 'Decline', 'Cancel']);
			await press(panel, 'Decline');
			expect(await answer).toEqual({ action: 'decline' });
		},
	);
});

describe('a page', () => {
	it('that is suspicious is asked for in a panel that warns, and sets its parts apart (U03, U05, U06)', async () => {
		const panel = await detailsOf(SUSPICIOUS, 'Click [x](command:y)');
		expect((await editor.notifications()).filter((text) => text.includes('asks you to open'))).toEqual([]);
		expect(await panel.locator('.url').innerText()).toBe(SUSPICIOUS);
		expect(await panel.locator('.url .domain').innerText()).toBe('xn--80ak6aa92e.com');
		expect(await panel.locator('blockquote').innerText()).toBe('Click [x](command:y)');
		expect(await panel.locator('.alarm').allInnerTexts()).toEqual([
			expect.stringMatching(/This URL is suspicious\. .*"xn--80ak6aa92e" is written "аррӏе"/),
		]);
		expect(await panel.locator('.warning').allInnerTexts()).toEqual([expect.stringContaining('8443')]);
		expect(await panel.locator('.note').allInnerTexts()).toContain('Afterwards you return to evil.example.');
		expect(await panel.locator('.primary').count()).toBe(0);
		expect(await parts(panel)).toEqual([
			['Scheme', 'https'],
			['Host', 'login.xn--80ak6aa92e.com'],
			['Host in Unicode', 'login.аррӏе.com'],
			['Domain', 'xn--80ak6aa92e.com'],
			['Port', '8443'],
			['Path', '/a%2Fb\nreads /a/b'],
			['Fragment', 'part%2Fone\nreads part/one'],
			['next', 'https://evil.example/\nwritten next=https%3A%2F%2Fevil.example%2F'],
			['x', '1 2\nwritten x=1+2'],
		]);
		expect(await panel.evaluate(() => document.activeElement?.tagName)).toBe('H1');
		expect(await panel.locator('a, img').count()).toBe(0);
		await editor.screenshot('url panel');
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.entry(/sdk1.*waiting for your consent: suspicious URL/).waitFor();
		await editor.screenshot('url suspicious list');
		await editor.quickInput.escape();

		await press(panel, 'Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
		expect(editor.externalPages()).toEqual([]);
	});

	it('that was opened is counted in the status bar until the server says that it is complete (U09, U10)', async () => {
		const url = 'https://login.example.com/count';
		await askToOpen({ url, id: 'the-id', complete: 'later' });
		await editor.pending().filter({ hasText: '1' }).waitFor();
		await (await editor.notification(CONSENT)).press('Open URL');
		await editor.externalPage(url);

		await until('the id and its server in the tooltip', async () =>
			/sdk1[\s\S]*the-id|the-id[\s\S]*sdk1/.test(await editor.tooltip(editor.pending())),
		);
		await complete('another-id');
		expect(await structured(editor)).toEqual({ completed: 'another-id' });
		expect(await editor.pending().isVisible()).toBe(true);
		await editor.closeTabs();
		await complete('the-id');
		await editor.pending().waitFor({ state: 'hidden' });
		expect(await answer).toEqual({ action: 'accept' });
	});

	itByNight.each([
		['as it was written', TRICKY, TRICKY],
		[
			'in its normal form, beside which stands what was written',
			'https://Login.Example.com:443/a/../é',
			'https://login.example.com/%C3%A9',
		],
	])('is opened to the byte from the panel, %s (U02, U03, U08)', async (_how, written, href) => {
		const panel = await detailsOf(written);
		expect(await panel.locator('.url').allInnerTexts()).toEqual([...new Set([href, written])]);
		await press(panel, 'Open URL');
		await editor.externalPage(href);
		expect(await structured(editor)).toEqual({ action: 'accept' });
	});

	itByNight('is not opened when its panel is closed, which is a cancel (F14)', async () => {
		await detailsOf(SUSPICIOUS);
		await editor.closeTab(TAB);
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});
});

describe('a page that must not be opened', () => {
	it.each(
		variants(
			['user information', 'https://bank.example@evil.example/'],
			['a page that is not encrypted', 'http://login.example.com/'],
			['a script', 'javascript:alert(1)'],
		),
	)('%s is refused on the wire, and the user is told once (U07)', async (_what, url) => {
		await askToOpen({ url });
		const refusal = await editor.notification(/sdk1 .* was refused/);
		expect(await answer).toMatchObject({ error: { code: -32602 } });
		const text = await refusal.message();
		// Nothing else is left once the progress of the call has gone.
		await until('no other message', async () => (await editor.notifications()).every((other) => other === text));
		expect((await editor.notifications()).length).toBeLessThanOrEqual(1);
		expect(editor.externalPages()).toEqual([]);
		await refusal.dismiss();
	});

	itByNight('can be looked at in its parts, with the reason and no way to open it (U07)', async () => {
		await callByHand('https://bank.example@evil.example/x?y=%E2%80%AE');
		const refusal = await editor.notification(/sdk1 .* was refused/);
		expect(await refusal.buttons()).toEqual(['Details', 'Show Timeline']);
		expect(await structured(editor)).toMatchObject({ error: { code: -32602 } });
		await refusal.press('Details');
		const panel = await urlPanel(editor);
		expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Close']);
		expect(await panel.locator('.blocked').innerText()).toContain('user information in front of the host');
		expect(await parts(panel)).toEqual([
			['Scheme', 'https'],
			['User information', 'bank.example'],
			['Host', 'evil.example'],
			['Path', '/x'],
			['y', '‹U+202E›\nwritten y=%E2%80%AE'],
		]);
		await editor.screenshot('url panel refused');
		await press(panel, 'Close');
		await editor.page.getByRole('tab', { name: TAB }).waitFor({ state: 'detached' });
		expect(editor.externalPages()).toEqual([]);
	});
});
