import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { BATCHING } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import {
	answerIn,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	puppet,
	servers,
	structured,
} from '../driver/index.ts';

const question = formOf({ a: { type: 'string' } }, [], 'Several lines\nneed a form');

async function cast() {
	return {
		pipe: await puppet(StdioPuppet.open),
		web: await puppet(HttpPuppet.open),
		batchingPipe: await puppet(StdioPuppet.open, { revision: BATCHING }),
		batchingWeb: await puppet(HttpPuppet.open, { revision: BATCHING }),
	} as const;
}

let puppets: Awaited<ReturnType<typeof cast>>;
let editor: Editor;

beforeAll(async () => {
	puppets = await cast();
	const definitions = Object.entries(puppets).map(([name, { definition }]) => [name, definition]);
	editor = await openEditor({
		settings: { 'mcpElicitation.form.presentation': 'webview' },
		machineSettings: servers(Object.fromEntries(definitions)),
	});
	await editor.showViews();
});

beforeEach(() => editor.closeTabs());

async function called(server: keyof typeof puppets) {
	await callTool(editor, { server, tool: 'act' });
	return puppets[server].expect('tools/call');
}

const create = (id: string, more: object = {}) =>
	JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: question, ...more });

describe.each(['pipe', 'web'] as const)('from %s', (server) => {
	it('a question with unknown members and odd metadata is shown, and its answer arrives (D02)', async () => {
		const puppet = puppets[server];
		const call = await called(server);
		puppet.line(create('odd', { trace: 'abc', params: { ...question, _meta: null } }), call);
		const form = await formOfServer(editor, server);
		await form.getByLabel('a', { exact: true }).fill('served');
		await answerIn(form, 'Accept');
		await puppet.until(() => puppet.responses('odd')[0]);
		expect(puppet.responses('odd').map(({ result }) => result)).toEqual([
			{ action: 'accept', content: { a: 'served' } },
		]);
		puppet.finish(call, { fine: true });
		expect(await structured(editor)).toEqual({ fine: true });
	});

	it('a malformed question gets -32600, and the person is told whose it was and what is wrong (D02)', async () => {
		const puppet = puppets[server];
		const call = await called(server);
		puppet.line(create('old', { jsonrpc: '1.0' }), call);
		const { error } = await puppet.until(() => puppet.responses('old')[0]);
		expect(error).toEqual({ code: -32600, message: '"jsonrpc" must be "2.0".' });
		const message = await editor.notification(/was refused/);
		expect(await message.message()).toMatch(new RegExp(`^${server} .*"jsonrpc" must be "2\\.0"`));
		await message.dismiss();
		puppet.finish(call, { fine: true });
		expect(await structured(editor)).toEqual({ fine: true });
	});
});

describe.each(['batchingPipe', 'batchingWeb'] as const)('from %s', (server) => {
	it('a batch with a question is answered, and the result in a batch is shown (D07)', async () => {
		const puppet = puppets[server];
		const call = await called(server);
		puppet.line(`[${create('in a batch')},{"jsonrpc":"2.0","id":"ping","method":"ping"}]`, call);
		await puppet.until(() => puppet.responses('ping')[0]);
		await answerIn(await formOfServer(editor, server), 'Decline');
		await puppet.until(() => puppet.responses('in a batch')[0]);
		expect(puppet.responses('in a batch').map(({ result }) => result)).toEqual([{ action: 'decline' }]);
		const result = { content: [{ type: 'text', text: '{"batched":true}' }], structuredContent: { batched: true } };
		puppet.line(JSON.stringify([{ jsonrpc: '2.0', id: call.id, result }]), call);
		expect(await structured(editor)).toEqual({ batched: true });
	});
});

it('a tool that is refused with status 400 and the word "session" runs once, and the person is told', async () => {
	const { web } = puppets;
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
	const message = await editor.notification(/HTTP status 400/);
	expect(await message.message()).toMatch(/^web: /);
	await message.dismiss();
	expect([sent, web.requests('initialize').length]).toEqual([1, handshakes]);
	web.refusePosts = () => undefined;
	web.finish(await called('web'), { fine: true });
	expect(await structured(editor)).toEqual({ fine: true });
});
