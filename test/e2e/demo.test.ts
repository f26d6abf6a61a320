import { beforeAll, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	appears,
	callTool,
	type Editor,
	formOfServer,
	openEditor,
	resultOf,
	succeeds,
	until,
} from './driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
});

/** What the palette lists of the extension for these words. */
async function offered(words: string): Promise<string[]> {
	const { page, quickInput } = editor;
	// A tab that is closing takes the key, or the focus.
	await until('the palette', async (moment) => {
		await page.keyboard.press('F1');
		return (
			(await appears(quickInput.input, moment)) &&
			succeeds(quickInput.input.fill(`>MCP Elicitation: ${words}`, { timeout: moment }))
		);
	});
	const entries = await until('the list of commands', async () => {
		const found = await quickInput.entries();
		return found.length > 0 && found;
	});
	await quickInput.escape();
	await quickInput.gone();
	return entries.filter((entry) => entry.startsWith('MCP Elicitation: ')).map((entry) => entry.slice(17));
}

/** Waits until the palette offers a command, or no longer does. */
function offers(command: string, wanted = true): Promise<true> {
	return until(`${command} ${wanted ? '' : 'not '}to be offered`, async () =>
		(await offered(command)).includes(command) === wanted ? true : undefined,
	);
}

itByNight('the palette of an empty workspace offers only what needs no server and no call', async () => {
	await offers('Start Demo Server');
	const always = ['Add Server…', 'Reset Trust', 'Show Pending Elicitations', 'Show Timeline'];
	const views = ['Focus on Pending View', 'Focus on Servers View', 'Focus on Timeline View'];
	expect((await offered('')).filter((entry) => !/^(Open|Toggle|View)/.test(entry)).sort()).toEqual(
		[...always, ...views, 'Show Auto-Responders', 'Start Demo Server'].sort(),
	);
});

itByNight(
	'an empty workspace is one click away from a form, on one server, however often the demo is started',
	async () => {
		await editor.showViews();
		await editor.page.getByRole('button', { name: 'Try the Demo Server' }).click();
		await editor.quickInput.shows('Choose what to call on demo');
		expect((await editor.quickInput.entries())[0]).toBe('Book a table');
		await editor.quickInput.escape();
		const modern = await editor.treeItem(/2026-07-28 · 11 tools/);
		expect(await modern.innerText()).toMatch(/^demo/);
		await editor.treeItem('All fields');
		await modern.locator('.monaco-tl-twistie').click();
		await editor.treeItem(/^demo \(2025-11-25\)\s*stopped/);
		await editor.command('MCP Elicitation: Start Demo Server');
		await editor.quickInput.shows('Choose what to call on demo');
		await editor.quickInput.escape();

		await callTool(editor, { server: 'demo', tool: 'All fields' });
		const form = await formOfServer(editor, 'demo');
		await form.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
		await form.getByLabel('Guests', { exact: true }).fill('3');
		await form.getByRole('group', { name: 'I have read the terms' }).getByLabel('Yes', { exact: true }).check();
		await editor.screenshot('form all fields');
		await answerIn(form, 'Accept');
		const result = await resultOf(editor);
		expect(result).toContain('name = "Ada Lovelace"');
		expect(result).toContain('newsletter = false');
		expect(result).not.toContain('nickname');
		await editor.screenshot('result');
		// A second server would be up by now.
		expect(await editor.page.locator('.pane-body .monaco-list-row').filter({ hasText: '· 11 tools' }).count()).toBe(1);
		await editor.command('MCP Elicitation: Focus on Timeline View');
		await editor.treeItem(/^all-fields/);
		await editor.screenshot('timeline');
		await editor.closeTabs();
	},
);

itByNight('the palette offers a command only while there is something for it', async () => {
	await offers('Stop Server');
	await offers('Export Timeline…');
	await offers('Call Again');
	await offers('Force Response…', false);
	await editor.command('MCP Elicitation: Clear Timeline');
	await offers('Call Again', false);

	await callTool(editor, { server: 'demo', tool: 'Confirm' });
	await formOfServer(editor, 'demo');
	await editor.command('MCP Elicitation: Cancel Call');
	await editor.closeTabs();
	await offers('Call Again');
	await editor.command('MCP Elicitation: Clear Timeline');
	await offers('Call Again', false);

	await callTool(editor, { server: 'demo', tool: 'Confirm' });
	const form = await formOfServer(editor, 'demo');
	await offers('Force Response…');
	await offers('Cancel Call');
	await offers('Call Again', false);
	await answerIn(form, 'Accept');
	await resultOf(editor);
	await offers('Force Response…', false);
	await offers('Call Again');
});
