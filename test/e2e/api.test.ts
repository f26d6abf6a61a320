import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { root } from '../harness/paths.mjs';
import { answerIn, demo, type Editor, formOfServer, openEditor, servers, until } from './driver/index.ts';

const EXAMPLE = 'Example Answerer (mcp-elicitation-test.example-answerer)';

/** Runs the command of the example, which calls a tool that asks. */
const confirm = (editor: Editor) => editor.command('Example Answerer: Confirm');

const autoResponders = (editor: Editor) => editor.page.locator('.statusbar-item[id$="mcpElicitation.answerers"]');

it('the package holds the types of the API, and neither sources nor tests', () => {
	const { extensions } = inject('editor');
	const [name = ''] = readdirSync(extensions).filter((each) => each.startsWith('mcp-elicitation.mcp-elicitation-'));
	const installed = join(extensions, name);
	const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	expect(readFileSync(join(installed, manifest.types), 'utf8')).toBe(readFileSync(join(root, 'src/api.ts'), 'utf8'));
	expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['src']));
	expect(readdirSync(installed)).not.toEqual(expect.arrayContaining(['test']));
});

it('another extension answers only once the user has agreed to it, visibly, until they take that back', async () => {
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
});
