import type { Frame, Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { PendingRequest, RawServer, Wire } from '../rawServer/rawServer.ts';
import {
	actOnLine,
	answerIn,
	ask,
	callTool,
	consentTo,
	type Editor,
	everything,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	program,
	servers,
	structured,
} from './driver/index.ts';

const NUMBER = formOf({ n: { type: 'integer', default: 1, maximum: 9 } }, ['n'], 'How many?');
const STRICTER = formOf({ n: { type: 'integer', default: 1, maximum: 2 } }, ['n'], 'How many?');
const PAGE = { mode: 'url', message: 'Sign in', url: 'https://login.example.com/', elicitationId: 'one' };

let raw: RawServer;
let editor: Editor;

beforeAll(async () => {
	const place = { type: 'object', properties: { place: { type: 'string' } } };
	raw = await openRawServer('stdio', { tools: [{ name: 'act', inputSchema: place }] });
	editor = await openEditor({
		machineSettings: servers({
			raw: raw.definition,
			sdk1: program('sdk1'),
			sdk2: program('sdk2'),
			'tasks in sessions': program('tasks', '2025-11-25'),
			'tasks in rounds': program('tasks', '2026-07-28'),
			everything,
		}),
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
	await editor.showViews();
});

beforeEach(async () => {
	await editor.closeTabs();
	await editor.command('Notifications: Clear All Notifications');
});

/** Has the tool of the raw server called, and takes the call. */
async function called(): Promise<Wire> {
	await callTool(editor, { server: 'raw', tool: 'act', args: { place: 'here' } });
	return raw.expect('tools/call');
}

/** Replays the newest call of a server. */
const replay = (server: string) =>
	editor.chooseFromMenu(new RegExp(`\\d.* · ${server}\\s*$`), 'Replay with Recorded Responses');

async function compare(text: string): Promise<void> {
	await (await editor.notification(text)).press('Compare');
	await editor.page.locator('.monaco-diff-editor').waitFor();
}

/** Accepts an elicitation of the raw server by hand. */
async function accept(elicitation: PendingRequest, n: string): Promise<void> {
	const form = await formOfServer(editor, 'raw', 'How many?');
	await form.getByLabel('n', { exact: true }).fill(n);
	await answerIn(form, 'Accept');
	expect((await elicitation.response).result).toEqual({ action: 'accept', content: { n: Number(n) } });
}

/** The entry of a view. */
const entry = (text: RegExp): Locator =>
	editor.page.locator('.pane-body .monaco-list-row').filter({ hasText: text }).first();

async function ended(call: Wire): Promise<void> {
	raw.finish(call, { ended: true });
	expect(await structured(editor)).toEqual({ ended: true });
}

describe('a replay', () => {
	itByNight(
		'sends what was sent and answers what was asked, leaves the rest to the user, and shows what differs',
		async () => {
			const first = await called();
			await accept(raw.ask(NUMBER, first), '3');
			const page = raw.ask(PAGE, first);
			await consentTo(editor, 'login.example.com', 'Open URL');
			await (await editor.externalPage('https://login.example.com/')).close();
			await editor.page.bringToFront();
			expect((await page.response).result).toEqual({ action: 'accept' });
			raw.notify('notifications/elicitation/complete', { elicitationId: 'one' });
			raw.finish(first, { took: 3 });
			await structured(editor);
			await editor.closeTabs();

			await replay('raw');
			const again = await raw.expect('tools/call');
			expect(again.params.name).toBe('act');
			expect(again.params.arguments).toEqual({ place: 'here' });
			expect((await raw.ask(NUMBER, again).response).result).toEqual({ action: 'accept', content: { n: 3 } });
			const other = raw.ask(STRICTER, again);
			expect(await (await editor.notification('left to you')).message()).toBe(
				'raw: This request is left to you. The replayed call did not get this request.',
			);
			await accept(other, '2');
			const otherPage = raw.ask({ ...PAGE, elicitationId: 'two' }, again);
			await consentTo(editor, 'login.example.com', 'Decline');
			expect(editor.externalPages()).toEqual([]);
			expect((await otherPage.response).result).toEqual({ action: 'decline' });
			raw.finish(again, { took: 2 });

			await (await editor.treeItem(/act.*Replay of act, /)).click();
			await editor.command('MCP Elicitation: Show Timeline');
			const timeline = await editor.frameOf('tree', 'Calls and messages');
			await timeline.getByRole('treeitem').filter({ hasText: 'Replay of act, ' }).first().click();
			await timeline
				.getByRole('region', { name: 'Details' })
				.getByText(/^Replay of act, /)
				.waitFor();
			await editor.screenshot('replay in the timeline');
			await actOnLine(timeline, 'Compare Runs…');
			const diff = editor.page.locator('.monaco-diff-editor');
			await diff.getByText('"maximum": 2').waitFor();
			await diff.getByText('"elicitationId": "<id 1>"').first().waitFor();
			await editor.screenshot('compare runs');
		},
	);

	itByNight('leaves to the user what no longer fits', async () => {
		const first = await called();
		await accept(raw.ask(NUMBER, first), '5');
		await ended(first);
		await editor.closeTabs();
		await replay('raw');
		const again = await raw.expect('tools/call');
		const stricter = raw.ask(STRICTER, again);
		await editor.notification(/The earlier response is not sent again\..*At most 2\./);
		await answerIn(await formOfServer(editor, 'raw', 'How many?'), 'Cancel');
		expect((await stricter.response).result).toEqual({ action: 'cancel' });
		raw.finish(again);
		await editor.notification('The replay of act has ended differently.');
	});

	itByNight.each([
		['tasks in rounds', 'order', () => callTool(editor, { server: 'tasks in rounds', tool: 'order' })],
		['tasks in sessions', 'order', () => callTool(editor, { server: 'tasks in sessions', tool: 'order' })],
		['sdk1', 'ask', () => ask(editor, NUMBER, 'sdk1')],
		['sdk2', 'rounds', () => callTool(editor, { server: 'sdk2', tool: 'rounds', args: { count: '2' } })],
		[
			'everything',
			'trigger-elicitation-request',
			() => callTool(editor, { server: 'everything', tool: 'Trigger Elicitation Request Tool' }),
		],
	])('of %s ends as the call did, without asking', async (server, tool, call) => {
		await call();
		const decline = async () => answerIn(await formOfServer(editor, server), 'Decline');
		if (server === 'sdk2') {
			await (await formOfServer(editor, server, 'Round 1')).getByLabel('name', { exact: true }).fill('Ada');
			await answerIn(await formOfServer(editor, server, 'Round 1'), 'Accept');
			await formOfServer(editor, server, 'Round 2');
		}
		await decline();
		await editor.frameOf('button', 'Open as JSON');
		await editor.closeTabs();
		await replay(server);
		await compare(`${server}: The replay of ${tool} has ended as before.`);
		await editor.notification('The two runs differ only in IDs and times.');
	});
});

describe('a forced response', () => {
	itByNight('is written whole as JSON and sent whatever it says, at once or after a delay, and is marked', async () => {
		const call = await called();
		/** Writes the response to the only request there is. */
		const write = async (text: string, problem: string): Promise<Frame> => {
			await editor.command('MCP Elicitation: Force Response…');
			const page = await editor.frameOf('button', 'Send Anyway');
			const json = page.getByRole('textbox', { name: 'Response as JSON' });
			expect(JSON.parse(await json.inputValue())).toEqual({ action: 'accept', content: { n: 1 } });
			await json.fill(text);
			await page.getByRole('alert').filter({ hasText: problem }).waitFor();
			return page;
		};
		const elicitation = raw.ask(NUMBER, call);
		await formOfServer(editor, 'raw', 'How many?');
		const page = await write('{"action": "accept", "content": {"n": 99, "more": true}}', 'At most 9.');
		await editor.screenshot('forced content');
		await page.getByRole('button', { name: 'Send Anyway' }).click();
		expect((await elicitation.response).result).toEqual({ action: 'accept', content: { n: 99, more: true } });
		await editor.page.getByRole('tab', { name: 'Response to raw' }).waitFor({ state: 'detached' });
		await editor.command('MCP Elicitation: Show Timeline');
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		const forced = /How many\?.*accepted, forced by you, against the schema/;
		await timeline.getByRole('treeitem').filter({ hasText: forced }).first().click();
		await timeline.getByText("Its response does not match the server's schema. /n: At most 9.").waitFor();
		await editor.screenshot('forced in the timeline');

		const late = raw.ask({ ...NUMBER, message: 'Late?' }, call);
		await formOfServer(editor, 'raw', 'Late?');
		const other = await write('{"action": "perhaps"}', 'This is no response to the request.');
		await other.getByRole('button', { name: 'Send Later…' }).click();
		await editor.quickInput.shows('How many seconds to wait');
		await editor.quickInput.enter('3600');
		await entry(/Late\?.*is answered on purpose only after 3600 s/).waitFor();
		await editor.screenshot('delayed answer');
		await (await editor.notification('raw is answered only after 3600 s.')).press('Cancel');
		await answerIn(await formOfServer(editor, 'raw', 'Late?'), 'Accept');
		expect((await late.response).result).toEqual({ action: 'accept', content: { n: 1 } });
		await ended(call);
	});
});
