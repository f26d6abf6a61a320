import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import {
	answerIn,
	callRawServer,
	type Editor,
	formOf,
	formOfServer,
	resultOf,
	structured,
	until,
} from '../driver/index.ts';
import { messagesAbout, openEditorWith, openRawServers, type RawServers } from './rawServerFixtures.ts';

const MB = 1024 * 1024;
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const elicitation = formOf({ a: { type: 'string' } }, [], 'Several lines\nneed a form');

let rawServers: RawServers;
let editor: Editor;

beforeAll(async () => {
	rawServers = await openRawServers();
	editor = await openEditorWith(rawServers);
});

beforeEach(() => editor.closeTabs());

/** The next call works, and the editor with it. */
async function worksOn(server: keyof RawServers): Promise<void> {
	await editor.closeTabs();
	rawServers[server].finish(await callRawServer(editor, rawServers, server), { fine: true });
	expect(await structured(editor)).toEqual({ fine: true });
}

describe.each(variants('pipe', 'web'))('from %s', (server) => {
	itByNight('fault 12: an error, a progress and a result of 9 MB are shown as much as can be read', async () => {
		const rawServer = rawServers[server];
		const enormous = 'é'.repeat(4.5 * MB);
		const call = await callRawServer(editor, rawServers, server);
		const { progressToken } = call.params._meta;
		rawServer.notify('notifications/progress', { progressToken, progress: 1, message: enormous }, call);
		const progress = await editor.notification('ééé');
		expect((await progress.message()).length).toBeLessThan(400);
		rawServer.fail(call, { code: -32000, message: enormous });
		const [text] = await messagesAbout(editor, server);
		expect(text?.length).toBeLessThan(1_100);

		rawServer.answer(await callRawServer(editor, rawServers, server), { content: [{ type: 'text', text: enormous }] });
		expect((await resultOf(editor)).length).toBeLessThanOrEqual(200_000);
		const frame = await editor.frameOf('button', 'Open Raw JSON');
		await frame.getByText('Not shown: ').waitFor();
		await worksOn(server);
	});

	itByNight('fault 12: an elicitation of 9 MB is refused with -32602, and the user is told why', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		const asked = rawServer.ask({ ...elicitation, message: 'é'.repeat(4.5 * MB) }, call);
		expect((await asked.response).error).toMatchObject({ code: -32602 });
		const message = await editor.notification(/was refused/);
		expect(await message.message()).toContain('The message is larger than 102,400 bytes.');
		await message.dismiss();
		rawServer.finish(call);
		await structured(editor);
	});

	itByNight(
		'fault 13: a message without an end is told in one message; the server has failed and is not started again',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const handshakes = rawServer.received.length;
			if ('open' in rawServer) rawServer.open(call);
			for (let sent = 0; sent <= 66; sent++) rawServer.raw('x'.repeat(MB), call);
			expect(await messagesAbout(editor, server)).toEqual([
				`${server}: The server sent a message longer than 64 MB, so the connection was ended. ` +
					"Report it to the server's author; start the server yourself to try again.",
			]);
			await editor.treeItem(new RegExp(`^${server}\\s*failed`));
			expect(rawServer.received.slice(handshakes)).toEqual([]);
			await worksOn(server);
		},
	);

	itByNight('fault 14: noise around the messages is in the log of the server, and the next message works', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		for (const line of ['42', '{"hello":"world"}', 'Server is starting…']) rawServer.line(line, call);
		const asked = rawServer.ask(elicitation, call);
		await answerIn(await formOfServer(editor, server), 'Decline');
		expect((await asked.response).result).toEqual({ action: 'decline' });
		rawServer.finish(call, { fine: true });
		expect(await structured(editor)).toEqual({ fine: true });
		await editor.choose('MCP Elicitation: Show Server Log', server, 'Choose a server');
		const log = editor.page.locator('.output-view .view-lines');
		const sample =
			server === 'pipe'
				? /Ignored a line on stdout .*: Server is starting…/
				: /"Server is starting…" is not valid JSON/;
		await until('the noise in the log', async () => sample.test((await log.innerText()).replace(/\s+/g, ' ')));
	});

	itByNight(
		'fault 16: an answer nested 200,000 levels deep is told in one message, and the next call works',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const result = `{"content":[],"structuredContent":${deep(200_000)}}`;
			rawServer.line(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`, call);
			expect(await messagesAbout(editor, server)).toEqual([
				`${server}: The response of "act" is nested deeper than 1000 levels. Report it to the server's author.`,
			]);
			await worksOn(server);
		},
	);

	itByNight('fault 16: what is nested as deeply as is allowed can be shown and opened', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		const result = `{"content":[],"structuredContent":${deep(990)}}`;
		rawServer.line(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`, call);
		const frame = await editor.frameOf('button', 'Open Raw JSON');
		await frame.getByRole('button', { name: 'Open Raw JSON' }).click();
		await editor.page.locator('.editor-instance .view-lines').getByText('"structuredContent"').waitFor();
	});

	itByNight(
		'fault 17: a stream that is cut in the middle of a call is told at once, and the call is not run again (A02)',
		async () => {
			const rawServer = rawServers[server];
			const before = rawServer.requests('tools/call').length;
			const call = await callRawServer(editor, rawServers, server);
			const { id } = rawServer.ask(elicitation, call);
			const form = await formOfServer(editor, server);
			rawServer.cut(call);
			await form.getByRole('status').filter({ hasText: 'Nothing was sent.' }).waitFor();
			expect(await messagesAbout(editor, server)).toEqual([
				expect.stringMatching(
					server === 'pipe' ? /The server closed its output\./ : /The connection was lost before "act" responded\./,
				),
			]);
			expect(rawServer.responses(id)).toEqual([]);
			expect(rawServer.requests('tools/call')).toHaveLength(before + 1);
			await worksOn(server);
		},
	);
});

itByNight(
	'fault 17: a stream that can be resumed is: the elicitation stays, and the result arrives (A02)',
	async () => {
		const rawServer = rawServers.resuming;
		const call = await callRawServer(editor, rawServers, 'resuming');
		rawServer.retryIn(60, call);
		const asked = rawServer.ask(elicitation, call);
		const form = await formOfServer(editor, 'resuming');
		await form.getByLabel('a', { exact: true }).fill('still here');
		rawServer.cut(call);
		await rawServer.until(() => rawServer.log.includes(`GET ${call.id}/1`));
		await answerIn(form, 'Accept');
		expect((await asked.response).result).toEqual({ action: 'accept', content: { a: 'still here' } });
		rawServer.finish(call, { resumed: true });
		expect(await structured(editor)).toEqual({ resumed: true });
		expect(rawServer.requests('tools/call')).toHaveLength(1);
		expect(rawServer.responses(asked.id)).toHaveLength(1);
	},
);
