import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { Wire } from '../rawServer/rawServer.ts';
import type { RawStdioServer } from '../rawServer/stdio.ts';
import {
	callTool,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	structured,
	until,
} from './driver/index.ts';

let raw: RawStdioServer;
let editor: Editor;

beforeAll(async () => {
	raw = await openRawServer('stdio', { capabilities: { logging: {} } });
	editor = await openEditor({
		machineSettings: { ...servers({ raw: raw.definition }), 'mcpElicitation.callTimeout': 3 },
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
	await editor.showViews();
});

beforeEach(() => editor.closeTabs());

async function call(): Promise<Wire> {
	await callTool(editor, { tool: 'act' });
	return raw.expect('tools/call');
}

/** Has a call succeed, so that its result is in front. */
async function succeed(): Promise<void> {
	raw.finish(await call(), { fine: true });
	expect(await structured(editor)).toEqual({ fine: true });
}

/** The visible panel with this status. */
async function panelSaying(status: string): Promise<Frame> {
	const frame = await editor.frameOf('button', 'Call Again');
	await frame.getByRole('status').filter({ hasText: status }).waitFor();
	return frame;
}

itByNight(
	'a tool that reports an error has failed: in its panel, in the view, and in the timeline, in words and by an icon',
	async () => {
		raw.answer(await call(), {
			content: [{ type: 'text', text: 'The disk is full.' }],
			isError: true,
		});
		const panel = await panelSaying('The tool reported an error.');
		await panel.getByText('The disk is full.').waitFor();
		expect(await panel.getByRole('button').allInnerTexts()).toEqual([
			'Call Again',
			'Show Timeline',
			'Open as JSON',
			'Show Log',
		]);
		await editor.screenshot('tool error');
		const row = await editor.treeItem(/act.*failed: the tool reported an error.* · raw/);
		await row.locator('.codicon-error').waitFor();

		await panel.getByRole('button', { name: 'Show Timeline' }).click();
		const timeline = await editor.frameOf('button', 'Export…');
		const group = timeline.getByRole('treeitem').filter({ hasText: 'failed: the tool reported an error' }).first();
		await group.locator('.icon.failed').waitFor();
		await timeline.locator('.state.failed').getByText('failed: the tool reported an error').waitFor();
		await editor.screenshot('tool error in the timeline');
	},
);

itByNight(
	'an error of the protocol comes to the front of the result before it, says who, what and what to do, and can be called again',
	async () => {
		await succeed();
		raw.fail(await call(), { code: -32603, message: 'The database is locked' });
		expect(await failureOf(editor, 'raw')).toMatch(
			/^raw: The server responded with error -32603: The database is locked\. See the server's log/,
		);
		const panel = await panelSaying('The call failed.');
		expect(await panel.locator('h1').innerText()).toBe('act on raw');
		expect(await panel.getByRole('button').allInnerTexts()).toEqual(['Call Again', 'Show Timeline', 'Show Log']);
		expect(await editor.notifications()).toEqual([]);
		await editor.screenshot('failed call');

		await panel.getByRole('button', { name: 'Call Again' }).click();
		raw.finish(await raw.expect('tools/call'), { again: true });
		expect(await structured(editor)).toEqual({ again: true });
		// The new outcome takes the place of the failure.
		await editor.page.getByRole('tab', { name: 'act: failed' }).waitFor({ state: 'detached' });
	},
);

itByNight('a server that crashes says its last words, takes its request away, and is back by itself', async () => {
	const started = raw.pids.length;
	raw.ask(formOf({ name: { type: 'string' } }, [], 'Who deploys?'), await call());
	const form = await formOfServer(editor, 'raw', 'Who deploys?');
	await form.getByLabel('name', { exact: true }).fill('Ada');
	raw.complain('Out of memory\n');
	await raw.die(7);
	expect(await failureOf(editor, 'raw')).toMatch(/exited with code 7.*Its last output: Out of memory/s);
	await until('the elicitation to be withdrawn', () => form.getByRole('button', { name: 'Accept' }).isDisabled());
	expect(await form.getByLabel('name', { exact: true }).inputValue()).toBe('Ada');
	await editor.treeItem(/raw\s*2025-11-25/);
	expect(raw.pids).toHaveLength(started + 1);
	await editor.screenshot('crashed server');
	const panel = await panelSaying('The call failed.');
	await panel.getByRole('button', { name: 'Show Log' }).click();
	await editor.page.locator('.output-view .view-lines').waitFor();
	expect(await editor.notifications()).toEqual([]);
});

itByNight("what a server says is in its log, hidden characters visible, and it is told the log's level", async () => {
	const running = await call();
	expect((await raw.expect('logging/setLevel')).params).toEqual({ level: 'info' });
	raw.complain('\u202ehidden $(bug) [a link](command:x)\n');
	raw.notify('notifications/message', { level: 'warning', logger: 'db', data: 'slow $(alert) query' }, running);
	raw.finish(running, { logged: true });
	expect(await structured(editor)).toEqual({ logged: true });
	await editor.command('MCP Elicitation: Show Server Log');
	const log = editor.page.locator('.output-view');
	await log.getByText('[warning] [db] slow $(alert) query').waitFor();
	await log.getByText('[stderr] ‹U+202E›hidden $(bug) [a link](command:x)').waitFor();
	await editor.screenshot('server log');
	await editor.choose('Developer: Set Log Level...', 'MCP: raw');
	await editor.quickInput.pick('Error');
	await raw.expect(({ method, params }) => method === 'logging/setLevel' && params.level === 'error');
});
