import { beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../../nightly.ts';
import { callRawServer, type Editor, failureOf, formOf, structured, TIMEOUT, until } from '../driver/index.ts';
import { openEditorWith, openRawServers, type RawServers } from './rawServerFixtures.ts';

let rawServers: RawServers;
let editor: Editor;

beforeAll(async () => {
	rawServers = await openRawServers();
	editor = await openEditorWith(rawServers);
});

beforeEach(() => editor.closeTabs());

/** How many elicitations are pending, as the status bar says. */
const pending = async () => Number(/\d+/.exec(await editor.pending().innerText())?.[0]);

const tabs = (server: string) => editor.page.getByRole('tab', { name: server, exact: true });

itByNight(
	'fault 23: of 500 elicitations in one result three open at a time; declining all leaves one retry with all (R01)',
	async () => {
		const rawServer = rawServers.rounds;
		const keys = Array.from({ length: 500 }, (_, at) => `k${at}`);
		const elicitation = (message: string) => ({ method: 'elicitation/create', params: formOf({}, [], message) });
		rawServer.answer(await callRawServer(editor, rawServers, 'rounds'), {
			resultType: 'input_required',
			inputRequests: Object.fromEntries(keys.map((key) => [key, elicitation(key)])),
		});
		const heldRequests = await editor.notification('rounds exceeded the rate limit: 480 requests are held back.');
		expect(await pending()).toBe(500);
		await until('three forms', async () => (await tabs('rounds').count()) === 3);
		await heldRequests.press('Decline All from This Server');
		const retry = await rawServer.expect('tools/call');
		const answers = Object.values(retry.params.inputResponses as Record<string, { action: string }>);
		const count = (wanted: string) => answers.filter(({ action }) => action === wanted).length;
		expect([answers.length, count('decline')]).toEqual([500, 500]);
		await until('no form to be left', async () => (await tabs('rounds').count()) === 0);
		rawServer.finish(retry);
		await structured(editor);
		expect(rawServer.requests('tools/call')).toHaveLength(2);
	},
);

itByNight(
	'fault 11: of 1,000 elicitations at once 930 are cancelled; the editor responds, and the server can be stopped (A01)',
	async () => {
		const rawServer = rawServers.pipe;
		const call = await callRawServer(editor, rawServers, 'pipe');
		const asked = Array.from({ length: 1_000 }, (_, at) => rawServer.ask(formOf({}, [], `Elicitation ${at}`), call).id);
		const ids = new Set<unknown>(asked);
		// A busy machine takes longer for them than the notification waits. How many are canceled in all is counted below.
		const heldRequests = await editor.notification(
			/pipe exceeded the rate limit: 50 requests are held back, \d+ more were cancelled\./,
		);
		expect(await heldRequests.buttons()).toEqual(['Review', 'Decline All from This Server', 'Stop Server']);
		await heldRequests.press('Stop Server');
		await rawServer.left();
		await editor.pending().waitFor({ state: 'hidden' });
		const replies = rawServer.received.filter(({ id, method }) => method === undefined && ids.has(id));
		expect(replies).toHaveLength(930);
		expect(replies.filter(({ result }) => result.action !== 'cancel')).toEqual([]);
		expect(await failureOf(editor, 'pipe')).toContain('The server was stopped while "act" was running.');
	},
);

itByNight(
	'fault 11: what is held back can be reviewed, as fast as there is room for it, while the editor responds (A01)',
	async () => {
		const rawServer = rawServers.web;
		const call = await callRawServer(editor, rawServers, 'web');
		const elicitations = Array.from({ length: 45 }, (_, at) =>
			rawServer.ask(formOf({}, [], `Elicitation ${at}`), call),
		);
		const heldRequests = await editor.notification('web exceeded the rate limit: 25 requests are held back.');
		await heldRequests.press('Review');
		await until('three forms', async () => (await tabs('web').count()) === 3);
		await editor.command('MCP Elicitation: Show Timeline');
		expect(await pending()).toBe(45);
		// Whatever is closed makes room for the next.
		const open = editor.page.locator('.tabs-container .tab').first();
		const closing = async () => {
			if (await open.isVisible()) {
				await open.click({ button: 'middle' });
			}
			return elicitations.every(({ id }) => rawServer.responses(id).length > 0);
		};
		await until('every elicitation to be answered', closing, 3 * TIMEOUT);
		await rawServer.fence(call);
		expect(elicitations.map(({ id }) => rawServer.responses(id).map(({ result }) => result.action))).toEqual(
			Array.from({ length: 45 }, () => ['cancel']),
		);
		rawServer.finish(call);
		await structured(editor);
	},
);
