import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	structured,
} from './driver/index.ts';

const elicitation = (message: string) => formOf({ n: { type: 'integer', default: 1 } }, ['n'], message);

/** The shares of the time of the newest call that fits, in the details of the timeline. */
async function sharesOf(editor: Editor, row: string): Promise<string> {
	await editor.command('MCP Elicitation: Show Timeline');
	const timeline = await editor.frameOf('tree', 'Calls and messages');
	await timeline.getByRole('treeitem').filter({ hasText: row }).first().click();
	const clocks = timeline.getByRole('region', { name: 'Details' }).locator('.clocks');
	return (await clocks.innerText()).replace(/\s+/g, ' ').trim();
}

itByNight.each(['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'])(
	'what a script answers and what a replay answers is told apart from the time of the user (%s)',
	async (theme) => {
		const raw = await openRawServer('stdio');
		const editor = await openEditor({
			machineSettings: {
				...servers({ raw: raw.definition }),
				'mcpElicitation.answers': [{ message: 'Robots?', action: 'accept', content: { n: 2 }, delayMs: 1500 }],
			},
			settings: { 'mcpElicitation.form.presentation': 'webview', 'workbench.colorTheme': theme },
		});
		await editor.showViews();
		await callTool(editor, { tool: 'act' });
		const call = await raw.expect('tools/call');
		expect((await raw.ask(elicitation('Robots?'), call).response).result.content).toEqual({ n: 2 });
		const asked = raw.ask(elicitation('People?'), call);
		await answerIn(await formOfServer(editor, 'raw', 'People?'), 'Accept');
		await asked.response;
		raw.finish(call, { done: true });
		await structured(editor);
		const result = await editor.frameOf('button', 'Open Raw JSON');
		await result.getByText(/^server .* · you .* · automatic (1\.[5-9]|[2-9]\.\d) s · by a script in/).waitFor();
		expect(await sharesOf(editor, 'act')).toMatch(/^server .* · you .* · automatic (1\.[5-9]|[2-9]\.\d) s$/);
		await editor.screenshot(`automatic time ${theme}`);
		await editor.closeTabs();

		await editor.choose('MCP Elicitation: Replay Call…', /raw · succeeded/, 'Choose a call to replay');
		await editor.quickInput.shows('Choose how to respond');
		await editor.quickInput.pick('With the Recorded Responses');
		const again = await raw.expect('tools/call');
		await raw.ask(elicitation('Robots?'), again).response;
		await raw.ask(elicitation('People?'), again).response;
		raw.finish(again, { done: true });
		await editor.notification('The replay of act has ended as before.').catch(() => {});
		const shares = await sharesOf(editor, 'Replay of act');
		expect(shares).toMatch(/^server .* · automatic /);
		expect(shares).not.toContain('you');
		await editor.screenshot(`automatic time of a replay ${theme}`);
	},
);
