import { expect, it } from 'vitest';
import { openEditor, until } from './driver/index.ts';

it('a walkthrough leads through the first steps, each with a picture, and marks what is done', async () => {
	const editor = await openEditor({ settings: { 'workbench.colorTheme': 'Default Dark Modern' } });
	await editor.command('Welcome: Open Walkthrough...');
	await editor.quickInput.entryNamed('Answer What MCP Servers Ask').click();
	// Beside the side bar there is no room for pictures.
	await editor.command('View: Toggle Primary Side Bar Visibility');
	const step = (title: string) => editor.page.locator('.getting-started-step').filter({ hasText: title });
	await step('Answer a form').click();
	await editor.page.getByRole('button', { name: 'Call a Tool' }).waitFor();
	const picture = await until('the picture of a form', async () => {
		for (const frame of editor.page.frames()) {
			const strokes = await frame
				.locator('svg rect[width="340"]')
				.evaluateAll((shapes) => shapes.map((shape) => getComputedStyle(shape).stroke))
				.catch(() => []);
			if (strokes.length > 0) {
				return strokes;
			}
		}
		return undefined;
	});
	expect(picture).toEqual([expect.stringMatching(/^rgb/)]);
	await editor.screenshot('walkthrough');

	await editor.page.getByRole('button', { name: 'Call a Tool' }).click();
	const nothing = await editor.notification('No MCP server is configured yet.');
	expect(await nothing.buttons()).toEqual(['Try the Demo Server', 'Add a Server']);
	await nothing.dismiss();

	await step('Try the demo server').click();
	const done = step('Try the demo server').getByRole('checkbox', { checked: true });
	expect(await done.count()).toBe(0);
	await editor.page.getByRole('button', { name: 'Start the Demo Server' }).click();
	await done.waitFor();
	await editor.treeItem(/2026-07-28 · 9 tools/);
	await editor.screenshot('walkthrough done');
});
