import { expect, it } from 'vitest';
import { answerIn, callTool, formOfServer, openEditor, resultOf } from './driver/index.ts';

it('an empty workspace is one click away from a form with every field, on a server of each era', async () => {
	const editor = await openEditor({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
	await editor.showViews();
	await editor.page.getByRole('button', { name: 'Try the Demo Server' }).click();
	const modern = await editor.treeItem(/2026-07-28 · 9 tools/);
	expect(await modern.innerText()).toMatch(/^demo/);
	await editor.treeItem('All fields');
	await modern.locator('.monaco-tl-twistie').click();
	const legacy = await editor.treeItem(/2025-11-25 · 9 tools/);
	expect(await legacy.innerText()).toMatch(/^demo \(2025-11-25\)/);

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
	await editor.command('MCP Elicitation: Focus on Timeline View');
	await editor.treeItem(/^all-fields/);
	await editor.treeItem(/One field of every kind.*accepted/);
	await editor.screenshot('timeline');
});
