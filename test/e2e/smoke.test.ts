import { expect, it } from 'vitest';
import { openEditor } from './driver/index.ts';

it('is offered in the command palette of a real editor', async () => {
	const editor = await openEditor();
	await editor.page.keyboard.press('F1');
	await editor.quickInput.fill('>MCP Elicitation: Show Timeline');
	await editor.quickInput.entryNamed('MCP Elicitation: Show Timeline').waitFor();
	expect(editor.faults()).toEqual([]);
});
