import { expect } from 'vitest';
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

/** What the palette lists of the extension for these words. */
async function offered(editor: Editor, words: string): Promise<string[]> {
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
function offers(editor: Editor, command: string, wanted = true): Promise<true> {
	return until(`${command} ${wanted ? '' : 'not '}to be offered`, async () =>
		(await offered(editor, command)).includes(command) === wanted ? true : undefined,
	);
}

itByNight('the palette offers a command only while there is something for it', async () => {
	const editor = await openEditor({ settings: { 'mcpElicitation.form.presentation': 'webview' } });
	await offers(editor, 'Start Demo Server');
	const always = [
		'Add Server…',
		'Reset Server Trust',
		'Serve Recording…',
		'Show Pending Elicitations',
		'Show Timeline',
	];
	const views = ['Focus on Pending View', 'Focus on Servers View', 'Focus on Timeline View'];
	expect((await offered(editor, '')).filter((entry) => !/^(Open|Toggle|View)/.test(entry)).sort()).toEqual(
		[...always, ...views, 'Show Auto-Responders', 'Start Demo Server'].sort(),
	);

	await editor.command('MCP Elicitation: Start Demo Server');
	await editor.quickInput.shows('Choose a tool of demo');
	await editor.quickInput.escape();
	await offers(editor, 'Stop Server');
	await offers(editor, 'Export Timeline…');
	await offers(editor, 'Decline Elicitation', false);

	await callTool(editor, { server: 'demo', tool: 'Confirm' });
	await formOfServer(editor, 'demo');
	await editor.command('MCP Elicitation: Cancel Call');
	await editor.closeTabs();
	await offers(editor, 'Replay Call…');
	await offers(editor, 'Export Call as Test…', false);
	await editor.command('MCP Elicitation: Clear Timeline');
	await offers(editor, 'Replay Call…', false);

	await callTool(editor, { server: 'demo', tool: 'Confirm' });
	const form = await formOfServer(editor, 'demo');
	await offers(editor, 'Decline Elicitation');
	await offers(editor, 'Cancel Call');
	await offers(editor, 'Replay Call…', false);
	await answerIn(form, 'Accept');
	await resultOf(editor);
	await offers(editor, 'Decline Elicitation', false);
	await offers(editor, 'Replay Call…');
	await offers(editor, 'Export Call as Test…');
});
