import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { MODERN } from '../rawServer/rawServer.ts';
import {
	answerIn,
	callTool,
	consentTo,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	structured,
} from './driver/index.ts';

const url = 'https://login.example.com/oauth%2Fstart?next=%23a';

itByNight(
	'three rounds, with a page among them, reach the server exactly: answers, state, fresh ids (R01–R03, U08, U13)',
	async () => {
		const rawServers = {
			pipe: await openRawServer('stdio', { revision: MODERN }),
			web: await openRawServer('http', { revision: MODERN }),
		};
		const editor = await openEditor({
			settings: { 'mcpElicitation.form.presentation': 'webview' },
			machineSettings: servers({ pipe: rawServers.pipe.definition, web: rawServers.web.definition }),
		});
		for (const [name, server] of Object.entries(rawServers)) {
			const ask = (inputRequests: object, requestState: string) => ({
				resultType: 'input_required',
				inputRequests,
				requestState,
			});
			const form = (message: string) => ({
				method: 'elicitation/create',
				params: formOf({ name: { type: 'string' } }, ['name'], message),
			});
			await callTool(editor, { server: name, tool: 'act' });

			const first = await server.expect('tools/call');
			server.answer(first, ask({ who: form('Who are you?') }, 'first \u0000 state'));
			const who = await formOfServer(editor, name);
			await who.getByLabel('name', { exact: true }).fill('Ada');
			await answerIn(who, 'Accept');

			const second = await server.expect('tools/call');
			const page = { method: 'elicitation/create', params: { mode: 'url', message: 'Please sign in', url } };
			server.answer(second, ask({ page, why: form('Why?') }, 'second'));
			await consentTo(editor, 'Please sign in', 'Open URL');
			await (await editor.externalPage(url)).close();
			await editor.page.bringToFront();
			await answerIn(await formOfServer(editor, name), 'Decline');

			const third = await server.expect('tools/call');
			server.answer(third, ask({ last: form('Anything else?') }, ''));
			// The page stays pending: only the end of the call tells that it was finished.
			await editor.pending().filter({ hasText: '2' }).waitFor();
			await answerIn(await formOfServer(editor, name), 'Cancel');

			const fourth = await server.expect('tools/call');
			server.finish(fourth, { done: true });
			expect(await structured(editor)).toEqual({ done: true });
			await editor.pending().waitFor({ state: 'hidden' });

			const rounds = [first, second, third, fourth];
			expect(rounds.map(({ params }) => params.inputResponses)).toEqual([
				undefined,
				{ who: { action: 'accept', content: { name: 'Ada' } } },
				{ page: { action: 'accept' }, why: { action: 'decline' } },
				{ last: { action: 'cancel' } },
			]);
			expect(rounds.map(({ params }) => params.requestState)).toEqual([undefined, 'first \u0000 state', 'second', '']);
			expect(new Set(rounds.map(({ id }) => id)).size).toBe(4);
			await editor.closeTabs();
		}
	},
);
