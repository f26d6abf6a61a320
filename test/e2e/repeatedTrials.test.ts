import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { RawServer } from '../rawServer/rawServer.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	program,
	servers,
	structured,
	until,
} from './driver/index.ts';

const NUMBER = (message: string) => formOf({ n: { type: 'integer', default: 1 } }, ['n'], message);

let raw: RawServer;
let editor: Editor;

beforeAll(async () => {
	raw = await openRawServer('stdio');
	editor = await openEditor({
		machineSettings: servers({ raw: raw.definition, sdk1: program('sdk1') }),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
});

beforeEach(() => editor.closeTabs());

/** Has a call made that gets a request, and responds to it. */
async function callRaw(message: string): Promise<void> {
	await callTool(editor, { server: 'raw', tool: 'act' });
	const call = await raw.expect('tools/call');
	const { response } = raw.ask(NUMBER(message), call);
	await answerIn(await formOfServer(editor, 'raw', message), 'Accept');
	await response;
	raw.finish(call, {});
	await structured(editor);
	await editor.closeTabs();
}

/** Starts trials of a call. */
async function run(command: string, tool: string, box: string, entered: string, message: string): Promise<void> {
	await editor.choose(`MCP Elicitation: ${command}`, tool, 'Choose the call to repeat');
	await editor.quickInput.shows(box);
	await editor.screenshot(command);
	await editor.quickInput.enter(entered);
	const modal = await editor.modal();
	expect(await modal.message()).toBe(message);
	await modal.press('Run');
}

/** What the table says about each run, once all have ended. */
async function told(heading: string): Promise<(string | undefined)[][]> {
	const frame: Frame = await editor.frameOf('heading', heading);
	await until('the runs to end', async () => !(await frame.getByRole('button', { name: 'Stop' }).isVisible()));
	await editor.screenshot(heading);
	const found = await frame.locator('tbody tr').all();
	return Promise.all(found.map((row) => row.locator('th, td').allInnerTexts()));
}

itByNight('a server that waits as long as the user takes is told apart from one that gives up', async () => {
	await ask(editor, NUMBER('How many?'), 'sdk1');
	await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
	await structured(editor);
	await editor.closeTabs();
	const box = 'For how many seconds should responses be held?';
	await run('Run Patience Trial…', 'ask', box, '1, 2', 'Call "ask" on sdk1 3 times?');
	const patient = await told('Patience');
	expect(patient.map(([name]) => name?.trim())).toEqual(['At once', 'After 1 s', 'After 2 s']);
	expect(patient[1]?.[1]).toContain('Nobody gave up, and no more was requested.');
	expect(patient[2]?.[1]).toContain('Nobody gave up, and no more was requested.');
	await editor.closeTabs();

	await callRaw('How many?');
	await run('Run Patience Trial…', 'act', box, '600', 'Call "act" on raw 2 times?');
	const atOnce = await raw.expect('tools/call');
	expect((await raw.ask(NUMBER('How many?'), atOnce).response).result.action).toBe('accept');
	raw.finish(atOnce, {});
	const held = await raw.expect('tools/call');
	const { id } = raw.ask(NUMBER('How many?'), held);
	await raw.fence();
	raw.notify('notifications/cancelled', { requestId: id, reason: 'Request timed out' });
	await raw.fence();
	raw.fail(held, { code: -32001, message: 'Request timed out' });
	const [, gaveUp] = await told('Patience');
	expect(gaveUp?.[1]).toMatch(/The server gave up after .* s\. .*Request timed out/);
});

itByNight(
	'a server that builds its requests from the time is told apart from one that sends the same again',
	async () => {
		await callRaw('What for?');
		const box = 'How many times should the call be made?';
		await run('Run Determinism Trial…', 'act', box, '4', 'Call "act" on raw 4 times?');
		const at = (second: number) => `It is 2026-01-01T10:00:0${second}Z.`;
		for (const message of [at(0), at(0), at(7), 'How many now?']) {
			const call = await raw.expect('tools/call');
			expect((await raw.ask(NUMBER(message), call).response).result.action).toBe('accept');
			raw.finish(call, {});
		}
		const rows = await told('Determinism');
		expect(rows.map(([name]) => name?.trim())).toEqual(['Run 1', 'Run 2', 'Run 3', 'Run 4']);
		expect(rows[1]?.[1]).toContain('Everything is as in the first run.');
		expect(rows[2]?.[1]).toContain('Request 1 holds a time or a random ID, at /message.');
		expect(rows[3]?.[1]).toContain('Request 1 differs from that of the first run at /message.');
	},
);
