import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { RawServer } from '../rawServer/rawServer.ts';
import {
	answerIn,
	callTool,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	KeyboardUser,
	openEditor,
	openRawServer,
	servers,
	structured,
	until,
} from './driver/index.ts';

const OTHERS = 4;

let raw: RawServer;
let editor: Editor;

/** A call that failed at once, one that failed after a response, and others since. */
beforeAll(async () => {
	raw = await openRawServer('stdio', { tools: ['check', 'deploy', 'look'] });
	editor = await openEditor({
		machineSettings: servers({ raw: raw.definition }),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
	await callTool(editor, { tool: 'check' });
	raw.fail(await raw.expect('tools/call'), { code: -32000, message: 'Not now' });
	expect(await failureOf(editor, 'raw')).toContain('Not now');
	await editor.closeTabs();
	await callTool(editor, { tool: 'deploy' });
	const call = await raw.expect('tools/call');
	const asked = raw.ask(formOf({ n: { type: 'integer', default: 3 } }, ['n'], 'How many?'), call);
	await answerIn(await formOfServer(editor, 'raw', 'How many?'), 'Accept');
	await asked.response;
	raw.fail(call, { code: -32000, message: 'No room left' });
	expect(await failureOf(editor, 'raw')).toContain('No room left');
	for (let at = 0; at < OTHERS; at++) {
		await editor.closeTabs();
		await callTool(editor, { tool: 'look' });
		raw.finish(await raw.expect('tools/call'), { at });
		expect(await structured(editor)).toEqual({ at });
	}
});

beforeEach(() => editor.closeTabs());

/** The call is made again and asks the same, which has its response already. */
async function replayed(): Promise<void> {
	const again = await raw.expect('tools/call');
	expect(again.params.name).toBe('deploy');
	const asked = raw.ask(formOf({ n: { type: 'integer', default: 3 } }, ['n'], 'How many?'), again);
	expect((await asked.response).result).toEqual({ action: 'accept', content: { n: 3 } });
	raw.finish(again, { deployed: true });
	await editor.notification('raw: The replay of deploy has ended differently.');
}

itByNight('a call that failed a while ago is found and replayed by the palette in three actions', async () => {
	const user = new KeyboardUser(editor, 3);
	await user.runs('mcp replay', 'MCP Elicitation: Replay Call…');
	await editor.quickInput.shows('Choose a call to replay');
	await user.chooses('failed', 'deploy');
	await editor.quickInput.shows('Choose how to respond');
	await user.chooses('', 'With the Recorded Responses');
	await replayed();
});

itByNight('a call without requests is replayed in two actions: there is nothing to choose', async () => {
	const user = new KeyboardUser(editor, 2);
	await user.runs('mcp replay', 'MCP Elicitation: Replay Call…');
	await editor.quickInput.shows('Choose a call to replay');
	await user.chooses('check', 'check');
	raw.finish(await raw.expect('tools/call'), { checked: true });
	await editor.notification('raw: The replay of check has ended differently.');
});

itByNight(
	'a call that failed a while ago is found in the timeline and replayed from there in four actions',
	async () => {
		const user = new KeyboardUser(editor, 4);
		await user.runs('mcp show timeline', 'MCP Elicitation: Show Timeline');
		const timeline: Frame = await editor.frameOf('tree', 'Calls and messages');
		await until('the list to have the focus', () =>
			timeline.evaluate(() => document.hasFocus() && document.activeElement?.getAttribute('role') === 'tree'),
		);
		// Typing searches at once; Enter leads to what was found.
		await user.fillsAndSends('no room');
		await timeline.getByRole('treeitem', { selected: true }).filter({ hasText: 'deploy' }).waitFor();
		await editor.screenshot('failed call found');
		await user.pressesButton('Replay…', timeline);
		await editor.quickInput.shows('Choose how to respond');
		await user.chooses('', 'With the Recorded Responses');
		await replayed();
	},
);
