import { afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import { answerIn, callRawServer, consentTo, type Editor, formOf, formOfServer, structured } from '../driver/index.ts';
import { messagesAbout, openEditorWith, openRawServers, type RawServers } from './rawServerFixtures.ts';

const page = (elicitationId: string, url = `https://login.example.com/${elicitationId}`) => ({
	mode: 'url',
	message: 'Please sign in',
	url,
	elicitationId,
});
const required = (...elicitations: unknown[]) => ({ code: -32042, message: 'Pages first', data: { elicitations } });
const asking = (inputRequests: object) => ({ resultType: 'input_required', inputRequests });
const asked = (message: string) => ({ method: 'elicitation/create', params: formOf({}, [], message) });

let rawServers: RawServers;
let editor: Editor;

beforeAll(async () => {
	rawServers = await openRawServers();
	editor = await openEditorWith(rawServers);
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const external of editor.externalPages()) await external.close();
	await editor.page.bringToFront();
});

/** Gives consent to the page that the server asks for, and has the server say that it is finished. */
async function visit(server: 'pipe' | 'web', id: string, url = `https://login.example.com/${id}`): Promise<void> {
	await consentTo(editor, 'Please sign in', 'Open URL');
	await (await editor.externalPage(url)).close();
	rawServers[server].notify('notifications/elicitation/complete', { elicitationId: id });
}

describe.each(variants('pipe', 'web'))('from %s', (server) => {
	itByNight(
		"fault 18: -32042 without usable pages is explained as the server's error; nothing opens, nothing is retried (U12)",
		async () => {
			const rawServer = rawServers[server];
			const before = rawServer.requests('tools/call').length;
			rawServer.fail(
				await callRawServer(editor, rawServers, server),
				required(page('1'), { ...page('2'), elicitationId: 7 }),
			);
			const [text] = await messagesAbout(editor, server);
			expect(text).toMatch(/The server requires URLs that cannot be shown\. .*"elicitationId".* Pages first\./);
			expect(await editor.pending().isVisible()).toBe(false);
			await rawServer.fence();
			expect(rawServer.requests('tools/call')).toHaveLength(before + 1);
			expect(editor.externalPages()).toEqual([]);
		},
	);

	itByNight('fault 19: -32042 for the same page again is handed to the user, who stops the call (U11)', async () => {
		const rawServer = rawServers[server];
		rawServer.fail(await callRawServer(editor, rawServers, server), required(page('same')));
		await visit(server, 'same');
		rawServer.fail(await rawServer.expect('tools/call'), required(page('same')));
		const roundLimit = await editor.notification('"act" still requires a URL that you have already completed.');
		expect(await roundLimit.buttons()).toEqual(['Continue', 'Stop']);
		const before = rawServer.requests('tools/call').length;
		await roundLimit.press('Stop');
		expect(await messagesAbout(editor, server)).toEqual([
			expect.stringContaining('still requires a URL that you have already completed'),
		]);
		await rawServer.fence();
		expect(rawServer.requests('tools/call')).toHaveLength(before);
		expect(await editor.pending().isVisible()).toBe(false);
	});
});

itByNight('fault 20: -32042 in rounds is explained as an error that the protocol does not have (U12)', async () => {
	const rawServer = rawServers.rounds;
	rawServer.fail(await callRawServer(editor, rawServers, 'rounds'), required(page('1')));
	expect(await messagesAbout(editor, 'rounds')).toEqual([
		expect.stringMatching(/an error that its protocol revision does not have: Pages first\. Report it /),
	]);
	expect(rawServer.requests('tools/call')).toHaveLength(1);
	expect(editor.externalPages()).toEqual([]);
});

itByNight.each(['webRounds', 'rounds'] as const)(
	'fault 22: after 10 rounds of %s the user decides whether it goes on (R07)',
	async (server) => {
		const rawServer = rawServers[server];
		let call = await callRawServer(editor, rawServers, server);
		for (let at = 1; at < 10; at++) {
			rawServer.answer(call, asking({ a: asked(`Round ${at}`) }));
			await answerIn(await formOfServer(editor, server, `Round ${at}`), 'Decline');
			call = await rawServer.expect('tools/call');
		}
		rawServer.answer(call, asking({ a: asked('Round 10') }));
		const roundLimit = await editor.notification('"act" requested input 10 times without finishing.');
		expect(await roundLimit.buttons()).toEqual(['Continue', 'Stop']);
		await roundLimit.press('Continue');
		await answerIn(await formOfServer(editor, server, 'Round 10'), 'Decline');
		rawServer.finish(await rawServer.expect('tools/call'), { through: true });
		expect(await structured(editor)).toEqual({ through: true });
	},
);

itByNight('fault 22: a call that comes back with a second round can be stopped while it asks (R07)', async () => {
	const rawServer = rawServers.rounds;
	const before = rawServer.requests('tools/call').length;
	rawServer.answer(await callRawServer(editor, rawServers, 'rounds'), asking({ a: asked('First') }));
	await answerIn(await formOfServer(editor, 'rounds', 'First'), 'Decline');
	rawServer.answer(await rawServer.expect('tools/call'), asking({ a: asked('Second') }));
	await formOfServer(editor, 'rounds', 'Second');
	await editor.command('MCP Elicitation: Cancel Call');
	await editor.pending().waitFor({ state: 'hidden' });
	expect(rawServer.requests('tools/call')).toHaveLength(before + 2);
});

itByNight(
	'fault 24: a round with an unknown kind of request is told in words that name it, and asks nothing (R08)',
	async () => {
		const rawServer = rawServers.rounds;
		const bad = { b: { method: 'sampling/createMessage', params: {} } };
		rawServer.answer(await callRawServer(editor, rawServers, 'rounds'), asking({ a: asked('Never shown'), ...bad }));
		expect(await messagesAbout(editor, 'rounds')).toEqual([expect.stringContaining('"sampling/createMessage"')]);
		expect(await editor.pending().isVisible()).toBe(false);
	},
);

itByNight('fault 27: 10,000 tools can be searched in and called, and a changed list is noticed', async () => {
	const rawServer = rawServers.web;
	rawServer.finish(await callRawServer(editor, rawServers, 'web'));
	await structured(editor);
	await editor.closeTabs();
	rawServer.tools = [...Array.from({ length: 12_000 }, (_, at) => `tool-${at}`), 'act'];
	rawServer.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*10000 tools|web.*10,000 tools/);
	await editor.command('MCP Elicitation: Call Tool');
	await editor.quickInput.shows('Choose a tool');
	await editor.quickInput.fill('tool-9999');
	await editor.quickInput.pick('tool-9999');
	const call = await rawServer.expect('tools/call');
	expect(call.params.name).toBe('tool-9999');
	rawServer.finish(call, { found: true });
	expect(await structured(editor)).toEqual({ found: true });
	rawServer.tools = ['act'];
	rawServer.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*1 tool/);
});
