import { afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import {
	answerIn,
	callRawServer,
	consentTo,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	openRawServer,
	type RawServer,
	structured,
} from '../driver/index.ts';
import { openEditorWith } from './rawServerFixtures.ts';

const page = (elicitationId: string) => ({
	mode: 'url',
	message: 'Please sign in',
	url: `https://login.example.com/${elicitationId}`,
	elicitationId,
});
const required = (...elicitations: unknown[]) => ({ code: -32042, message: 'Pages first', data: { elicitations } });
const completed = (elicitationId: string) => ({
	jsonrpc: '2.0',
	method: 'notifications/elicitation/complete',
	params: { elicitationId },
});

let rawServers: Readonly<
	Record<'pinnedPipe' | 'pinnedWeb' | 'choosingPipe' | 'choosingWeb' | 'pipe' | 'web', RawServer>
>;
let editor: Editor;

beforeAll(async () => {
	const old = { revision: '2025-06-18' } as const;
	rawServers = {
		pinnedPipe: await openRawServer('stdio', old),
		pinnedWeb: await openRawServer('http', old),
		choosingPipe: await openRawServer('stdio', old),
		choosingWeb: await openRawServer('http', old),
		pipe: await openRawServer('stdio'),
		web: await openRawServer('http'),
	};
	const pinned = ({ definition }: RawServer) => ({ definition: { ...definition, protocolVersion: '2025-06-18' } });
	const { pinnedPipe, pinnedWeb } = rawServers;
	editor = await openEditorWith({ ...rawServers, pinnedPipe: pinned(pinnedPipe), pinnedWeb: pinned(pinnedWeb) });
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const external of editor.externalPages()) await external.close();
	await editor.page.bringToFront();
});

describe.each([...variants('pinnedWeb', 'pinnedPipe'), ...variants('choosingPipe', 'choosingWeb')])(
	'in a session of 2025-06-18 with %s',
	(name) => {
		itByNight('a form is shown; a URL is refused with -32602, and the user is told why (D04, E07)', async () => {
			const server = rawServers[name];
			const call = await callRawServer(editor, rawServers, name);
			const refused = server.ask(page('1'), call);
			expect((await refused.response).error).toMatchObject({ code: -32602 });
			const message = await editor.notification(/was refused/);
			expect(await message.message()).toMatch(
				/The session uses protocol revision 2025-06-18, which has no elicitation in url mode\./,
			);
			await message.dismiss();
			expect(await editor.pending().isVisible()).toBe(false);
			const asked = server.ask(formOf({}, [], 'A form'), call);
			await answerIn(await formOfServer(editor, name, 'A form'), 'Decline');
			expect((await asked.response).result).toEqual({ action: 'decline' });
			server.finish(call, { done: true });
			expect(await structured(editor)).toEqual({ done: true });
		});

		itByNight('-32042 is explained as the error of the server: nobody is asked, nothing is retried (D04)', async () => {
			const server = rawServers[name];
			const call = await callRawServer(editor, rawServers, name);
			const calls = server.requests('tools/call').length;
			server.fail(call, required(page('1')));
			expect(await failureOf(editor, name)).toMatch(/protocol revision 2025-06-18, .* Its error: .*Pages first/);
			expect(await editor.pending().isVisible()).toBe(false);
			await server.fence();
			expect(server.requests('tools/call')).toHaveLength(calls);
			expect(editor.externalPages()).toEqual([]);
		});
	},
);

describe.each(variants('web', 'pipe'))('from %s', (name) => {
	itByNight(
		'fault 5: a completion in one breath with -32042 counts: nothing is asked or opened, the call is retried (U02, U10)',
		async () => {
			const server = rawServers[name];
			const call = await callRawServer(editor, rawServers, name);
			const error = { jsonrpc: '2.0', id: call.id, error: required(page('1')) };
			if (name === 'pipe') {
				server.raw(`${JSON.stringify(error)}\n${JSON.stringify(completed('1'))}\n`);
			} else {
				// The response is the last word on its stream.
				server.send(completed('1'), call);
				server.send(error);
			}
			server.finish(await server.expect('tools/call'), { again: true });
			expect(await structured(editor)).toEqual({ again: true });
			expect((await editor.notifications()).filter((text) => text.includes('Please sign in'))).toEqual([]);
			expect(editor.externalPages()).toEqual([]);
			expect(await editor.pending().isVisible()).toBe(false);
		},
	);

	itByNight('a URL that was opened for a call is not pending any more when the call has ended', async () => {
		const server = rawServers[name];
		const call = await callRawServer(editor, rawServers, name);
		const asked = server.ask(page('2'), call);
		await consentTo(editor, 'Please sign in', 'Open URL');
		await (await editor.externalPage(page('2').url)).close();
		await asked.response;
		await editor.page.bringToFront();
		await editor.pending().waitFor();
		server.finish(call, { done: true });
		expect(await structured(editor)).toEqual({ done: true });
		await editor.pending().waitFor({ state: 'hidden' });
	});
});
