import type { Frame } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../nightly.ts';
import {
	callTool,
	type Editor,
	failureOf,
	program,
	reuseEditor,
	servers,
	structured,
	until,
	urlPanel,
} from './driver/index.ts';

const MESSAGE = 'Please sign in';
/** Letters that pass for others, a port of its own, and another URL inside. */
const SUSPICIOUS = 'https://login.xn--80ak6aa92e.com:8443/a%2Fb?next=https%3A%2F%2Fevil.example%2F&x=1+2#part%2Fone';
const TAB = 'sdk1: URL';

let editor: Editor;

beforeAll(async () => {
	editor = await reuseEditor({ machineSettings: servers({ sdk1: program('sdk1') }) });
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const page of editor.externalPages()) {
		await page.close();
	}
	await editor.page.bringToFront();
});

function askToOpen(url: string, message = MESSAGE): Promise<void> {
	const args = { url, message, elicitationId: 'id-1' };
	return callTool(editor, { tool: 'url', args, choices: { complete: 'after' } });
}

/** Asks for a plain URL in a call that the user started: it has a panel as well. */
async function detailsOf(url: string): Promise<Frame> {
	await askToOpen(url);
	return urlPanel(editor);
}

const press = (panel: Frame, name: string) => panel.getByRole('button', { name, exact: true }).click();
const buttons = (panel: Frame) => panel.getByRole('button').allInnerTexts();
const status = (panel: Frame) => panel.getByRole('status').innerText();
const noConsentByNotification = async () =>
	expect((await editor.notifications()).filter((text) => text.includes('asks you to open'))).toEqual([]);

/** The parts as they read: name to value. */
const parts = (panel: Frame) =>
	panel.evaluate(() =>
		[...document.querySelectorAll('dt')].map((name) => [
			name.innerText,
			(name.nextElementSibling as HTMLElement).innerText,
		]),
	);

/** The result of the call that asked, whichever tab is in front. */
async function answer(): Promise<unknown> {
	await editor.page.getByRole('tab', { name: 'url: result' }).click();
	return structured(editor);
}

