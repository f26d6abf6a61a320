import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	type Editor,
	failureOf,
	formOfServer,
	openEditor,
	resultOf,
	servers,
	until,
} from './driver/index.ts';

const sdk = (module: string) =>
	JSON.stringify(String(pathToFileURL(createRequire(import.meta.url).resolve(`@modelcontextprotocol/sdk/${module}`))));

/** A server under development, which notes each of its starts. */
const program = (greeting: string, field = 'name') => `
import { appendFileSync } from 'node:fs';
import { McpServer } from ${sdk('server/mcp.js')};
import { StdioServerTransport } from ${sdk('server/stdio.js')};

appendFileSync(new URL('starts', import.meta.url), '.');
const server = new McpServer({ name: 'greeter', version: '1.0.0' });
const requestedSchema = { type: 'object', properties: { ${field}: { type: 'string' } } };
server.registerTool('greet', {}, async () => {
	const { content } = await server.server.elicitInput({ message: 'Who are you?', requestedSchema });
	return { content: [{ type: 'text', text: '${greeting}, ' + content?.${field} }] };
});
server.registerTool('stop', {}, async () => {
	debugger;
	return { content: [{ type: 'text', text: 'gone on' }] };
});
await server.connect(new StdioServerTransport());
`;

/** A server whose one task outlives its process. It notes each call of its tool. */
const lasting = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const note = (file) => appendFileSync(new URL(file, import.meta.url), '.');
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const at = '2026-01-01T00:00:00Z';
const task = (status) => ({ taskId: 'order', status, createdAt: at, lastUpdatedAt: at, ttl: null, pollInterval: 100 });
const request = {
	message: 'What will it be?',
	requestedSchema: { type: 'object', properties: { drink: { type: 'string' } } },
	_meta: { 'io.modelcontextprotocol/related-task': { taskId: 'order' } },
};
const results = {
	initialize: () => ({
		protocolVersion: '2025-11-25',
		serverInfo: { name: 'bar', version: '1.0.0' },
		capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
	}),
	'tools/list': () => ({
		tools: [{ name: 'order', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
	}),
	'tools/call': () => (note('calls'), { task: task('working') }),
	'tasks/get': () => task('input_required'),
};
let polled;
note('starts');
for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, result } = JSON.parse(line);
	if (method === 'tasks/result') {
		polled = id;
		send({ id: 'request', method: 'elicitation/create', params: request });
	} else if (id === 'request') {
		send({ id: polled, result: { content: [{ type: 'text', text: 'Here is your ' + result.content.drink }] } });
	} else if (id !== undefined) {
		const reply = results[method];
		send({ id, ...(reply ? { result: reply() } : { error: { code: -32601, message: 'Method not found' } }) });
	}
}
`;

/** Opens a window in which the server runs. A reused window would be told late of the files that it got: as of changes. */
async function openWith(dev: object, settings: object = {}, server = program('Hello')): Promise<Editor> {
	const greeter = { command: process.execPath, args: ['server.mjs'], dev };
	const editor = await openEditor({
		files: { 'server.mjs': server },
		settings: { 'mcpElicitation.form.presentation': 'webview', ...servers({ greeter }), ...settings },
		debugger: 'debug' in dev,
	});
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.startConsent()).press('Start Server');
	await until('the first start', async () => (await noted(editor, 'starts').catch(() => 0)) > 0);
	return editor;
}

const write = ({ workspace }: Editor, file: string, text: string) => writeFile(join(workspace, file), text);

/** How often the server has noted something. */
const noted = async ({ workspace }: Editor, file: 'starts' | 'calls') =>
	(await readFile(join(workspace, file), 'utf8')).length;

async function greetAs(editor: Editor, name: string): Promise<void> {
	await callTool(editor, { tool: 'greet' });
	const form = await formOfServer(editor, 'greeter');
	await form.getByLabel('name').fill(name);
	await answerIn(form, 'Accept');
}

itByNight(
	'replays the last call when a watched file has changed, and tells whether it ended differently or waits for the user',
	async () => {
		const editor = await openWith({ watch: '*.mjs', replay: true });
		await greetAs(editor, 'Ada');
		expect(await resultOf(editor, 'Hello, Ada')).toBe('Hello, Ada');

		await write(editor, 'server.mjs', program('Good morning'));
		const words = 'greeter: The replay of greet has ended differently.';
		await editor.notification(words);
		expect(await noted(editor, 'starts')).toBe(2);
		await editor.screenshot('replay that ended differently');

		// Nobody has closed the notification.
		await write(editor, 'server.mjs', program('Hello'));
		await editor.statusBar('greeter: The replay of greet has ended as before.');

		await write(editor, 'server.mjs', program('Good evening'));
		await (await editor.notification(words)).press('Compare');
		await editor.page.getByRole('tab', { name: /greeter · greet/ }).waitFor();
		await editor.closeTabs();

		// A replay that waits for the user is given up when the file changes again.
		await write(editor, 'server.mjs', program('Hello', 'nickname'));
		const form = await formOfServer(editor, 'greeter');
		await form.getByLabel('nickname').waitFor();
		const left = 'greeter: This request is left to you. The replayed call did not get this request.';
		await editor.notification(left);
		await write(editor, 'server.mjs', program('Hello'));
		await editor.statusBar('greeter: The replay of greet has ended as before.');
		await until('the notification of the request to go', async () => !(await editor.notifications()).includes(left));
		expect((await editor.notifications()).filter((text) => text.includes('failed'))).toEqual([]);
		expect(await editor.page.getByRole('tab', { name: /failed/ }).count()).toBe(0);
	},
);

itByNight('restarts while a form is open, and not when an excluded file changes', async () => {
	const editor = await openWith({ watch: ['*.mjs', '!built.mjs'] });
	await callTool(editor, { tool: 'greet' });
	await formOfServer(editor, 'greeter');
	await write(editor, 'built.mjs', '');
	const form = await formOfServer(editor, 'greeter');
	await form.getByLabel('name').fill('Ada');
	expect(await noted(editor, 'starts')).toBe(1);

	await write(editor, 'server.mjs', program('Good morning'));
	expect(await failureOf(editor, 'greeter')).toContain('The server was stopped while "greet" was running.');
	await until('the second start', async () => (await noted(editor, 'starts')) === 2);
	await editor.closeTabs();
	await greetAs(editor, 'Ada');
	expect(await resultOf(editor, 'Good morning, Ada')).toBe('Good morning, Ada');
});

itByNight('leaves the focus to who goes on editing the server while its call fails and is replayed', async () => {
	const editor = await openWith({ watch: '*.mjs', replay: true });
	await callTool(editor, { tool: 'greet' });
	await formOfServer(editor, 'greeter');
	await editor.openFile('server.mjs');
	const lines = editor.page.locator('.editor-instance .view-lines');
	await lines.click();
	await editor.page.keyboard.press('Control+End');
	await editor.page.keyboard.type('// saved');
	await editor.page.keyboard.press('Control+S');
	await until('the second start', async () => (await noted(editor, 'starts')) === 2);
	await editor.page.getByRole('tab', { name: 'greet: failed' }).waitFor();
	const form = await formOfServer(editor, 'greeter');
	await editor.page.keyboard.type(' and more');
	await lines.getByText('// saved and more').waitFor();
	expect(await form.getByLabel('name').inputValue()).toBe('');

	await editor.page.keyboard.press('Control+S');
	await until('the third start', async () => (await noted(editor, 'starts')) === 3);
	await until('the form of the next replay', async () => {
		const next = await formOfServer(editor, 'greeter');
		return next.getByRole('button', { name: 'Accept' }).isEnabled();
	});
	// The form of the call that the user made was hidden and untouched, so it went with its call.
	expect(await editor.page.getByRole('tab', { name: 'greeter' }).count()).toBe(1);
});

itByNight('resumes a task that waits for input after a restart; its tool is called once', async () => {
	const editor = await openWith({ watch: '*.mjs' }, {}, lasting);
	await callTool(editor, { tool: 'order' });
	await formOfServer(editor, 'greeter');
	await write(editor, 'server.mjs', `${lasting}// changed`);
	const waiting = await editor.notification('1 call is waiting for you: "order" on greeter');
	await until('the second start', async () => (await noted(editor, 'starts')) === 2);
	await editor.screenshot('task that waits after a restart');
	await editor.closeTabs();
	await waiting.press('Resume');
	const form = await formOfServer(editor, 'greeter');
	await form.getByLabel('drink').fill('tea');
	await answerIn(form, 'Accept');
	expect(await resultOf(editor, 'Here is your tea')).toBe('Here is your tea');
	expect(await noted(editor, 'calls')).toBe(1);
});

