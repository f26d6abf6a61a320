import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	type Editor,
	everything,
	formOfServer,
	program,
	resultOf,
	reuseEditor,
	servers,
	until,
} from './driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await reuseEditor({
		machineSettings: servers({ sdk1: program('sdk1'), everything }),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
});

beforeEach(() => editor.closeTabs());

/** Chooses what a server offers from the list of everything that can be called. */
const choose = (server: string, what: string) => callTool(editor, { server, tool: what });

/** Fills in the form that is shown before the call. */
async function enter(button: 'Get' | 'Read', texts: Readonly<Record<string, string>>): Promise<Frame> {
	const form = await editor.frameOf('button', button);
	for (const [label, text] of Object.entries(texts)) {
		await form.getByLabel(label, { exact: true }).fill(text);
	}
	await form.getByRole('button', { name: button, exact: true }).click();
	return form;
}

/** Answers the elicitation of the test servers. */
async function answer(server: string, cause: string): Promise<void> {
	const form = await formOfServer(editor, server, cause);
	await form.getByLabel('name', { exact: true }).fill('Ada');
	await answerIn(form, 'Accept');
}

itByNight(
	'a resource of a template, whose variables are asked in a form, is read by command and asks back (R06)',
	async () => {
		await choose('sdk1', 'greetings');
		const form = await editor.frameOf('button', 'Read');
		await form.getByRole('button', { name: 'Read', exact: true }).click();
		await form.getByText('Required.').first().waitFor();
		await editor.screenshot('template');
		await enter('Read', { language: 'zh/TW' });
		await answer('sdk1', 'requested by resource test://greetings/zh%2FTW');
		const told = { action: 'accept', content: { name: 'Ada' } };
		expect(JSON.parse(await resultOf(editor))).toEqual({ uri: 'test://greetings/zh%2FTW', answer: told });
	},
);

itByNight('a resource is shown by its kind, and saved to a file', async () => {
	await choose('sdk1', 'pixel');
	const picture = await editor.frameOf('img');
	await picture.waitForFunction(() => document.querySelector('img')?.naturalWidth === 1);
	await editor.closeTabs();
	await choose('sdk1', 'data');
	const frame = await editor.frameOf('button', 'Save As…');
	await frame.getByText('4 bytes of binary data, not shown.').waitFor();
	await frame.getByRole('button', { name: 'Save As…' }).click();
	const saved = join(editor.workspace, 'data.bin');
	await until('the elicitation where to', async () => (await editor.quickInput.input.inputValue()) === saved);
	await editor.quickInput.accept();
	// The file is there before its content is.
	const bytes = await until('the content of the file', async () => {
		const content = await readFile(saved).catch(() => undefined);
		return content !== undefined && content.length > 0 && content;
	});
	expect([...bytes]).toEqual([0, 1, 2, 255]);
});

describe('the reference server', () => {
	itByNight('suggests arguments as they are typed', async () => {
		await choose('everything', 'Team Management');
		const form = await editor.frameOf('button', 'Get');
		const suggestion = (value: string) =>
			form.locator('datalist option', { hasText: value }).waitFor({ state: 'attached' });
		await form.getByLabel('department', { exact: true }).pressSequentially('Eng');
		await suggestion('Engineering');
		await editor.screenshot('suggested arguments');
		await form.getByLabel('department', { exact: true }).fill('Engineering');
		// The server suggests the names of that department.
		await form.getByLabel('name', { exact: true }).pressSequentially('B');
		await suggestion('Bob');
		await enter('Get', { name: 'Bob' });
		await resultOf(editor, 'promote Bob to the head of the Engineering team');
	});
});

itByNight('the view shows what a server offers in folded groups, and gets and reads it', async () => {
	editor = await reuseEditor({
		// Not the name of one that may still run.
		machineSettings: servers({ offers: program('sdk2') }),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
	/** A row of the view, by its accessible name. */
	const row = (name: RegExp) => editor.page.getByRole('treeitem', { name });
	/** Presses the button that a row shows while the pointer is over it. The list may move under the pointer. */
	const press = (name: RegExp, button: string) =>
		until(`the button ${button} of ${name}`, async (moment) => {
			await row(name).hover();
			const pressed = row(name).getByRole('button', { name: button }).click({ timeout: moment });
			return pressed.then(
				() => true,
				() => false,
			);
		});
	await editor.showViews();
	await editor.command('MCP Elicitation: Start Server');
	await row(/^Prompts/).waitFor();
	const groups = row(/^(Tools|Prompts|Resources) \(/);
	expect(await groups.allInnerTexts()).toEqual(['Tools (5)', 'Prompts (1)', 'Resources (5)']);
	const server = await editor.treeItem('2026-07-28 · 5 tools');
	expect(await editor.tooltip(server)).toMatch(/Tools: 5\s*Prompts: 1\s*Resources: 4\s*Resource templates: 1/);

	await editor.unfold(/^Resources/);
	await editor.unfold(/^Prompts/);
	await row(/^greet,/).hover();
	await editor.screenshot('servers view');
	await press(/^greet,/, 'Get Prompt…');
	await enter('Get', { language: 'de' });
	await answer('offers', 'requested by prompt greet');
	await resultOf(editor, '"language":"de"');
	const result = await editor.frameOf('button', 'Open as JSON');
	expect(await result.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['user', 'assistant']);
	await editor.closeTabs();

	// Room for the last row of the list.
	await row(/^Prompts/).click();
	await press(/^page/, 'Read Resource…');
	// Its markup is text.
	await resultOf(editor, '<h1 onclick="alert(1)">A page</h1>');
	await editor.screenshot('resource html');
	await editor.closeTabs();

	await press(/^greetings,/, 'Read Resource…');
	await enter('Read', { language: 'de', formal: 'yes' });
	await answer('offers', 'requested by resource test://greetings/de?formal=yes');
	await resultOf(editor, 'test://greetings/de?formal=yes');
});
