import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	actInTimeline,
	answerIn,
	appears,
	ask,
	callTool,
	demo,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	program,
	resultOf,
	reuseEditor,
	servers,
	structured,
	until,
	urlPanel,
} from './driver/index.ts';

const FILE = '.mcp/elicitations/answers.json';
const number = { n: { type: 'integer', default: 1, maximum: 9 }, text: { type: 'string' } };
const machineSettings = servers({ sdk1: program('sdk1') });
const webview = { 'mcpElicitation.form.presentation': 'webview' };

const elicitation = (message: string) => formOf(number, [], message);
const modals = (editor: Editor) => editor.page.locator('.monaco-dialog-box').count();

/** What counts and names whoever answers in the user's place. */
const autoResponders = (editor: Editor): Locator =>
	editor.page.locator('.statusbar-item[id$="mcpElicitation.answerers"]');

/** Has the server ask, and gives what it has received. */
async function answered(editor: Editor, params: object): Promise<unknown> {
	await editor.closeTabs();
	await ask(editor, params);
	return structured(editor);
}

async function write({ workspace }: Editor, script: unknown, file = FILE): Promise<void> {
	await writeFile(join(workspace, file), JSON.stringify(script));
}

async function read({ workspace }: Editor, file: string): Promise<unknown> {
	return JSON.parse(await readFile(join(workspace, '.mcp/elicitations', file), 'utf8'));
}

