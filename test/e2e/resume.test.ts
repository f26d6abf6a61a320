import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parentOf } from '../harness/processTree.mjs';
import { itByNight } from '../nightly.ts';
import { MODERN, type RawServer, type Wire } from '../rawServer/rawServer.ts';
import {
	answerIn,
	callTool,
	completed,
	created,
	definitionsOf,
	type Editor,
	formOf,
	formOfServer,
	inputRequests,
	openEditor,
	openRawServer,
	servers,
	structured,
	until,
} from './driver/index.ts';

const SETTINGS = { 'mcpElicitation.form.presentation': 'webview' };

/** No task is polled at this interval (ms) during a test. */
const NEVER = { pollIntervalMs: 600_000, pollInterval: 600_000 };

const asked = (message: string) => formOf({ name: { type: 'string' }, password: { type: 'string' } }, [], message);

const asking = (message: string) => inputRequests({ who: asked(message) });

/** What a user enters: much longer than what is stored of a form without input. */
const LONG = 'Ada '.repeat(500).trim();

/** How a call is stored that waits in a round, or whose response is being sent. */
const stored = (at: 'round' | 'sent') => String.raw`\"at\":\"${at}\"`;

describe('after the window was reloaded', () => {
	let shop: RawServer;
	let editor: Editor;

	beforeAll(async () => {
		shop = await openRawServer('http', { revision: MODERN });
		editor = await openEditor({ settings: SETTINGS, machineSettings: servers({ shop: shop.definition }) });
	});

	beforeEach(() => editor.closeTabs());

	/** Calls the tool. Resolves to the request, and to the number of those before. */
	async function call(): Promise<{ request: Wire; before: number }> {
		const before = shop.requests('tools/call').length;
		await callTool(editor, { tool: 'act' });
		return { request: await shop.expect('tools/call'), before };
	}

	/** Reloads the window once it has stored a text, and resumes the one call that waits. */
	async function reloadAndResume(text: string): Promise<void> {
		await editor.reload(text);
		await editor.statusBar('MCP 1');
		await editor.pending().click();
		await editor.quickInput.pick(/interrupted/);
	}

	/**
	 * Fills in a field, and waits until its text is stored. Secrets are encrypted: only their length tells, and only if the
	 * text is longer than a form without input.
	 */
	async function fillAndStore(form: Frame, label: string, text: string): Promise<void> {
		const length = () => editor.page.evaluate(() => localStorage.getItem('secrets.provider')?.length ?? 0);
		const earlier = await length();
		await form.getByLabel(label, { exact: true }).fill(text);
		await until(`the ${label} to be stored`, async () => (await length()) >= earlier + text.length);
	}

	const nothingPending = () => until('nothing to be pending', async () => !(await editor.pending().isVisible()));

	itByNight('a call that is discarded cancels its task on a server that runs (K04, K16)', async () => {
		const { request, before } = await call();
		shop.answer(request, created(NEVER));
		await editor.reload('task-of-the-order');
		await editor.statusBar('MCP 1');
		await editor.command('MCP Elicitation: Start Server');
		await editor.command('MCP Elicitation: Focus on Pending View');
		const row = await editor.treeItem(/act\s*interrupted/);
		await editor.screenshot('a call that waits');
		const young = await row.innerText();
		await until('it to have grown older', async () => (await row.innerText()) !== young);
		await row.hover();
		await row.getByRole('button', { name: 'Discard Call' }).click();
		expect((await shop.expect('tasks/cancel')).params.taskId).toBe('task-of-the-order');
		expect(shop.requests('tools/call')).toHaveLength(before + 1);
		await nothingPending();
	});

	it('a round continues with the same form and draft; only its retry is sent, once (K16, R02)', async () => {
		const { request, before } = await call();
		const requestState = 'state\u0000of the server';
		shop.answer(request, { resultType: 'input_required', requestState, inputRequests: asking('Who is it?') });
		const first = await formOfServer(editor, 'shop', 'Who is it?');
		for (const [label, text] of [
			['name', LONG],
			['password', `secret-of-the-user ${LONG}`],
		] as const) {
			await fillAndStore(first, label, text);
		}
		await reloadAndResume(stored('round'));
		const form = await formOfServer(editor, 'shop', 'Who is it?');
		expect(shop.requests('tools/call')).toHaveLength(before + 1);
		await until('the draft', async () => (await form.getByLabel('name', { exact: true }).inputValue()) === LONG);
		await answerIn(form, 'Accept');
		const retry = await shop.expect('tools/call');
		expect(retry.params).toMatchObject({
			name: 'act',
			requestState,
			inputResponses: { who: { action: 'accept', content: { name: LONG, password: `secret-of-the-user ${LONG}` } } },
		});
		shop.finish(retry, { known: true });
		expect(await structured(editor)).toEqual({ known: true });
		expect(shop.requests('tools/call')).toHaveLength(before + 2);
		await nothingPending();
	});
});

itByNight('a call that runs as a task outlives an extension host that is killed (K16)', async () => {
	const [shop, pipe] = [await openRawServer('http', { revision: MODERN }), await openRawServer('stdio')];
	const editor = await openEditor({ settings: SETTINGS, machineSettings: servers(definitionsOf({ shop, pipe })) });
	await callTool(editor, { server: 'pipe', tool: 'act' });
	pipe.finish(await pipe.expect('tools/call'), {});
	await structured(editor);
	await callTool(editor, { server: 'shop', tool: 'act' });
	shop.answer(await shop.expect('tools/call'), created());
	await shop.expect('tasks/get');
	process.kill((await parentOf(pipe.pids[0] ?? 0)) ?? 0, 'SIGKILL');
	await editor.reload('task-of-the-order');
	await (await editor.notification('1 call is waiting for you: "act" on shop')).press('Resume');
	const poll = await shop.expect('tasks/get');
	shop.answer(poll, completed({ ordered: true }));
	expect(await structured(editor)).toEqual({ ordered: true });
	expect(shop.requests('tools/call')).toHaveLength(1);
});

itByNight('a call is resumed with a changed definition only after consent (K16)', async () => {
	const shop = await openRawServer('http', { revision: MODERN });
	const settings = { ...SETTINGS, ...servers({ shop: shop.definition }) };
	const editor = await openEditor({ settings });
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.startConsent()).press('Start Server');
	await callTool(editor, { tool: 'act' });
	shop.answer(await shop.expect('tools/call'), created(NEVER));
	await editor.command('MCP Elicitation: Stop Server');
	await editor.notification('1 call is waiting for you: "act" on shop');
	const file = join(editor.workspace, '.vscode/settings.json');
	const text = (await readFile(file, 'utf8')).replace(
		String(shop.definition['url']),
		`${shop.definition['url']}?changed`,
	);
	await writeFile(file, text);
	await editor.reload('task-of-the-order');
	await (await editor.notification('1 call is waiting for you')).press('Resume');
	const changed = await editor.modal();
	expect(await changed.message()).toBe('The MCP server "shop" is not the one that "act" was called on.');
	await editor.screenshot('resume after a change');
	const before = shop.received.length;
	await changed.escape();
	expect(shop.received).toHaveLength(before);
	await editor.pending().click();
	await editor.quickInput.pick(/interrupted/);
	await (await editor.modal()).press('Continue');
	await (await editor.startConsent()).press('Start Server');
	const poll = await shop.expect('tasks/get');
	shop.answer(poll, completed({ ordered: true }));
	expect(await structured(editor)).toEqual({ ordered: true });
	expect(shop.requests('tools/call')).toHaveLength(1);
});
