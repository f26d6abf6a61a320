import { expect, it } from 'vitest';
import { openEditor } from './driver/index.ts';

it('asks in a real editor what the demo server wants to know', async () => {
	const editor = await openEditor({ settings: { 'mcpElicitation.form.presentation': 'webview' } });
	await editor.command('MCP Elicitation: Start Demo Server');
	await editor.treeItem('demo');
	await editor.quickInput.shows('Choose what to call on demo');
	await editor.quickInput.pick('Confirm');
	const form = await editor.frameOf('form', 'demo');
	await form.getByRole('button', { name: 'Accept' }).click();

	const result = await editor.frameOf('button', 'Open as JSON');
	await result.getByText('Confirmed').waitFor();
});

it('opens in Restricted Mode without an error', async () => {
	const editor = await openEditor({ trusted: false });
	await editor.statusBar('Restricted Mode');
	expect(editor.faults()).toEqual([]);
});