itByNight('attaches a debugger; time at a breakpoint counts against nobody, and a restart keeps it', async () => {
	const editor = await openWith({ watch: '*.mjs', debug: { type: 'node' } }, { 'mcpElicitation.callTimeout': 2 });
	await editor.showViews();
	await editor.chooseFromMenu(/^greeter/, 'Debug Server');
	// It stops a server that a call would have started meanwhile.
	await editor.page.locator('.debug-toolbar').waitFor();
	// Otherwise the key is pressed again while its list waits for the server, and there are two lists.
	await until('the start with the debugger', async () => (await noted(editor, 'starts')) > 1);
	await callTool(editor, { tool: 'stop' });
	const goOn = editor.page.getByRole('button', { name: /^Continue/ });
	await goOn.waitFor();
	await editor.screenshot('server at a breakpoint');
	const since = Date.now();
	await until('twice the time that the server has', async () => Date.now() - since > 4000);
	await goOn.click();
	expect(await resultOf(editor, 'gone on')).toBe('gone on');

	await callTool(editor, { tool: 'stop' });
	await goOn.waitFor();
	await write(editor, 'server.mjs', program('Good morning'));
	expect(await failureOf(editor, 'greeter')).toContain('The server was stopped while "stop" was running.');
	await callTool(editor, { tool: 'stop' });
	await goOn.waitFor();
	await goOn.click();
	expect(await resultOf(editor, 'gone on')).toBe('gone on');
});