describe('scripts in the user’s own settings', () => {
	let editor: Editor;

	beforeAll(async () => {
		const answers = [
			{ message: 'Accept*', action: 'accept', content: { n: 2 } },
			{ message: 'Decline*', action: 'decline' },
			{ message: 'Cancel*', action: 'cancel' },
			{ message: 'Error*', action: 'error', error: { code: -32000, message: 'No, on purpose.' } },
			{ mode: 'url', tool: 'url', action: 'accept' },
			{ message: 'Wrong*', action: 'accept', content: { n: 10 } },
			{ message: 'Late*', action: 'decline', delayMs: 600_000 },
		];
		editor = await reuseEditor({
			machineSettings: { ...machineSettings, 'mcpElicitation.answers': answers },
			settings: webview,
		});
	});

	beforeEach(() => editor.closeTabs());

	itByNight('answer forms without asking, and say so (F12, F13)', async () => {
		expect(await answered(editor, elicitation('Accept this'))).toEqual({ action: 'accept', content: { n: 2 } });
		const result = await editor.frameOf('button', 'Open as JSON');
		expect(await result.locator('.origin').innerText()).toContain('by a script in your remote settings, no. 1');
		const notice = await editor.notification('Scripts respond to requests from sdk1 on your behalf');
		expect(await notice.message()).toContain('your remote settings');
		expect(await notice.buttons()).toEqual(['Show', 'Stop Scripts']);
		expect(await autoResponders(editor).innerText()).toContain('1');
		await editor.screenshot('scripts answer');
		expect(await answered(editor, elicitation('Decline\nthis'))).toEqual({ action: 'decline' });
		expect(await answered(editor, elicitation('Cancel this'))).toEqual({ action: 'cancel' });
		expect(await answered(editor, elicitation('Error'))).toMatchObject({
			error: { code: -32000, message: expect.stringContaining('No, on purpose.') },
		});
		await until('four answers to be counted', async () => (await autoResponders(editor).innerText()).includes('4'));
		const told = await editor.notifications();
		expect(told.filter((message) => message.includes('on your behalf')).length).toBeLessThanOrEqual(1);
	});

	itByNight('accept a page, which is no consent: every way to it asks before it opens', async () => {
		const url = 'https://login.example.com/accepted?by=script';
		const args = { url, message: 'Sign in', elicitationId: 'accepted' };
		await callTool(editor, { tool: 'url', args, choices: { complete: 'later' } });
		await editor.showViews();
		const entry = /Sign in.*accepted without opening the URL/s;
		const asksFirst = async () => {
			const panel = await urlPanel(editor);
			expect(await panel.locator('.url').innerText()).toBe(url);
			expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Open URL', 'Copy URL', 'Close']);
			expect(editor.externalPages()).toEqual([]);
			return panel;
		};
		const closes = async () => {
			await (await asksFirst()).getByRole('button', { name: 'Close' }).click();
			await until('no tab', async () => (await editor.page.getByRole('tab', { name: /URL$/ }).count()) === 0);
		};

		await (await editor.treeItem(entry)).click();
		await closes();
		const row = await editor.treeItem(entry);
		await row.hover();
		await row.getByRole('button', { name: 'Reopen URL' }).click();
		await closes();
		await editor.chooseFromMenu(entry, 'Reopen URL');
		await closes();
		await editor.pending().click();
		await editor.quickInput.pressOnEntry(/sdk1/, 'Reopen URL');
		await editor.quickInput.escape();
		await closes();
		await editor.pending().click();
		await editor.quickInput.pick(/sdk1/);
		const panel = await asksFirst();
		expect(await panel.locator('body').innerText()).toContain(
			'It was accepted on your behalf (by a script in your remote',
		);
		await editor.screenshot('consent after a script');

		await panel.getByRole('button', { name: 'Open URL' }).click();
		await (await editor.externalPage(url)).close();
		await editor.page.bringToFront();
		await (await editor.treeItem(/Sign in.*URL opened/s)).click();
		await (await editor.externalPage(url)).close();
		await editor.page.bringToFront();
		await editor.chooseFromMenu(/Sign in/, 'Cancel Elicitation');
		await editor.pending().waitFor({ state: 'hidden' });
		await callTool(editor, { tool: 'complete', args: { elicitationId: '"accepted"' } });
		await editor.page.getByRole('tab', { name: 'url: result' }).waitFor();
	});

	itByNight('leave to the user what their answer does not fit, and say what is wrong with it', async () => {
		await ask(editor, elicitation('Wrong number'));
		const warning = await editor.notification('did not respond');
		const message = await warning.message();
		expect(message).toContain('sdk1');
		expect(message).toContain('your remote settings, no. 6');
		expect(message).toContain('/n: At most 9.');
		await warning.press('Show Script');
		await editor.page.getByRole('tab', { name: /settings\.json/ }).waitFor();
		await editor.page.getByRole('tab', { name: 'sdk1', exact: true }).click();
		await answerIn(await formOfServer(editor, 'sdk1', 'Wrong number'), 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { n: 1 } });
	});

	itByNight(
		'are named where their answers are listed, and answer no more once the user stops them, until they may again',
		async () => {
			await editor.command('MCP Elicitation: Focus on Timeline View');
			await editor.treeItem(/ask/);
			await autoResponders(editor).click();
			await editor.quickInput.shows('Auto-Responders');
			expect(await editor.quickInput.entries()).toEqual(['Stop Scripts', 'your remote settings']);
			await editor.quickInput.pick('Stop Scripts');
			await until('the status bar to say so', async () =>
				(await autoResponders(editor).innerHTML()).includes('debug-pause'),
			);
			await ask(editor, elicitation('Accept nothing'));
			await answerIn(await formOfServer(editor, 'sdk1', 'Accept nothing'), 'Cancel');
			expect(await structured(editor)).toEqual({ action: 'cancel' });
			await editor.reload('scriptsStopped');
			await until('the status bar to say so still', async () =>
				(await autoResponders(editor).innerText()).includes('Scripts stopped'),
			);
			await autoResponders(editor).click();
			await editor.quickInput.pick('Resume Scripts');
			expect(await answered(editor, elicitation('Accept again'))).toEqual({ action: 'accept', content: { n: 2 } });
		},
	);
});

