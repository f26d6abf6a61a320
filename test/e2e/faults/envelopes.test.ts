import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight, variants } from '../../nightly.ts';
import { BATCHING } from '../../rawServer/rawServer.ts';
import {
	answerIn,
	callRawServer,
	callTool,
	type Editor,
	failureOf,
	formOf,
	formOfServer,
	openRawServer,
	structured,
} from '../driver/index.ts';
import { openEditorWith } from './rawServerFixtures.ts';

const elicitation = formOf({ a: { type: 'string' } }, [], 'Several lines\nneed a form');

async function open() {
	return {
		pipe: await openRawServer('stdio'),
		web: await openRawServer('http'),
		batchingPipe: await openRawServer('stdio', { revision: BATCHING }),
		batchingWeb: await openRawServer('http', { revision: BATCHING }),
	} as const;
}

let rawServers: Awaited<ReturnType<typeof open>>;
let editor: Editor;

beforeAll(async () => {
	rawServers = await open();
	editor = await openEditorWith(rawServers);
});

beforeEach(() => editor.closeTabs());

const create = (id: string, more: object = {}) =>
	JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: elicitation, ...more });

describe.each(variants('web', 'pipe'))('from %s', (server) => {
	itByNight('an elicitation with unknown members and odd metadata is shown, and its answer arrives (D02)', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		rawServer.line(create('odd', { trace: 'abc', params: { ...elicitation, _meta: null } }), call);
		const form = await formOfServer(editor, server);
		await form.getByLabel('a', { exact: true }).fill('served');
		await answerIn(form, 'Accept');
		await rawServer.until(() => rawServer.responses('odd')[0]);
		expect(rawServer.responses('odd').map(({ result }) => result)).toEqual([
			{ action: 'accept', content: { a: 'served' } },
		]);
		rawServer.finish(call, { fine: true });
		expect(await structured(editor)).toEqual({ fine: true });
	});

	itByNight(
		'a malformed elicitation gets -32600, and the user is told whose it was and what is wrong (D02)',
		async () => {
			const rawServer = rawServers[server];
			const call = await callRawServer(editor, rawServers, server);
			rawServer.line(create('old', { jsonrpc: '1.0' }), call);
			const { error } = await rawServer.until(() => rawServer.responses('old')[0]);
			expect(error).toEqual({ code: -32600, message: '"jsonrpc" must be "2.0".' });
			const message = await editor.notification(/was refused/);
			expect(await message.message()).toMatch(new RegExp(`^${server} .*"jsonrpc" must be "2\\.0"`));
			await message.dismiss();
			rawServer.finish(call, { fine: true });
			expect(await structured(editor)).toEqual({ fine: true });
		},
	);
});

describe.each(variants('batchingPipe', 'batchingWeb'))('from %s', (server) => {
	itByNight('a batch with an elicitation is answered, and the result in a batch is shown (D07)', async () => {
		const rawServer = rawServers[server];
		const call = await callRawServer(editor, rawServers, server);
		rawServer.line(`[${create('in a batch')},{"jsonrpc":"2.0","id":"ping","method":"ping"}]`, call);
		await rawServer.until(() => rawServer.responses('ping')[0]);
		await answerIn(await formOfServer(editor, server), 'Decline');
		await rawServer.until(() => rawServer.responses('in a batch')[0]);
		expect(rawServer.responses('in a batch').map(({ result }) => result)).toEqual([{ action: 'decline' }]);
		const result = { content: [{ type: 'text', text: '{"batched":true}' }], structuredContent: { batched: true } };
		rawServer.line(JSON.stringify([{ jsonrpc: '2.0', id: call.id, result }]), call);
		expect(await structured(editor)).toEqual({ batched: true });
	});
});

itByNight('a tool that is refused with status 400 and the word "session" runs once, and the user is told', async () => {
	const { web } = rawServers;
	const handshakes = web.requests('initialize').length;
	let sent = 0;
	web.refusePosts = ({ id, method }) => {
		if (method !== 'tools/call') return undefined;
		sent++;
		const body = JSON.stringify({
			jsonrpc: '2.0',
			id,
			error: { code: -32602, message: 'No browser session named "x"' },
		});
		return { status: 400, body };
	};
	await callTool(editor, { server: 'web', tool: 'act' });
	expect(await failureOf(editor, 'web')).toContain('HTTP status 400');
	expect([sent, web.requests('initialize').length]).toEqual([1, handshakes]);
	web.refusePosts = () => undefined;
	web.finish(await callRawServer(editor, rawServers, 'web'), { fine: true });
	expect(await structured(editor)).toEqual({ fine: true });
});
