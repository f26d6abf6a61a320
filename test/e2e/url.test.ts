import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { inOldestEditor } from '../harness/paths.mjs';
import { itByNight } from '../nightly.ts';
import {
	callTool,
	type Editor,
	openEditor,
	Probe,
	program,
	servers,
	structured,
	until,
	urlPanel,
} from './driver/index.ts';

/** The notification and the server's message in it. */
const CONSENT = 'Please sign in';
/** VS Code's own elicitation before it opens a page of another machine. */
const EDITORS_ELICITATION = '.monaco-dialog-box';

let editor: Editor;
let probe: Probe;

beforeAll(async () => {
	editor = await openEditor({ machineSettings: servers({ sdk1: program('sdk1') }), beside: ['probe'] });
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

	it.each([
		['encoded slashes and hashes', 'https://login.example.com/a%2Fb/start?next=%23top&state=a%2Bb%26c#part%2Fone'],
		['plus signs and spaces', 'https://login.example.com/a+b?q=a+b%20c&r=%25'],
		['letters beyond ASCII', 'https://login.example.com/caf%C3%A9?name=%E4%BD%A0%E5%A5%BD'],
		['empty and doubled parameters', 'https://login.example.com/?a=&a=1&&b'],
	])('opens the very bytes of a URL with %s and accepts without content (U02, U04, U08)', async (_what, url) => {
		await askToOpen({ url });
		const consent = await editor.notification(CONSENT);
		expect(await consent.message()).toContain(url);
		await consent.press('Open URL');
		await editor.externalPage(url);
		expect(await answer).toEqual({ action: 'accept' });
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

	it('takes a dismissed notification for a cancel (F14)', async () => {
		await askToOpen({ url: 'https://login.example.com/' });
		await (await editor.notification(CONSENT)).dismiss();
		expect(await answer).toEqual({ action: 'cancel' });
	});

	it('stays open when the URL is copied (U03)', async () => {
		const url = 'https://login.example.com/copy?me=%2F';
		await askToOpen({ url });
		await (await editor.notification(CONSENT)).press('Copy URL');
		await until('the URL in the clipboard', async () => {
			const copied = await editor.page.evaluate(() => navigator.clipboard.readText());
			return copied === url;
		});
		const consent = await editor.notification(CONSENT);
		expect(isUnanswered).toBe(true);
		await consent.press('Decline');
		expect(await answer).toEqual({ action: 'decline' });
	});

	it('can still be given from the status bar when the notification has sunk into the bell (U02)', async () => {
		const url = 'https://login.example.com/sunk';
		await askToOpen({ url });
		const consent = await editor.notification(CONSENT);
		// What the editor does by itself after a while.
		await editor.page.keyboard.press('Escape');
		await consent.gone();
		expect(isUnanswered).toBe(true);

		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pick(/sdk1/);
		const panel = await urlPanel(editor);
		expect(await panel.locator('.url').innerText()).toBe(url);
		await panel.getByRole('button', { name: 'Open URL' }).click();
		await editor.externalPage(url);
		expect(await answer).toEqual({ action: 'accept' });
	});

	itByNight(
		'is asked for in the panel alone, once it is open: a notification that is left over only leads to it',
		async () => {
			await askToOpen({ url: 'https://login.example.com/twice' });
			const consent = await editor.notification(CONSENT);
			await editor.pending().click();
			await editor.quickInput.shows('Choose an elicitation');
			await editor.quickInput.pick(/sdk1/);
			await urlPanel(editor);
			await consent.press('Open URL');
			await consent.gone();
			expect(editor.externalPages()).toEqual([]);
			expect(isUnanswered).toBe(true);
			const panel = await urlPanel(editor);
			expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Open URL', 'Copy URL', 'Decline', 'Cancel']);
			await panel.getByRole('button', { name: 'Decline' }).click();
			expect(await answer).toEqual({ action: 'decline' });
		},
	);

	itByNight('is not given up when a notification that is left over is dismissed', async () => {
		await askToOpen({ url: 'https://login.example.com/dismiss' });
		const consent = await editor.notification(CONSENT);
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pick(/sdk1/);
		const panel = await urlPanel(editor);
		await consent.dismiss();
		await panel.getByRole('button', { name: 'Decline' }).click();
		expect(await answer).toEqual({ action: 'decline' });
	});

	// The oldest editor shows three notifications and no fourth: what is told here waits in its bell.
	it.skipIf(inOldestEditor)(
		'is not asked for again when the server says that it is complete: told once, nothing is opened (fault 5)',
		async () => {
			await askToOpen({ url: 'https://login.example.com/too-late', id: 'early', complete: 'never' });
			const consent = await editor.notification(CONSENT);
			await complete('early');
			const notice = await editor.notification('sdk1: The request was completed elsewhere; nothing was opened.');
			expect(await answer).toEqual({ action: 'cancel' });

			await consent.press('Open URL');
			await consent.gone();
			expect(editor.externalPages()).toEqual([]);
			expect(
				(await editor.notifications()).filter((text) => text.includes('completed elsewhere')).length,
			).toBeLessThanOrEqual(1);
			await notice.dismiss();
		},
	);
});

describe('an opened page', () => {
	it('is counted in the status bar until the server says that it is complete (U09, U10)', async () => {
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

	itByNight('can be given up in the list (U11)', async () => {
		const url = 'https://login.example.com/give-up';
		await askToOpen({ url, id: 'given-up', complete: 'later' });
		await (await editor.notification(CONSENT)).press('Open URL');
		await editor.externalPage(url);
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pressOnEntry(/sdk1/, 'Cancel');
		await editor.pending().waitFor({ state: 'hidden' });
		await editor.quickInput.escape();
		await complete('given-up');
		expect(await answer).toEqual({ action: 'accept' });
	});

	it('is not pending any more once its call has ended: nothing waits for it', async () => {
		const url = 'https://login.example.com/over';
		await askToOpen({ url, id: 'over', complete: 'never' });
		await (await editor.notification(CONSENT)).press('Open URL');
		await editor.externalPage(url);
		expect(await answer).toEqual({ action: 'accept' });
		await editor.pending().waitFor({ state: 'hidden' });
	});
});

describe('a page that must not be opened', () => {
	it.each([
		['a page that is not encrypted', 'http://login.example.com/'],
		['a script', 'javascript:alert(1)'],
		['user information', 'https://bank.example@evil.example/'],
	])('%s is refused on the wire, and the user is told once (U07)', async (_what, url) => {
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
});
