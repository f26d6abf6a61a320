import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerIn, callRawServer, type Editor, formOf, formOfServer, structured } from '../driver/index.ts';
import { type Cast, cast, said, stage } from './cast.ts';

const page = (elicitationId: string, url = `https://login.example.com/${elicitationId}`) => ({
	mode: 'url',
	message: 'Please sign in',
	url,
	elicitationId,
});
const required = (...elicitations: unknown[]) => ({ code: -32042, message: 'Pages first', data: { elicitations } });
const asking = (inputRequests: object) => ({ resultType: 'input_required', inputRequests });
const question = (message: string) => ({ method: 'elicitation/create', params: formOf({}, [], message) });

let puppets: Cast;
let editor: Editor;

beforeAll(async () => {
	puppets = await cast();
	editor = await stage(puppets);
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const external of editor.externalPages()) await external.close();
	await editor.page.bringToFront();
});

/** Gives consent to the page that the server asks for, and has the server say that it is finished. */
async function visit(server: 'pipe' | 'web', id: string, url = `https://login.example.com/${id}`): Promise<void> {
	await (await editor.notification('Please sign in')).press('Open URL');
	await (await editor.externalPage(url)).close();
	puppets[server].notify('notifications/elicitation/complete', { elicitationId: id });
}

describe.each(['pipe', 'web'] as const)('from %s', (server) => {
	it("fault 18: -32042 without usable pages is explained as the server's error; nothing opens, nothing is retried (U12)", async () => {
		const puppet = puppets[server];
		const before = puppet.requests('tools/call').length;
		puppet.fail(await callRawServer(editor, puppets, server), required(page('1'), { ...page('2'), elicitationId: 7 }));
		const [text] = await said(editor, server);
		expect(text).toMatch(
			/The server requires pages to be visited that cannot be shown\. .*"elicitationId".* Pages first\./,
		);
		await (await editor.notification(`${server}: `)).dismiss();
		expect(await editor.pending().isVisible()).toBe(false);
		await puppet.fence();
		expect(puppet.requests('tools/call')).toHaveLength(before + 1);
		expect(editor.externalPages()).toEqual([]);
	});

	it('fault 19: -32042 for the same page again is handed to the person, who stops the call (U11)', async () => {
		const puppet = puppets[server];
		puppet.fail(await callRawServer(editor, puppets, server), required(page('same')));
		await visit(server, 'same');
		puppet.fail(await puppet.expect('tools/call'), required(page('same')));
		const halt = await editor.notification('"act" still requires what you have completed.');
		expect(await halt.buttons()).toEqual(['Go On', 'Stop']);
		const before = puppet.requests('tools/call').length;
		await halt.press('Stop');
		expect(await said(editor, server)).toEqual([expect.stringContaining('still requires what you have completed')]);
		await (await editor.notification(`${server}: `)).dismiss();
		await puppet.fence();
		expect(puppet.requests('tools/call')).toHaveLength(before);
		expect(await editor.pending().isVisible()).toBe(false);
	});
});

it('fault 20: -32042 in rounds is explained as an error that the protocol does not have (U12)', async () => {
	const puppet = puppets.rounds;
	puppet.fail(await callRawServer(editor, puppets, 'rounds'), required(page('1')));
	expect(await said(editor, 'rounds')).toEqual([
		expect.stringMatching(/an error that its protocol revision does not have: Pages first\. Report it /),
	]);
	await (await editor.notification('rounds: ')).dismiss();
	expect(puppet.requests('tools/call')).toHaveLength(1);
	expect(editor.externalPages()).toEqual([]);
});

it.each(['rounds', 'webRounds'] as const)(
	'fault 22: after 10 rounds of %s the person decides whether it goes on (R07)',
	async (server) => {
		const puppet = puppets[server];
		let call = await callRawServer(editor, puppets, server);
		for (let at = 1; at < 10; at++) {
			puppet.answer(call, asking({ a: question(`Round ${at}`) }));
			await answerIn(await formOfServer(editor, server, `Round ${at}`), 'Decline');
			call = await puppet.expect('tools/call');
		}
		puppet.answer(call, asking({ a: question('Round 10') }));
		const halt = await editor.notification('"act" asked for input 10 times without coming to an end.');
		expect(await halt.buttons()).toEqual(['Go On', 'Stop']);
		await halt.press('Go On');
		await answerIn(await formOfServer(editor, server, 'Round 10'), 'Decline');
		puppet.finish(await puppet.expect('tools/call'), { through: true });
		expect(await structured(editor)).toEqual({ through: true });
	},
);

it('fault 22: a call that comes back with a second round can be stopped while it asks (R07)', async () => {
	const puppet = puppets.rounds;
	const before = puppet.requests('tools/call').length;
	puppet.answer(await callRawServer(editor, puppets, 'rounds'), asking({ a: question('First') }));
	await answerIn(await formOfServer(editor, 'rounds', 'First'), 'Decline');
	puppet.answer(await puppet.expect('tools/call'), asking({ a: question('Second') }));
	await formOfServer(editor, 'rounds', 'Second');
	await editor.command('MCP Elicitation: Cancel Call');
	await editor.pending().waitFor({ state: 'hidden' });
	expect(puppet.requests('tools/call')).toHaveLength(before + 2);
});

it('fault 24: a round with an unknown kind of request is told in words that name it, and asks nothing (R08)', async () => {
	const puppet = puppets.rounds;
	const bad = { b: { method: 'sampling/createMessage', params: {} } };
	puppet.answer(await callRawServer(editor, puppets, 'rounds'), asking({ a: question('Never shown'), ...bad }));
	expect(await said(editor, 'rounds')).toEqual([expect.stringContaining('"sampling/createMessage"')]);
	await (await editor.notification('rounds: ')).dismiss();
	expect(await editor.pending().isVisible()).toBe(false);
});

it('fault 27: 10,000 tools can be searched in and called, and a changed list is noticed', async () => {
	const puppet = puppets.web;
	puppet.finish(await callRawServer(editor, puppets, 'web'));
	await structured(editor);
	await editor.closeTabs();
	puppet.tools = [...Array.from({ length: 12_000 }, (_, at) => `tool-${at}`), 'act'];
	puppet.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*10000 tools|web.*10,000 tools/);
	await editor.command('MCP Elicitation: Call Tool');
	await editor.quickInput.shows('Choose a server');
	await editor.quickInput.pick('web');
	await editor.quickInput.shows('Choose a tool');
	await editor.quickInput.fill('tool-9999');
	await editor.quickInput.pick('tool-9999');
	const call = await puppet.expect('tools/call');
	expect(call.params.name).toBe('tool-9999');
	puppet.finish(call, { found: true });
	expect(await structured(editor)).toEqual({ found: true });
	puppet.tools = ['act'];
	puppet.notify('notifications/tools/list_changed');
	await editor.treeItem(/web.*1 tool/);
});
