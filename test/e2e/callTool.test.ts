import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	argumentsForm,
	callTool,
	type Editor,
	openEditor,
	program,
	resultOf,
	servers,
	structured,
	until,
} from './driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({ machineSettings: servers({ sdk1: program('sdk1'), sdk2: program('sdk2') }) });
	await callTool(editor, { server: 'sdk1', tool: 'slow', args: { ms: '1' } });
	await structured(editor);
});

beforeEach(() => editor.closeTabs());

/** What the arguments form has for `ms`, which is changed and sent. */
async function change(ms: string): Promise<string> {
	const form = await argumentsForm(editor);
	const field = form.getByLabel('ms', { exact: true });
	const before = await field.inputValue();
	await field.fill(ms);
	await form.getByRole('button', { name: 'Call', exact: true }).click();
	await structured(editor);
	return before;
}

itByNight(
	'one list has the tools of all servers, those that were called last first, and offers to start the others',
	async () => {
		const { quickInput } = editor;
		await editor.command('MCP Elicitation: Call…');
		await quickInput.shows('Choose what to call');
		await quickInput.entryNamed('slow').and(editor.page.locator('.focused')).waitFor();
		await editor.screenshot('call tool list');
		const groups = await quickInput.element.locator('.quick-input-list-separator:visible').allInnerTexts();
		expect(groups.filter(Boolean)).toEqual(['Recently Called', 'sdk1']);
		expect((await quickInput.entries()).slice(0, 3)).toEqual(['slow', 'ask', 'ask-many']);
		await quickInput.fill('sdk2');
		await quickInput.pick('Start sdk2');
		await quickInput.shows('Choose what to call on sdk2');
		await quickInput.escape();
		await editor.command('MCP Elicitation: Call…');
		await quickInput.shows('Choose what to call');
		await quickInput.fill('sdk2');
		await quickInput.entry(/^rounds\s*sdk2/).waitFor();
		await quickInput.escape();
	},
);

itByNight('the arguments of the last call are filled in, after the window was reloaded, too', async () => {
	await editor.command('MCP Elicitation: Call…');
	await editor.quickInput.shows('Choose what to call');
	await editor.quickInput.accept();
	expect(await change('2')).toBe('1');
	await editor.reload('recentCalls');
	await editor.command('MCP Elicitation: Call…');
	await editor.quickInput.shows('Choose what to call');
	await editor.screenshot('call tool list after a reload');
	await editor.quickInput.accept();
	expect(await change('3')).toBe('2');
});

itByNight('a result offers the same call again, and with other arguments, in its own place', async () => {
	await callTool(editor, { server: 'sdk1', tool: 'slow', args: { ms: '4' } });
	await structured(editor);
	const results = editor.page.getByRole('tab', { name: 'slow: result' });
	const press = async (name: string) => (await editor.frameOf('button', name)).getByRole('button', { name }).click();
	await editor.screenshot('result with call again');
	await press('Edit Arguments…');
	expect(await change('5')).toBe('4');
	await until('one result', async () => (await results.count()) === 1);
	await press('Call Again');
	const rows = editor.page.locator('.pane-body .monaco-list-row').filter({ hasText: /^slow.*· sdk1/ });
	await editor.command('MCP Elicitation: Focus on Timeline View');
	await until('three calls', async () => (await rows.count()) >= 3);
	await until('one result', async () => (await results.count()) === 1);
	await editor.chooseFromMenu(/^slow.*· sdk1/, 'Edit Arguments…');
	expect(await change('6')).toBe('5');
	await resultOf(editor, '6');
	await until('five calls', async () => (await rows.count()) >= 5);
	// Only the call that is made again can open a result now.
	await editor.closeTabs();
	await editor.chooseFromMenu(/^slow.*· sdk1/, 'Call Again');
	expect(await structured(editor)).toEqual({ ms: 6 });
});
