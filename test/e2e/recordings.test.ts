import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	actOnLine,
	answerIn,
	ask,
	callTool,
	demo,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	program,
	resultOf,
	servers,
	until,
} from './driver/index.ts';

const ELICITATION = formOf(
	{
		name: { type: 'string', title: 'Your name', minLength: 2 },
		door: { type: 'string', title: 'Door code', format: 'password' },
		bad: { type: 'string', pattern: '(' },
	},
	['name'],
	'Who deploys?',
);

const FILES = {
	'mcp-timeline-empty.jsonl': '',
	'mcp-timeline-other.jsonl': '{"level":"info"}\nplain text\n',
	'mcp-timeline-broken.jsonl': [
		{ direction: 'sent', message: { id: 1, method: 'tools/call', params: { name: 'x'.repeat(300) } } },
		{ direction: 'received', message: { id: 2, method: 'ping' } },
	]
		.map((line, seq) => `${JSON.stringify({ seq, at: '2026-01-01T10:00:00Z', server: 'long '.repeat(60), ...line })}\n`)
		.join('not a message\n')
		.concat('{"seq":3,"at":"2026-'),
};

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		files: FILES,
		machineSettings: servers({
			sdk1: program('sdk1'),
			modern: demo('2026-07-28'),
		}),
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
	await ask(editor, ELICITATION, 'sdk1');
	await deploy('sdk1');
	await callTool(editor, { server: 'modern', tool: 'Book a table' });
	await ended(answerIn(await formOfServer(editor, 'modern'), 'Cancel'));
	await exportTimeline('mcp-timeline.jsonl');
});

beforeEach(() => editor.closeTabs());

async function deploy(server: string): Promise<void> {
	const form = await formOfServer(editor, server, 'Who deploys?');
	await form.getByLabel('Your name', { exact: true }).fill('Ada');
	await form.getByLabel('Door code', { exact: true }).fill('planted');
	await ended(answerIn(form, 'Accept'));
}

/** Waits for the result of the call, and closes it: that of the next call is not to be taken for it. */
async function ended(responded: Promise<void>): Promise<void> {
	await responded;
	await resultOf(editor);
	await editor.closeTabs();
}

async function exportTimeline(name: string): Promise<string> {
	const file = join(editor.workspace, name);
	await rm(file, { force: true });
	await editor.command('MCP Elicitation: Export Timeline…');
	await until('the name of the file', async () =>
		(await editor.quickInput.input.inputValue()).endsWith('mcp-timeline.jsonl'),
	);
	await editor.quickInput.fill(file);
	await editor.quickInput.accept();
	const text = await until(`the file ${name}`, async () => (await readFile(file, 'utf8').catch(() => '')) || undefined);
	// It covers the buttons of forms.
	await (await editor.notification('messages exported')).dismiss();
	return text;
}

/** Opens a recording with the command. */
async function open(name: string): Promise<Frame> {
	await openTab(name);
	return editor.frameOf('tree', 'Calls and messages');
}

async function openTab(name: string): Promise<void> {
	await editor.command('MCP Elicitation: Open Recording…');
	await until('the folder', async () => (await editor.quickInput.input.inputValue()).startsWith(editor.workspace));
	await editor.quickInput.fill(join(editor.workspace, name));
	await editor.quickInput.accept();
	await editor.page.getByRole('tab', { name }).waitFor();
}

/** Opens the recording of `beforeAll` and selects the request of sdk1 in it. */
async function openRequest(): Promise<Frame> {
	const timeline = await open('mcp-timeline.jsonl');
	await timeline.getByRole('searchbox', { name: 'Search' }).fill('Who deploys');
	await timeline
		.getByRole('treeitem')
		.filter({ hasText: /Who deploys\?\s*accepted/ })
		.click();
	return timeline;
}

