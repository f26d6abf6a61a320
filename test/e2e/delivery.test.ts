import { beforeAll, beforeEach, expect, it } from 'vitest';
import { itByNight, variants } from '../nightly.ts';
import type { RawHttpServer } from '../rawServer/http.ts';
import type { RawStdioServer } from '../rawServer/stdio.ts';
import {
	answerIn,
	callRawServer,
	definitionsOf,
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

/* Each surface that tells of a fault. What crosses the wire is tested in test/unit/mcp/faults. */

const elicitation = formOf({ a: { type: 'string' } }, [], 'Deploy to production?');
const accepted = { action: 'accept', content: { a: 'what was entered' } };
const GONE = { status: 410 } as const;

type Name = 'pipe' | 'web';

let rawServers: { readonly pipe: RawStdioServer; readonly web: RawHttpServer };
let editor: Editor;

beforeAll(async () => {
	rawServers = { pipe: await openRawServer('stdio'), web: await openRawServer('http') };
	editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.callTimeout': 5 },
		machineSettings: servers(definitionsOf(rawServers)),
	});
	await editor.showViews();
});

beforeEach(() => editor.closeTabs());

/** How the HTTP server refuses the next responses; afterwards it takes them. */
function refuse(...refusals: ReturnType<RawHttpServer['refusePosts']>[]): void {
	rawServers.web.refusePosts = ({ method }) => (method === undefined ? refusals.shift() : undefined);
}

/** A call whose elicitation is open, with something entered into its form. */
async function asked(server: Name = 'web') {
	const call = await callRawServer(editor, rawServers, server);
	const { id, response } = rawServers[server].ask(elicitation, call);
	const form = await formOfServer(editor, server);
	await form.getByLabel('a', { exact: true }).fill('what was entered');
	return { rawServer: rawServers[server], call, id, response, form };
}

/** Everything that says why a call has failed: its panel and, if there were any, notifications. */
async function messagesAbout(server: Name): Promise<string[]> {
	const failure = await failureOf(editor, server);
	return [failure, ...(await editor.notifications()).filter((text) => text.startsWith(`${server}: `))];
}

/** The next call works, and the editor with it. */
async function worksOn(server: Name): Promise<void> {
	await editor.closeTabs();
	rawServers[server].finish(await callRawServer(editor, rawServers, server), { again: true });
	expect(await structured(editor)).toEqual({ again: true });
}

it('a response that the server does not take is told, listed, and sent again from the list (D01)', async () => {
	refuse(GONE);
	const { rawServer, call, id, response, form } = await asked();
	await answerIn(form, 'Accept');
	const notice = await editor.notification('web: The response to "Deploy to production?" could not be delivered.');
	expect(await notice.message()).toContain('410');
	expect(await notice.buttons()).toEqual(['Cancel', 'Send Again', 'Show Timeline']);
	await editor.treeItem(/Deploy to production\?\s*accepted, not delivered · act/);
	await editor.screenshot('undelivered notification and view');
	await editor.pending().click();
	await editor.quickInput.shows('Choose an elicitation');
	const entry = editor.quickInput.entry('accepted, not delivered');
	await entry.hover();
	await editor.screenshot('undelivered list');
	await editor.quickInput.pressOnEntry(/accepted, not delivered/, 'Send Undelivered Response Again');
	expect((await response).result).toEqual(accepted);
	await entry.waitFor({ state: 'detached' });
	await editor.quickInput.escape();
	await notice.gone();
	rawServer.finish(call, { through: true });
	expect(await structured(editor)).toEqual({ through: true });
	await editor.pending().waitFor({ state: 'hidden' });
	expect(rawServer.responses(id)).toHaveLength(1);
});

itByNight(
	'a response that fails again is told anew, and left alone when it is dismissed in the view; the call then fails for that reason (D01)',
	async () => {
		refuse(GONE, GONE);
		const { form } = await asked();
		const posted = () => rawServers.web.log.filter((line) => line === 'POST response').length;
		const before = posted();
		await answerIn(form, 'Accept');
		await (await editor.notification('could not be delivered')).press('Send Again');
		await until('the second failure', () => posted() === before + 2);
		await (await editor.notification('could not be delivered')).dismiss();
		const row = await editor.treeItem(/accepted, not delivered/);
		await row.hover();
		await row.getByRole('button', { name: 'Dismiss Undelivered Response' }).click();
		await editor.pending().waitFor({ state: 'hidden' });
		expect(await failureOf(editor, 'web')).toMatch(
			/^web: Your response to "act" could not be delivered\..*Call it again to be asked again\./,
		);
	},
);

itByNight(
	'a response is not offered again where the session is gone; what was entered is in the timeline (D01)',
	async () => {
		refuse({ status: 404 });
		const { form } = await asked();
		await answerIn(form, 'Accept');
		const notice = await editor.notification('could not be delivered. The session with the server has expired.');
		expect(await notice.buttons()).toEqual(['Show Timeline']);
		await notice.press('Show Timeline');
		const timeline = await editor.frameOf('button', 'Export…');
		await timeline.getByText('what was entered').first().waitFor();
		await timeline.getByText('not delivered').first().waitFor();
		await editor.screenshot('undelivered timeline');
		await editor.pending().waitFor({ state: 'hidden' });
		expect(await failureOf(editor, 'web')).toContain('Your response to "act" could not be delivered.');
	},
);