describe('scripts in the user’s own settings, and a workspace', () => {
	itByNight('are not overridden by those that the workspace brings along', async () => {
		const editor = await reuseEditor({
			machineSettings: { ...machineSettings, 'mcpElicitation.answers': [{ message: 'A*', action: 'decline' }] },
			settings: { ...webview, 'mcpElicitation.answers': [{ message: 'A*', action: 'accept' }] },
		});
		expect(await answered(editor, elicitation('An elicitation'))).toEqual({ action: 'decline' });
		expect(await modals(editor)).toBe(0);
	});

	itByNight('do not answer the server that the workspace has put in the place of theirs', async () => {
		const editor = await reuseEditor({
			machineSettings: {
				...machineSettings,
				'mcpElicitation.answers': [{ server: 'sdk1', action: 'accept', content: { text: 'for theirs' } }],
			},
			settings: { ...webview, ...servers({ sdk1: program('sdk1', 'of the workspace') }) },
		});
		await editor.command('MCP Elicitation: Start Server');
		await (await editor.startConsent()).press('Start Server');
		await ask(editor, elicitation('An elicitation'));
		await answerIn(await formOfServer(editor, 'sdk1', 'An elicitation'), 'Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
	});
});

describe('scripts that a workspace brings along', () => {
	itByNight('are shown whole before the user agrees to them, with what cannot be seen', async () => {
		const text = `${'x'.repeat(150)} and the \u202eend`;
		const editor = await openEditor({
			machineSettings,
			settings: webview,
			files: {
				[FILE]: JSON.stringify({ message: 'A\n*', action: 'accept', content: { text }, times: 2, delayMs: 50 }),
			},
		});
		await ask(editor, elicitation('A\nelicitation'));
		const modal = await editor.modal();
		expect(await modal.detail()).toContain(
			`${FILE}:\n1. message A‹U+000A›* → accept {"text":"${'x'.repeat(150)} and the ‹U+202E›end"} · after 50 ms · 2 times at most`,
		);
		await editor.screenshot('agreement to scripts whole');
		await modal.press('Allow Scripts');
		// The result shows them, too.
		const shown = text.replace('\u202e', '‹U+202E›');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { n: 1, text: shown } });
	});

	itByNight(
		'are shown in a document where they are too long for a dialog, and are agreed to as they are shown there',
		async () => {
			const text = `${'x'.repeat(3_000)}the end`;
			const editor = await openEditor({
				machineSettings,
				settings: webview,
				files: { [FILE]: JSON.stringify([{ message: 'A*', action: 'accept', content: { text } }]) },
			});
			await ask(editor, elicitation('An elicitation'));
			const modal = await editor.modal();
			expect(await modal.detail()).toContain(`They are too long to be shown here: ${FILE}.`);
			expect((await modal.buttons()).sort()).toEqual(['Cancel', 'Show Scripts']);
			await editor.screenshot('agreement to long scripts');
			await modal.press('Show Scripts');
			await editor.page.getByRole('tab', { name: 'Scripts.json' }).waitFor();
			const notice = await editor.notification(
				'Allow the scripts of this workspace, as shown, to respond on your behalf?',
			);
			await editor.screenshot('long scripts');
			// This elicitation is the user's, and so is the next one that comes before they have decided.
			await answerIn(await formOfServer(editor, 'sdk1', 'An elicitation'), 'Decline');
			await notice.press('Allow Scripts');
			expect(await answered(editor, elicitation('An elicitation'))).toEqual({
				action: 'accept',
				content: { n: 1, text },
			});

			await write(editor, [{ message: 'A*', action: 'accept', content: { text: `${text}, changed` } }]);
			await editor.reload('agreedScripts');
			await ask(editor, elicitation('An elicitation'));
			await (await editor.modal()).escape();
		},
	);

	itByNight('are agreed to for this workspace alone, not for another one at the same path', async () => {
		const editor = await openEditor({
			machineSettings,
			settings: webview,
			files: {
				[FILE]: JSON.stringify([{ message: 'A*', action: 'decline' }]),
				'other.code-workspace': JSON.stringify({ folders: [{ path: '.' }], settings: webview }),
			},
		});
		await ask(editor, elicitation('An elicitation'));
		await (await editor.modal()).press('Allow Scripts');
		expect(await structured(editor)).toEqual({ action: 'decline' });
		await editor.reload('agreedScripts');
		const workspace = join(editor.workspace, 'other.code-workspace');
		await editor.page.goto(`${new URL(editor.page.url()).origin}/?${new URLSearchParams({ workspace })}`);
		// The editor under test loses the folders of a workspace file now and then when it opens one.
		await until('the editor to have the folder', async (moment) => {
			const found = await appears(editor.page.getByRole('treeitem', { name: 'other.code-workspace' }), moment);
			return found || editor.reload().then(() => false);
		});
		await ask(editor, elicitation('An elicitation'));
		await (await editor.modal()).escape();
	});

	it('answer only once the user has agreed to them, and again when they have changed', async () => {
		const editor = await openEditor({
			machineSettings,
			settings: { ...webview, 'mcpElicitation.answers': [{ message: 'Settings*', action: 'cancel' }] },
			files: {
				[FILE]:
					'// Two of them.\n[{ "message": "A*", "action": "accept", "content": { "n": 3 } }, { "action": "decline" }]',
			},
		});
		await ask(editor, elicitation('An elicitation'));
		const modal = await editor.modal();
		expect(await modal.message()).toBe('Allow the scripts of this workspace to respond on your behalf?');
		const detail = await modal.detail();
		expect(detail).toContain('Current request from sdk1: An elicitation');
		expect(detail).toContain('the settings of this workspace:\n1. message Settings* → cancel');
		expect(detail).toContain(`${FILE}:\n1. message A* → accept {"n":3}\n2. every request → decline`);
		await editor.screenshot('agreement to scripts');
		await modal.escape();
		await answerIn(await formOfServer(editor, 'sdk1', 'An elicitation'), 'Cancel');
		expect(await structured(editor)).toEqual({ action: 'cancel' });

		// Not asked again in this window.
		await editor.closeTabs();
		await ask(editor, elicitation('Another elicitation'));
		await answerIn(await formOfServer(editor, 'sdk1', 'Another elicitation'), 'Cancel');
		expect(await modals(editor)).toBe(0);

		await write(editor, [{ message: 'A*', action: 'accept', content: { n: 4 }, times: 1 }, { action: 'decline' }]);
		await editor.closeTabs();
		await until('the changed scripts to be asked for', async () => {
			await ask(editor, elicitation('An elicitation'));
			const asked = formOfServer(editor, 'sdk1', 'An elicitation').catch(() => undefined);
			const form = await Promise.race([asked, editor.modal().then(() => undefined)]);
			if (!form) {
				return true;
			}
			await answerIn(form, 'Cancel');
			await structured(editor);
			await editor.closeTabs();
			return false;
		});
		await (await editor.modal()).press('Allow Scripts');
		// The result of the request before may still be there.
		expect(await resultOf(editor, '"accept"')).toContain('"n":4');

		// Once: after that, the next one that fits. What is restored late would be taken for a new result.
		await editor.closeTabs();
		await editor.reload('agreedScripts');
		expect(await answered(editor, elicitation('An elicitation'))).toEqual({ action: 'accept', content: { n: 4 } });
		expect(await answered(editor, elicitation('An elicitation'))).toEqual({ action: 'decline' });
		expect(await modals(editor)).toBe(0);

		await autoResponders(editor).click();
		await editor.quickInput.shows('Auto-Responders');
		await editor.quickInput.pressOnEntry(FILE, 'Revoke Consent');
		await editor.closeTabs();
		await ask(editor, elicitation('An elicitation'));
		await (await editor.modal()).escape();
		await answerIn(await formOfServer(editor, 'sdk1', 'An elicitation'), 'Cancel');
	});

	itByNight('are marked where they are wrong, and not looked at in Restricted Mode', async () => {
		const editor = await openEditor({
			trusted: false,
			machineSettings,
			files: { [FILE]: '{\n  "mesage": "A*",\n  "action": "declin"\n}' },
		});
		await editor.statusBar('Restricted Mode');
		await editor.command('MCP Elicitation: Show Timeline');
		expect(await editor.problems()).toEqual([]);
		await editor.trust();
		const page = editor.page.locator('.monaco-modal-editor-block');
		await until('the page about trust to be closed', async (moment) => {
			await page
				.locator('.codicon-close')
				.first()
				.click({ timeout: moment })
				.catch(() => {});
			return !(await page.isVisible());
		});
		const problems = await until('the problems', async () => {
			const rows = await editor.problems();
			return rows.length >= 3 && rows;
		});
		expect(problems.join('\n')).toContain('"mesage" is unknown and has no effect. Did you mean "message"?');
		expect(problems.join('\n')).toContain('"action" must be one of "accept", "decline", "cancel", "error".');
	});
});

