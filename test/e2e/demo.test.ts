import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { answerIn, callTool, formOfServer, openEditor, resultOf } from './driver/index.ts';

itByNight(
	'an empty workspace is one click away from a form, on one server, however often the demo is started',
	async () => {
		const editor = await openEditor({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
		await editor.showViews();
		await editor.page.getByRole('button', { name: 'Try the Demo Server' }).click();
		await editor.quickInput.shows('Choose a tool of demo');
		expect((await editor.quickInput.entries())[0]).toBe('Book a table');
		await editor.quickInput.escape();
		const modern = await editor.treeItem(/2026-07-28 · 11 tools/);
		expect(await modern.innerText()).toMatch(/^demo/);
		await editor.treeItem('All fields');
		await modern.locator('.monaco-tl-twistie').click();
		await editor.treeItem(/^demo \(2025-11-25\)\s*stopped/);
		await editor.command('MCP Elicitation: Start Demo Server');
		await editor.quickInput.shows('Choose a tool of demo');
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
		await editor.treeItem(/One field of every kind.*accepted/);
		await editor.screenshot('timeline');
	},
);