it.each(variants<Name>('web', 'pipe'))(
	'fault 1: when its server (%s) dies the form says so, keeps its draft and sends nothing; one message tells why (A02)',
	async (server) => {
		const { rawServer, id, form } = await asked(server);
		await rawServer.die();
		await form.getByRole('status').filter({ hasText: 'Nothing was sent.' }).waitFor();
		expect(await form.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
		expect(await form.getByLabel('a', { exact: true }).inputValue()).toBe('what was entered');
		expect(await messagesAbout(server)).toEqual([
			expect.stringMatching(server === 'pipe' ? /exited with code 1/ : /was lost before "act" responded/),
		]);
		await editor.pending().waitFor({ state: 'hidden' });
		expect(rawServer.responses(id)).toEqual([]);
		await rawServer.rise();
		await worksOn(server);
	},
);

it('fault 8: a form that its server withdraws says so, with the reason; fault 7: Accept pressed twice sends one response (A02)', async () => {
	const { rawServer, call, id, form } = await asked();
	rawServer.notify('notifications/cancelled', { requestId: id, reason: 'Changed my mind' }, call);
	await form
		.getByRole('status')
		.filter({ hasText: 'The server withdrew its request with the reason "Changed my mind".' })
		.waitFor();
	expect(await form.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
	await editor.pending().waitFor({ state: 'hidden' });
	await editor.closeTabs();

	const next = rawServer.ask({ ...elicitation, message: 'Now?' }, call);
	const accept = (await formOfServer(editor, 'web', 'Now?')).getByRole('button', { name: 'Accept', exact: true });
	await until('the button Accept to be ready', () => accept.isEnabled());
	await accept.dblclick().catch(() => {});
	await next.response;
	await editor.page.getByRole('tab', { name: 'web', exact: true }).waitFor({ state: 'detached' });
	await rawServer.fence(call);
	expect(rawServer.responses(next.id).map(({ result }) => result.action)).toEqual(['accept']);
	expect(rawServer.responses(id)).toEqual([]);
	rawServer.finish(call);
	await structured(editor);
});

itByNight('the form of a call that the user cancels says what was sent, and keeps what was entered (D03)', async () => {
	const { response, form } = await asked();
	await editor.command('MCP Elicitation: Cancel Call');
	await form
		.getByRole('status')
		.filter({ hasText: 'The call was cancelled. "cancel" was sent to the server.' })
		.waitFor();
	expect(await form.getByLabel('a', { exact: true }).inputValue()).toBe('what was entered');
	expect((await response).result).toEqual({ action: 'cancel' });
	await editor.screenshot('cancelled call');
	await worksOn('web');
});

itByNight('fault 12: an error, a progress and a result of 9 MB are shown as much as can be read', async () => {
	const { pipe } = rawServers;
	const enormous = 'é'.repeat(4.5 * 2 ** 20);
	const call = await callRawServer(editor, rawServers, 'pipe');
	const { progressToken } = call.params._meta;
	pipe.notify('notifications/progress', { progressToken, progress: 1, message: enormous }, call);
	const progress = await editor.notification('ééé');
	expect((await progress.message()).length).toBeLessThan(400);
	pipe.fail(call, { code: -32000, message: enormous });
	const [text] = await messagesAbout('pipe');
	expect(text?.length).toBeLessThan(1_100);

	pipe.answer(await callRawServer(editor, rawServers, 'pipe'), { content: [{ type: 'text', text: enormous }] });
	const frame = await editor.frameOf('button', 'Open as JSON');
	await frame.getByText('Not shown: ').waitFor();
	expect((await frame.locator('.block .text').allInnerTexts()).join('\n').length).toBeLessThanOrEqual(200_000);
	await worksOn('pipe');
});

itByNight('fault 16: what is nested as deeply as is allowed can be shown and opened', async () => {
	const { pipe } = rawServers;
	const { id } = await callRawServer(editor, rawServers, 'pipe');
	const nested = `${'{"a":'.repeat(990)}1${'}'.repeat(990)}`;
	pipe.line(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${nested}}}`);
	const frame = await editor.frameOf('button', 'Open as JSON');
	await frame.getByRole('button', { name: 'Open as JSON' }).click();
	await editor.page.locator('.editor-instance .view-lines').getByText('"structuredContent"').waitFor();
});

itByNight('fault 27: 10,000 tools can be searched in and called, and a changed list is noticed', async () => {
	const { web } = rawServers;
	await worksOn('web');
	await editor.closeTabs();
	web.tools = [...Array.from({ length: 12_000 }, (_, at) => `tool-${at}`), 'act'];
	web.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*10000 tools|web.*10,000 tools/);
	await editor.command('MCP Elicitation: Call…');
	await editor.quickInput.shows('Choose what to call');
	await editor.quickInput.fill('tool-9999');
	await editor.quickInput.pick('tool-9999');
	const call = await web.expect('tools/call');
	expect(call.params.name).toBe('tool-9999');
	web.finish(call, { found: true });
	expect(await structured(editor)).toEqual({ found: true });
	web.tools = ['act'];
	web.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*1 tool/);
});