describe('an answer that was saved as a script', () => {
	itByNight('answers the same elicitation from then on; what is masked stays out of the file', async () => {
		const editor = await reuseEditor({ machineSettings, settings: webview });
		const params = formOf(
			{ name: { type: 'string' }, secret: { type: 'string', format: 'password' }, api_key: { type: 'string' } },
			[],
			'Who {are} you?',
		);
		await ask(editor, params);
		const form = await formOfServer(editor, 'sdk1', 'Who {are} you?');
		await form.getByLabel('name', { exact: true }).fill('Ada');
		await form.getByLabel('secret', { exact: true }).fill('hidden');
		await form.getByLabel('api_key', { exact: true }).fill('hidden, too');
		await answerIn(form, 'Accept');
		await structured(editor);

		await actInTimeline(editor, /Who \{are\} you\?/, 'Save Response as Script');
		const notice = await editor.notification('was saved without the values of secret, api_key');
		expect(await notice.message()).toContain('.mcp/elicitations/sdk1-ask.json');
		await editor.page.getByRole('tab', { name: 'sdk1-ask.json' }).waitFor();
		const script = {
			server: 'sdk1',
			tool: 'ask',
			message: 'Who \\{are\\} you\\?',
			mode: 'form',
			action: 'accept',
			content: { name: 'Ada', secret: '‹fill in›', api_key: '‹fill in›' },
		};
		expect(await read(editor, 'sdk1-ask.json')).toEqual(script);

		await editor.closeTabs();
		await ask(editor, params);
		await editor.notification('It cannot be used as written');
		await answerIn(await formOfServer(editor, 'sdk1', 'Who {are} you?'), 'Decline');
		await structured(editor);

		await editor.closeTabs();
		await actInTimeline(editor, /declined/, 'Save Response as Script');
		await (await editor.modal()).press('Save Script');
		await (await editor.modal()).press('Overwrite');
		await editor.notification('sdk1-ask.json was saved; from now on');
		const { content: _, ...same } = script;
		expect(await read(editor, 'sdk1-ask.json')).toEqual({ ...same, action: 'decline' });
		expect(await answered(editor, params)).toEqual({ action: 'decline' });
		await editor.notification('Scripts respond to requests from sdk1 on your behalf: .mcp/elicitations/sdk1-ask.json');
	});

	itByNight('is not written through a symbolic link, wherever that leads', async () => {
		const elsewhere = await mkdtemp(join(tmpdir(), 'mcp-elicitation-elsewhere-'));
		const editor = await reuseEditor({ machineSettings, settings: webview });
		const folder = join(editor.workspace, '.mcp/elicitations');
		const save = async () => {
			await actInTimeline(editor, /An elicitation/, 'Save Response as Script');
			const notice = await editor.notification(/is a symbolic link|was saved/);
			const message = await notice.message();
			await notice.dismiss();
			return message;
		};
		await ask(editor, elicitation('An elicitation'));
		await answerIn(await formOfServer(editor, 'sdk1', 'An elicitation'), 'Decline');
		await structured(editor);

		await mkdir(folder, { recursive: true });
		await symlink(join(elsewhere, 'planted.json'), join(folder, 'sdk1-ask.json'));
		expect(await save()).toContain(
			'Nothing was written because .mcp/elicitations/sdk1-ask.json is a symbolic link to another location.',
		);
		await rm(folder, { recursive: true });
		await symlink(elsewhere, folder);
		expect(await save()).toContain('because .mcp/elicitations is a symbolic link');
		expect(readdirSync(elsewhere)).toEqual([]);
		await rm(folder);
		expect(await save()).toContain('was saved');
		expect(existsSync(join(folder, 'sdk1-ask.json'))).toBe(true);
		await rm(elsewhere, { recursive: true });
	});
});

