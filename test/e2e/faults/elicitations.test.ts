import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import {
	answerIn,
	callRawServer,
	type Editor,
	formOf,
	formOfServer,
	structured,
	until,
	urlPanel,
} from '../driver/index.ts';
import { messagesAbout, openEditorWith, openRawServers, type RawServers } from './rawServerFixtures.ts';

/** Seconds of server time that a call may take here: little enough to wait for, and enough for the steps of a test. */
const CALL_TIMEOUT = 15;

const elicitation = formOf({ a: { type: 'string' } }, [], 'Several lines\nneed a form');
const page = (elicitationId: string) => ({
	mode: 'url',
	message: 'Please sign in',
	url: `https://login.example.com/${elicitationId}`,
	elicitationId,
});

let rawServers: RawServers;
let editor: Editor;

beforeAll(async () => {
	rawServers = await openRawServers();
	editor = await openEditorWith(rawServers, { 'mcpElicitation.callTimeout': CALL_TIMEOUT });
});

beforeEach(() => editor.closeTabs());

describe.each(variants('web', 'pipe'))('an elicitation of %s', (server) => {
	it('fault 1: when its server dies the form says so, keeps its draft and sends nothing; one message tells why (A02)', async () => {
		const rawServer = rawServers[server];
		const { id } = rawServer.ask(elicitation, await callRawServer(editor, rawServers, server));
		const form = await formOfServer(editor, server);
		await form.getByLabel('a', { exact: true }).fill('what was entered stays');
		await rawServer.die();
		await form.getByRole('status').filter({ hasText: 'Nothing was sent.' }).waitFor();
		expect(await form.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
		expect(await form.getByLabel('a', { exact: true }).inputValue()).toBe('what was entered stays');
		expect(await messagesAbout(editor, server)).toEqual([
			expect.stringMatching(server === 'pipe' ? /exited with code 1/ : /was lost before "act" responded/),
		]);
		await editor.pending().waitFor({ state: 'hidden' });
		expect(rawServer.responses(id)).toEqual([]);
		// It can be called again.
		await editor.closeTabs();
		await rawServer.rise();
		rawServer.finish(await callRawServer(editor, rawServers, server), { again: true });
		expect(await structured(editor)).toEqual({ again: true });
	});

	itByNight('fault 2: of two elicitations with one id only the first is shown, and it can be answered', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		rawServer.ask(formOf({}, [], 'The first'), call, 'same');
		rawServer.ask(formOf({}, [], 'The second'), call, 'same');
		const form = await formOfServer(editor, server, 'The first');
		expect((await rawServer.until(() => rawServer.responses('same')[0])).error.code).toBe(-32600);
		await editor.pending().filter({ hasText: '1' }).waitFor();
		await answerIn(form, 'Decline');
		expect((await rawServer.until(() => rawServer.responses('same')[1])).result).toEqual({ action: 'decline' });
		rawServer.finish(call);
		await structured(editor);
	});

	itByNight(
		'fault 5: a page that the server calls complete before the consent is said to be completed elsewhere; nothing opens (U02, U09)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const asked = rawServer.ask(page('early'), call);
			const consent = await urlPanel(editor, server);
			rawServer.notify('notifications/elicitation/complete', { elicitationId: 'early' }, call);
			expect((await asked.response).result).toEqual({ action: 'cancel' });
			await consent.getByRole('status').filter({ hasText: 'completed elsewhere; nothing was opened' }).waitFor();
			expect(await consent.getByRole('button', { name: 'Open URL' }).isDisabled()).toBe(true);
			await rawServer.fence(call);
			expect(rawServer.responses(asked.id)).toHaveLength(1);
			expect(editor.externalPages()).toEqual([]);
			rawServer.finish(call);
			await structured(editor);
		},
	);

	it('fault 7: pressing Accept twice, and everything after the answer, sends one reply', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		const asked = rawServer.ask(elicitation, call);
		const form = await formOfServer(editor, server);
		const accept = form.getByRole('button', { name: 'Accept', exact: true });
		await until('the button Accept to be ready', () => accept.isEnabled());
		await accept.dblclick().catch(() => {});
		await asked.response;
		await editor.page.getByRole('tab', { name: server, exact: true }).waitFor({ state: 'detached' });
		await rawServer.fence(call);
		expect(rawServer.responses(asked.id).map(({ result }) => result.action)).toEqual(['accept']);
		rawServer.finish(call);
		await structured(editor);
	});

	itByNight(
		'fault 8: an elicitation that its server withdraws says so, with the reason, and can no longer be answered (A02)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const { id } = rawServer.ask(elicitation, call);
			await formOfServer(editor, server);
			rawServer.notify('notifications/cancelled', { requestId: id, reason: 'Changed my mind' }, call);
			const form = await formOfServer(
				editor,
				server,
				'The server withdrew its request with the reason "Changed my mind".',
			);
			expect(await form.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
			await editor.pending().waitFor({ state: 'hidden' });
			await rawServer.fence(call);
			expect(rawServer.responses(id)).toEqual([]);
			await editor.closeTabs();
			rawServer.finish(call);
			await structured(editor);
		},
	);

	itByNight(
		'fault 9: a call outlives its time limit while the user thinks, and both times are shown (A04)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const asked = rawServer.ask(elicitation, call);
			const form = await formOfServer(editor, server);
			// More than CALL_TIMEOUT.
			await editor.statusBar(/you (1[6-9]|[2-5]\d) s/);
			await answerIn(form, 'Accept');
			expect((await asked.response).result).toMatchObject({ action: 'accept' });
			rawServer.finish(call, { lived: true });
			expect(await structured(editor)).toEqual({ lived: true });
		},
	);

	itByNight(
		'fault 26: an elicitation of an unknown kind is refused with -32602, and the user is told once who sent it (E07, A03)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			const asked = rawServer.ask({ ...elicitation, mode: 'voice' }, call);
			expect((await asked.response).error).toMatchObject({ code: -32602 });
			const message = await editor.notification(/was refused/);
			expect(await message.message()).toMatch(new RegExp(`^${server} .*"voice" is unknown`));
			expect((await editor.notifications()).filter((text) => text.includes('was refused')).length).toBeLessThanOrEqual(
				1,
			);
			await message.dismiss();
			rawServer.finish(call);
			await structured(editor);
		},
	);

	itByNight('fault 28: an elicitation without any call is shown as requested by the server itself', async () => {
		const rawServer = rawServers[server];
		const asked = rawServer.ask(elicitation);
		const form = await formOfServer(editor, server);
		expect(await editor.tooltip(editor.pending())).toContain('requested by the server itself');
		await answerIn(form, 'Decline');
		expect((await asked.response).result).toEqual({ action: 'decline' });
		await rawServer.fence();
		expect(rawServer.responses(asked.id)).toHaveLength(1);
	});
});

describe.each(variants('rounds', 'webRounds'))('an elicitation of %s', (server) => {
	itByNight(
		'fault 1: when its server dies between two rounds, nothing hangs, and the user is told once (A02)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			rawServer.answer(call, {
				resultType: 'input_required',
				inputRequests: { a: { method: 'elicitation/create', params: elicitation } },
			});
			const form = await formOfServer(editor, server);
			await rawServer.die();
			if (server === 'rounds') {
				await form.getByRole('status').filter({ hasText: 'The connection to the server has ended.' }).waitFor();
				// Its response was not on the way: the call waits to be resumed (K16), and has not failed for the user.
				await editor.notification('1 call is waiting for you: "act" on rounds');
				expect(await editor.page.getByRole('tab', { name: 'act: failed' }).count()).toBe(0);
				await editor.command('MCP Elicitation: Discard Call');
			} else {
				await answerIn(form, 'Accept');
				expect(await messagesAbout(editor, server)).toHaveLength(1);
			}
			await editor.pending().waitFor({ state: 'hidden' });
			expect(rawServer.requests('tools/call')).toHaveLength(1);
			await rawServer.rise();
		},
	);
});
