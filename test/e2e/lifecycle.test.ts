import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isAlive } from '../harness/processTree.mjs';
import { itByNight } from '../nightly.ts';
import {
	ask,
	callTool,
	type Editor,
	formOf,
	openEditor,
	program,
	reuseEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

interface Tree {
	readonly pid: number;
	readonly child: number;
}

const stubborn = { machineSettings: servers({ stubborn: program('raw', 'stubborn') }) };

/** The process of the server that ignores every polite request to leave, and that of its child. */
async function tree(editor: Editor): Promise<Tree> {
	await callTool(editor, { tool: 'pids' });
	const found = (await structured(editor)) as Tree;
	await editor.closeTabs();
	expect(alive(found)).toBe(2);
	return found;
}

/** How many of the two still run. */
function alive({ pid, child }: Tree): number {
	return [pid, child].filter(isAlive).length;
}

const gone = (processes: Tree) => until('every process of the server to be gone', () => alive(processes) === 0);

itByNight(
	'no process of a server outlives its restart, the reload of the window, or its end (F14, fault 29)',
	async () => {
		const editor = await openEditor(stubborn);
		const first = await tree(editor);
		await editor.command('MCP Elicitation: Restart Server');
		await gone(first);
		const second = await tree(editor);
		expect(second.pid).not.toBe(first.pid);
		await editor.reload();
		await gone(second);
		const third = await tree(editor);
		await editor.close();
		await gone(third);
	},
);

itByNight('shows what a server says on stderr in its log, with hidden characters made visible', async () => {
	const editor = await reuseEditor({ machineSettings: servers({ chatty: program('raw', 'stderr') }) });
	await editor.command('MCP Elicitation: Start Server');
	await editor.command('MCP Elicitation: Show Server Log');
	const log = editor.page.locator('.output-view .view-lines');
	await log.getByText('line 200').first().waitFor();
	const text = (await log.innerText()).replace(/[\u00a0\s]+/g, ' ');
	expect(text).toContain('[stderr] line 200');
	expect(text).toContain('‹U+202E›');
	expect(text).toContain('$(bug) [a link](command:x)');
});

itByNight('keeps every call with its elicitations and messages, opens them as JSON and exports them', async () => {
	const editor = await reuseEditor({ machineSettings: servers({ sdk1: program('sdk1') }) });
	await ask(editor, formOf({ name: { type: 'string' } }, [], 'What is your name?'));
	await editor.quickInput.shows('(1/2)');
	await editor.quickInput.enter('Ada');
	await editor.quickInput.pick(/Accept/);
	expect(await structured(editor)).toEqual({ action: 'accept', content: { name: 'Ada' } });
	await editor.closeTabs();

	await editor.command('MCP Elicitation: Focus on Timeline View');
	await editor.unfold(/^ask\s*sdk1/);
	await editor.treeItem(/tools\/call/);
	await editor.treeItem(/What is your name\?\s*accepted/);
	await editor.screenshot('timeline with messages');
	const message = await editor.treeItem(/elicitation\/create/);
	await message.hover();
	await message.getByRole('button', { name: 'Open as JSON' }).click();
	const document = editor.page.locator('.editor-instance .view-lines');
	await document.getByText('"elicitation/create"').waitFor();
	await document.click();
	await editor.page.keyboard.type('x');
	await editor.page.getByText('Cannot edit in read-only editor').first().waitFor();

	await editor.command('MCP Elicitation: Export Timeline…');
	await until('the name of the file', async () =>
		(await editor.quickInput.input.inputValue()).endsWith('mcp-timeline.jsonl'),
	);
	await editor.quickInput.accept();
	await editor.notification('messages exported');
	const lines = (await readFile(join(editor.workspace, 'mcp-timeline.jsonl'), 'utf8')).trimEnd().split('\n');
	const messages = lines.map((line) => JSON.parse(line).message);
	expect(messages.map(({ method }) => method)).toEqual(
		expect.arrayContaining(['initialize', 'tools/list', 'tools/call', 'elicitation/create']),
	);
	expect(messages).toContainEqual(expect.objectContaining({ result: { action: 'accept', content: { name: 'Ada' } } }));
});