const EXAMPLE = 'Example Answerer (mcp-elicitation-test.example-answerer)';

/** Runs the command of the example, which calls a tool that asks. */
const confirm = (editor: Editor) => editor.command('Example Answerer: Confirm');

itByNight(
	'another extension answers only once the user has agreed to it, visibly, until they take that back',
	async () => {
		const editor = await openEditor({
			beside: ['exampleExtension'],
			machineSettings: servers({ example: demo('2026-07-28') }),
			settings: { 'mcpElicitation.form.presentation': 'webview' },
		});
		await confirm(editor);
		const modal = await editor.modal();
		expect(await modal.message()).toBe(`Allow the extension ${EXAMPLE} to respond on your behalf?`);
		expect(await modal.detail()).toContain(
			'An extension that identifies itself as mcp-elicitation-test.example-answerer requests this. The editor cannot prove',
		);
		expect(await modal.detail()).toContain('Current request from example: Shall the demo go ahead?');
		expect((await modal.buttons()).sort()).toEqual(['Allow', 'Cancel']);
		await editor.screenshot('agreement to an extension');
		await modal.press('Allow');
		const notice = await editor.notification(
			`The extension ${EXAMPLE} responds to requests from example on your behalf.`,
		);
		expect(await notice.buttons()).toEqual(['Show', 'Stop Extension']);
		expect(await autoResponders(editor).innerText()).toContain('1');

		await editor.reload('agreedExtensions');
		await confirm(editor);
		await until('the answer to be counted', async () => (await autoResponders(editor).innerText()).includes('1'));
		await autoResponders(editor).click();
		await editor.quickInput.shows('Auto-Responders');
		await editor.quickInput.pressOnEntry(EXAMPLE, 'Revoke Consent');

		await confirm(editor);
		await (await editor.modal()).escape();
		const form = await formOfServer(editor, 'example');
		// The user waits for nothing that a program has called.
		expect(await form.evaluate(() => document.hasFocus())).toBe(false);
		await answerIn(form, 'Decline');
		// Who was refused is not proposed again in this window.
		await confirm(editor);
		await answerIn(await formOfServer(editor, 'example'), 'Decline');
	},
);