describe('a recording', () => {
	itByNight('opens like the timeline that it was exported from, read-only', async () => {
		const timeline = await open('mcp-timeline.jsonl');
		await timeline.getByText('This is a recording. It is read again when its file changes.').waitFor();
		await timeline
			.getByRole('treeitem')
			.filter({ hasText: /^succeeded ask.*sdk1/ })
			.first()
			.waitFor();
		expect(await timeline.getByRole('button', { name: 'Clear Timeline' }).count()).toBe(0);
		await timeline.getByRole('searchbox', { name: 'Search' }).fill('Who deploys');
		await timeline.getByText(/^\d+ of \d+ messages, 1 elicitation$/).waitFor();
		await timeline
			.getByRole('treeitem')
			.filter({ hasText: /Who deploys\?\s*accepted/ })
			.click();
		await timeline.getByRole('heading', { name: 'Requested' }).waitFor();
		await editor.screenshot('recording');
		expect(await editor.text()).not.toContain('planted');
	});

	itByNight('has its requests checked and previewed', async () => {
		const timeline = await openRequest();
		await timeline.getByRole('button', { name: 'Check Schema…' }).click();
		await editor.quickInput.pick('Against All Revisions and Libraries');
		await editor.notification(/Request from sdk1: Warnings: [1-9]/);
		await editor.closeTabs();
		await actOnLine(await openRequest(), 'Preview Form…');
		await editor.quickInput.pick('As Here');
		const form = await formOfServer(editor, 'sdk1', 'Who deploys?');
		await editor.screenshot('recording preview');
		await answerIn(form, 'Cancel');
	});

	itByNight('is served, and the same call compares as the same', async () => {
		const served = 'sdk1 (recorded)';
		await open('mcp-timeline.jsonl');
		await editor.page.getByRole('button', { name: 'Serve Recording…' }).first().click();
		await editor.quickInput.shows('Choose a recorded server');
		await editor.quickInput.pick('sdk1');
		await editor.quickInput.shows(`Choose what to call on ${served}`);
		await editor.screenshot('recording served');
		await editor.quickInput.escape();
		await editor.closeTabs();
		await ask(editor, ELICITATION, served);
		await deploy(served);
		const timeline = await open('mcp-timeline.jsonl');
		await timeline
			.getByRole('treeitem')
			.filter({ hasText: /^succeeded ask/ })
			.first()
			.click();
		await timeline.getByRole('button', { name: 'Compare Runs…' }).click();
		await editor.quickInput.shows('Choose the run to compare it with');
		await editor.quickInput.pick(/sdk1 \(recorded\)/);
		await editor.page.locator('.monaco-diff-editor').waitFor();
		await editor.notification('The two runs differ only in IDs and times.');
	});

	itByNight('opens when its file is opened, and after a reload', async () => {
		await writeFile(
			join(editor.workspace, 'my-mcp-timeline-2.jsonl'),
			await readFile(join(editor.workspace, 'mcp-timeline.jsonl')),
		);
		await editor.openFile('my-mcp-timeline-2.jsonl');
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		await timeline.getByText('This is a recording').waitFor();
		await editor.reload('my-mcp-timeline-2');
		await (await editor.frameOf('tree', 'Calls and messages')).getByText('This is a recording').waitFor();
	});

	itByNight('opens when its file is dropped on the editor', async () => {
		await editor.command('View: Show Explorer');
		const file = editor.page.getByRole('treeitem', { name: 'mcp-timeline.jsonl', exact: true });
		await file.hover();
		await editor.page.mouse.down();
		const group = await editor.page.locator('.editor-group-container').first().boundingBox();
		const [x, y] = [(group?.x ?? 0) + (group?.width ?? 0) / 2, (group?.y ?? 0) + (group?.height ?? 0) / 2];
		await until('the place to drop it', async () => {
			await editor.page.mouse.move(x + Math.random() * 10, y, { steps: 5 });
			return editor.page.locator('#monaco-workbench-editor-drop-overlay').isVisible();
		});
		await editor.page.mouse.up();
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		await timeline.getByText('This is a recording').waitFor();
	});

	itByNight.each([
		['mcp-timeline-empty.jsonl', 'There are no messages in this recording.'],
		['mcp-timeline-other.jsonl', /2 lines hold no message and were skipped\. Is it an exported timeline\?/],
		[
			'mcp-timeline-broken.jsonl',
			/1 line holds no message and was skipped\. The file ends in the middle of a message\./,
		],
	])('tells what is wrong with %s', async (name, text) => {
		const timeline = await open(name);
		await timeline.getByText(text).waitFor();
		await editor.screenshot(name);
	});

	itByNight('stays at the selected line when its file changes', async () => {
		const name = 'mcp-timeline-growing.jsonl';
		const file = join(editor.workspace, name);
		const line = (seq: number) =>
			`${JSON.stringify({ seq, at: '2026-01-01T10:00:00Z', server: 'growing', direction: 'received', message: { method: `ping ${seq}` } })}\n`;
		await writeFile(file, [0, 1, 2].map(line).join(''));
		await (await open(name)).getByRole('treeitem').filter({ hasText: 'ping 1' }).click();
		await appendFile(file, line(3));
		await until('the page with the line that was added', async () => {
			const page = await editor.frameOf('tree', 'Calls and messages');
			return (
				(await page.getByText('4 messages', { exact: true }).isVisible()) &&
				(await page.locator('.row.active', { hasText: 'ping 1' }).isVisible())
			);
		});
	});

	itByNight('that is too large says so in its place', async () => {
		const name = 'mcp-timeline-large.jsonl';
		await writeFile(join(editor.workspace, name), '');
		await truncate(join(editor.workspace, name), 300 * 2 ** 20);
		await openTab(name);
		const page = await editor.frameOf('status');
		await page.getByText('The recording could not be read: It is larger than 256 MB.').waitFor();
		expect(await page.getByRole('progressbar').count()).toBe(0);
		await editor.screenshot(name);
	});

	itByNight('shows how much of it is read until all of it is', async () => {
		const name = 'mcp-timeline-long.jsonl';
		const line = (seq: number) =>
			`${JSON.stringify({ seq, at: '2026-01-01T10:00:00Z', server: 'long', direction: 'received', message: { method: `ping ${seq}` } })}\n`;
		await writeFile(join(editor.workspace, name), Array.from({ length: 300_000 }, (_, seq) => line(seq)).join(''));
		await openTab(name);
		const page = await editor.frameOf('progressbar', 'Reading the recording…');
		await editor.screenshot(name);
		await page.getByRole('tree', { name: 'Calls and messages' }).waitFor();
		await page.getByText('300,000 messages', { exact: true }).waitFor();
	});
});
