import type { Frame, Locator } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	type Editor,
	formOfServer,
	type Kind,
	Probe,
	program,
	reuseEditor,
	servers,
	structured,
} from './driver/index.ts';

/** The name that the user gave the server is shown everywhere, and a workspace can be written by anybody. */
const SERVER = 'evil $(check) [x](command:y)';
/** What stays of the server's text where it is plain: its direction override is written out. */
const PLAIN = [
	'<img src=x',
	'[click]',
	'(command:workbench.action.closeWindow)',
	'(check)',
	'‹U+202E›detrever‹U+202C›',
];

let editor: Editor;
/** Everything that any page of the window asked another machine for. */
const remote: string[] = [];

beforeAll(async () => {
	await open();
	listen();
});

beforeEach(() => editor.closeTabs());

/** Notes what the pages of the window ask other machines for. */
function listen(): void {
	editor.page.context().on('request', (request) => {
		const { protocol, hostname } = new URL(request.url());
		if (/^http/.test(protocol) && !/^(localhost|127\.0\.0\.1)$|\.vscode-cdn\.net$/.test(hostname)) {
			remote.push(request.url());
		}
	});
}

/** The element shows the text and nothing came alive in it. */
async function expectPlain(element: Locator, parts: readonly string[] = PLAIN): Promise<void> {
	const text = (await element.innerText()).replace(/[\u00a0\s]+/g, ' ');
	for (const part of parts) {
		expect(text).toContain(part);
	}
	// Text that is made plain twice shows how it was done.
	expect(text).not.toContain('‹U+200B›');
	const alive = 'img:not([src^="data:"]), a[href]:not([href=""]), a[data-href], .codicon-check';
	expect(await element.locator(alive).count()).toBe(0);
}

/** By themselves, long labels lead to a panel. */
const inPickers = { 'mcpElicitation.form.presentation': 'quickPick' };

async function open(more: Kind = {}): Promise<void> {
	const machineSettings = servers({ [SERVER]: program('raw', 'hostile') });
	editor = await reuseEditor({ machineSettings, settings: inPickers, ...more });
	await editor.showViews();
	await editor.command('MCP Elicitation: Start Server');
	await editor.treeItem(/^Tools/);
}

async function callByPicker(tool: 'form' | 'url'): Promise<void> {
	await editor.command('MCP Elicitation: Call…');
	await editor.quickInput.shows('Choose what to call');
	const entry = editor.quickInput.entry(new RegExp(`^${tool} `));
	await entry.waitFor();
	await expectPlain(entry);
	await entry.click();
}

itByNight('hostile text is plain in the views and the picker of tools (F15)', async () => {
	await expectPlain(await editor.treeItem(/^evil/), ['evil', '(check)', '(command:y)']);
	await editor.unfold(/^Resources/);
	await expectPlain(await editor.treeItem(/^resource /));
	await expectPlain(await editor.treeItem(/^template /));
	await editor.unfold(/^Prompts/);
	await expectPlain(await editor.treeItem(/^prompt /));
	await editor.unfold(/^Tools/);
	await expectPlain(await editor.treeItem(/^form /));
});

it('hostile text is plain in pickers, progress, pending list, status bar and timeline (F15)', async () => {
	await callByPicker('form');
	const { quickInput } = editor;
	await quickInput.shows('(1/3)');
	await expectPlain(quickInput.element);
	await expectPlain(await editor.statusBar(/evil.*you \d/), ['evil', '(check)']);
	await expectPlain(await editor.treeItem(/form · (just now|\d+ s ago)/));
	await expectPlain(editor.pending(), ['1']);
	await quickInput.enter('text');
	await quickInput.shows('(2/3)');
	await expectPlain(quickInput.element);
	await quickInput.press('Open as Form');
	await answerIn(await formOfServer(editor, SERVER), 'Decline');
	expect(await structured(editor)).toEqual({ action: 'decline' });
	await expectPlain(await editor.treeItem(/^form.*evil/), ['evil', '(check)']);
});

it('hostile text is plain in a form, which runs no script but its own and asks no other machine for anything (F15)', async () => {
	await callByPicker('form');
	await editor.quickInput.shows('(1/3)');
	await editor.quickInput.press('Open as Form');
	const form = await formOfServer(editor, SERVER);
	await expectPlain(form.locator('body'), [
		...PLAIN,
		'evil $(check) [x](command:y)',
		'$(check)',
		'](https://evil.example/)',
	]);
	await editor.screenshot('form hostile');

	expect(remote).toEqual([]);
	const policy = await form.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
	expect(policy).toContain("default-src 'none'");
	expect(policy).toMatch(/script-src 'nonce-[^']+';/);
	expect(policy).not.toContain('unsafe');
	expect(await violationsOf(form)).toEqual(['img-src', 'script-src-elem', 'script-src-attr'].sort());
	await answerIn(form, 'Cancel');
	expect(await structured(editor)).toEqual({ action: 'cancel' });
});

/** Which rules of the policy stop a remote image, an inline script and an inline handler. */
function violationsOf(form: Frame): Promise<string[]> {
	return form.evaluate(async () => {
		const broken: string[] = [];
		const all = new Promise<void>((resolve) => {
			document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
				broken.push(effectiveDirective);
				if (broken.length === 3) {
					resolve();
				}
			});
		});
		const script = document.createElement('script');
		script.textContent = 'document.title = "broken"';
		const image = document.createElement('img');
		image.src = 'https://evil.example/pixel.png';
		const button = document.createElement('button');
		button.setAttribute('onclick', 'document.title = "broken"');
		document.body.append(script, image, button);
		button.click();
		await all;
		return broken.sort();
	});
}

itByNight('hostile text is plain in the consent to a page (F15, U03)', async () => {
	await open({ beside: ['probe'] });
	const probe = await Probe.in(editor);
	const before = remote.length;
	listen();
	// Asked by a program, so in a notification.
	void probe.run('mcpElicitation.callTool', SERVER, 'url', {}).catch(() => {});
	const consent = await editor.notification('asks you to open a URL');
	await expectPlain(consent.element);
	expect(await consent.links()).toEqual([]);
	await consent.press('Decline');

	await callByPicker('url');
	const panel = await editor.frameOf('button', 'Open URL');
	await expectPlain(panel.locator('body'), [...PLAIN, SERVER, 'q=[x](command:y)$(check)']);
	expect(await panel.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).toMatch(
		/^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+'; base-uri 'none'; form-action 'none'$/,
	);
	await editor.screenshot('url panel hostile');
	expect(remote.slice(before)).toEqual([]);
	await panel.getByRole('button', { name: 'Decline' }).click();
	expect(await structured(editor)).toEqual({ action: 'decline' });
});
