import { expect, it } from 'vitest';
import { openEditor } from './driver/index.ts';

it('asks in a real editor what the demo server wants to know', async () => {
	const editor = await openEditor({ settings: { 'mcpElicitation.form.presentation': 'webview' } });
	await editor.command('MCP Elicitation: Start Demo Server');
	await editor.treeItem('demo');

	await editor.command('MCP Elicitation: Call Tool');
	await editor.quickInput.shows('Choose a server');
	await editor.quickInput.pick('demo');
	await editor.quickInput.shows(/tool/);
	await editor.screenshot('call tool');
	await editor.quickInput.pick('Confirm');
	const form = await editor.frameOf('form', 'demo');
	await editor.screenshot('form');
	await form.getByRole('button', { name: 'Accept' }).click();
	await editor.page.waitForTimeout(2000);
	await editor.screenshot('result');
});

it('starts nothing in a window that is not trusted', async () => {
	const editor = await openEditor({ trusted: false });
	await editor.statusBar('Restricted Mode');
	expect(editor.faults()).toEqual([]);
});