describe('a suspicious URL', () => {
	it('is asked for in a panel that warns, and sets its parts apart (U03, U05, U06)', async () => {
		await askToOpen(SUSPICIOUS, 'Click [x](command:y)');
		const panel = await urlPanel(editor);
		await noConsentByNotification();
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

	itByNight('is opened to the byte once the user consents (U02, U04, U08)', async () => {
		await askToOpen(SUSPICIOUS);
		await press(await urlPanel(editor), 'Open URL');
		await editor.externalPage(SUSPICIOUS);
		expect(await structured(editor)).toEqual({ action: 'accept' });
		expect(await editor.page.getByRole('tab', { name: TAB }).count()).toBe(0);
	});
});

itByNight('what a sign-in usually does is information: Open URL stays the button to press (U06)', async () => {
	const url = 'https://login.example.com/authorize?state=a&redirect_uri=https%3A%2F%2Flab.example.com%2Fdone';
	const panel = await detailsOf(url);
	await noConsentByNotification();
	expect(await panel.locator('.alarm, .warning').count()).toBe(0);
	expect(await panel.locator('.note').allInnerTexts()).toContain('Afterwards you return to lab.example.com.');
	expect(await panel.locator('.primary').innerText()).toBe('Open URL');
	await editor.screenshot('url panel sign-in');
	await press(panel, 'Open URL');
	await editor.externalPage(url);
	expect(await structured(editor)).toEqual({ action: 'accept' });
	// Nothing is left over of the decision.
	expect(await editor.page.getByRole('tab', { name: TAB }).count()).toBe(0);
	expect(await editor.notifications()).toEqual([]);
});

describe('the panel', () => {
	itByNight('is where a long URL is asked for (U03)', async () => {
		const url = `https://login.example.com/?long=${'0123456789'.repeat(800)}`;
		await askToOpen(url);
		const panel = await urlPanel(editor);
		expect(await panel.locator('.url').innerText()).toBe(url);
		await editor.screenshot('url panel long');
		await press(panel, 'Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
	});

	itByNight('shows what the server wrote beside what is opened, where they differ (U03)', async () => {
		await askToOpen('https://Login.Example.com:443/a/../é');
		const panel = await urlPanel(editor);
		const href = 'https://login.example.com/%C3%A9';
		expect(await panel.locator('.url').allInnerTexts()).toEqual([href, 'https://Login.Example.com:443/a/../é']);
		await press(panel, 'Open URL');
		await editor.externalPage(href);
		expect(await structured(editor)).toEqual({ action: 'accept' });
	});

	itByNight.each(
		variants(
			['encoded slashes and hashes', 'https://login.example.com/a%2Fb/start?next=%23top&state=a%2Bb%26c#part%2Fone'],
			['plus signs and spaces', 'https://login.example.com/a+b?q=a+b%20c&r=%25'],
			['letters beyond ASCII', 'https://login.example.com/caf%C3%A9?name=%E4%BD%A0%E5%A5%BD'],
			['empty and doubled parameters', 'https://login.example.com/?a=&a=1&&b'],
		),
	)('opens the very bytes of %s (U02, U08)', async (_what, url) => {
		const panel = await detailsOf(url);
		expect(await panel.locator('.url').innerText()).toBe(url);
		await noConsentByNotification();
		await press(panel, 'Open URL');
		await editor.externalPage(url);
		expect(await structured(editor)).toEqual({ action: 'accept' });
	});

	itByNight('stays open when the URL is copied, and says so', async () => {
		const url = 'https://login.example.com/copy?me=%2F&a+b';
		const panel = await detailsOf(url);
		await press(panel, 'Copy URL');
		await until('the panel to say so', async () => (await status(panel)) === 'Copied.');
		expect(await editor.page.evaluate(() => navigator.clipboard.readText())).toBe(url);
		await editor.pending().filter({ hasText: '1' }).waitFor();
		await press(panel, 'Cancel');
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight('that is closed is a cancel (F14)', async () => {
		await detailsOf('https://login.example.com/close');
		await editor.closeTab(TAB);
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight(
		'sends the cancel, with the reason, when the editor itself is told not to open the page (U08, A03)',
		async () => {
			const panel = await detailsOf('https://login.example.org/never');
			await press(panel, 'Open URL');
			await (await editor.modal()).press('Cancel');
			expect(await structured(editor)).toEqual({ action: 'cancel' });
			expect(editor.externalPages()).toEqual([]);
			await (await editor.notification('sdk1: The URL was not opened, so the request was cancelled.')).dismiss();
		},
	);
});

describe('a panel of which the request ends elsewhere', () => {
	/** Waits for the line that says why, and expects that nothing can be done any more. */
	async function expectOver(reason: string): Promise<void> {
		const panel = await urlPanel(editor);
		await until('the panel to say why', async () => (await status(panel)).endsWith(reason));
		for (const button of await panel.getByRole('button').all()) {
			expect(await button.isDisabled()).toBe(true);
		}
		expect(editor.externalPages()).toEqual([]);
	}

	itByNight(
		'says so when the server completes it before the decision, and still when it is shown again (fault 5)',
		async () => {
			await askToOpen(SUSPICIOUS);
			await urlPanel(editor);
			await callTool(editor, { tool: 'complete', args: { elicitationId: '"id-1"' } });
			expect(await answer()).toEqual({ action: 'cancel' });
			await editor.page.getByRole('tab', { name: TAB }).click();
			await expectOver('The request was completed elsewhere; nothing was opened.');
			await editor.screenshot('url panel over');
		},
	);

	itByNight('says so when it is declined from the list', async () => {
		await askToOpen(SUSPICIOUS);
		await urlPanel(editor);
		await editor.command('MCP Elicitation: Decline Elicitation');
		expect(await answer()).toEqual({ action: 'decline' });
		await editor.page.getByRole('tab', { name: TAB }).click();
		await expectOver('The request was declined elsewhere; nothing was opened.');
	});

	itByNight('says so when the server goes away (A02)', async () => {
		await askToOpen(SUSPICIOUS);
		await urlPanel(editor);
		await editor.command('MCP Elicitation: Stop Server');
		await expectOver('has ended. Nothing was opened or sent.');
		expect(await failureOf(editor, 'sdk1')).toContain('was running');
	});
});

describe('a refused URL', () => {
	itByNight('can be looked at in its parts, with the reason and no way to open it (U07)', async () => {
		await askToOpen('https://bank.example@evil.example/x?y=%E2%80%AE');
		const refusal = await editor.notification(/sdk1 .* was refused/);
		expect(await refusal.buttons()).toEqual(['Details', 'Show Timeline']);
		expect(await structured(editor)).toMatchObject({ error: { code: -32602 } });
		await refusal.press('Details');
		const panel = await urlPanel(editor);
		expect(await buttons(panel)).toEqual(['Close']);
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

	itByNight('that cannot be taken apart has no details', async () => {
		await askToOpen('not a URL');
		const refusal = await editor.notification(/sdk1 .* was refused/);
		expect(await refusal.buttons()).toEqual(['Show Timeline']);
		await refusal.dismiss();
	});
});

itByNight.each(variants('Default High Contrast', 'Default Light Modern'))(
	'the panel fits its width in %s, with right-to-left text',
	async (theme) => {
		const window = await reuseEditor({
			machineSettings: servers({ sdk1: program('sdk1') }),
			settings: { 'workbench.colorTheme': theme },
		});
		const message = 'مرحبا، الرجاء فتح هذه الصفحة https://login.example.com/ ثم العودة';
		const args = { url: SUSPICIOUS, message, elicitationId: 'id-1' };
		await callTool(window, { tool: 'url', args, choices: { complete: 'after' } });
		const panel = await urlPanel(window);
		await window.screenshot(`url panel ${theme}`);
		await window.page.setViewportSize({ width: 700, height: 600 });
		expect(
			await panel.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
		).toBe(0);
		await window.screenshot(`url panel narrow ${theme}`);
		await press(panel, 'Decline');
		expect(await structured(window)).toEqual({ action: 'decline' });
	},
);
