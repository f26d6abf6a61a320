import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { JsonObject } from '../../src/elicitation/json.ts';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { sendInitialize } from '../unit/bridge/sendInitialize.ts';
import { callTool, defineServers, extension, formIsOpen, present, run, TIMEOUT, until } from './support.ts';

const { Global } = vscode.ConfigurationTarget;

const settings = () => vscode.workspace.getConfiguration();

/** The tools of a server, as agent mode lists them. */
const tools = (server = 'sdk1') => vscode.lm.tools.filter(({ name }) => name.startsWith(`mcp_${server}_`));

/** Starts a server through VS Code, as a chat would. VS Code may not know it yet. */
async function started(server = 'sdk1'): Promise<void> {
	const end = Date.now() + TIMEOUT;
	while (tools(server).length === 0) {
		assert.ok(Date.now() < end, 'the editor does not list the tools of the server');
		const name = `mcp-elicitation.mcp-elicitation/${server}`;
		await vscode.commands.executeCommand('workbench.mcp.startServer', name, { waitForLiveTools: true });
	}
}

/** Calls a tool through VS Code as its agent does. Resolves to what the agent reads of the result. */
async function invoke(
	tool: string,
	input: JsonObject = {},
	token?: vscode.CancellationToken,
	server = 'sdk1',
): Promise<unknown> {
	const options = { input, toolInvocationToken: undefined };
	const [part] = (await vscode.lm.invokeTool(`mcp_${server}_${tool}`, options, token)).content;
	assert.ok(part instanceof vscode.LanguageModelTextPart);
	return JSON.parse(part.value);
}

const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const page = { mode: 'url', message: 'Sign in', url: 'https://login.example.com/', elicitationId: 'bridged' };

/** Consents to the only pending URL in its notification. Resolves to the URLs that were opened. */
async function consent(): Promise<string[]> {
	const opened: string[] = [];
	const { openExternal } = vscode.env;
	Object.assign(vscode.env, { openExternal: async (url: unknown) => opened.push(String(url)) > 0 });
	let pressing: NodeJS.Timeout | undefined;
	try {
		// A slow call shows a progress notification, too, and its first button cancels the call.
		await until('the page to be asked for', () => extension().exports.pending.length > 0);
		// The notification takes no click right after it has appeared, or after another one.
		pressing = setInterval(() => {
			void vscode.commands.executeCommand('notification.acceptPrimaryAction');
		}, 2 * KEY_GUARD);
		await until('the page to be opened', () => opened.length > 0);
	} finally {
		clearInterval(pressing);
		Object.assign(vscode.env, { openExternal });
	}
	return opened;
}

interface Heard {
	readonly server: Server;
	readonly request: IncomingMessage;
}

/** Captures the requests that VS Code sends to the bridge meanwhile. */
async function heardDuring(act: () => Promise<unknown>): Promise<Heard[]> {
	const heard: Heard[] = [];
	const listen = (message: unknown) => heard.push(message as Heard);
	subscribe('http.server.request.start', listen);
	try {
		await act();
	} finally {
		unsubscribe('http.server.request.start', listen);
	}
	return heard;
}

/** Captures a request that VS Code sends to the bridge. */
async function overheard(): Promise<Heard> {
	const [heard] = await heardDuring(() => invoke('complete', { elicitationId: 'nobody' }));
	return heard ?? assert.fail('the editor did not ask the bridge');
}

/** Number of ports on which this process listens. */
const listening = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;

describe('the bridge to agent mode', () => {
	before(async () => {
		await defineServers();
		await present('webview');
		await settings().update('mcpElicitation.agentBridge', ['sdk1', 'tasks'], Global);
		await started();
	});

	after(async () => {
		await settings().update('mcpElicitation.agentBridge', undefined, Global);
	});

	it('adds the tools of offered servers to those of the editor', () => {
		const names = extension()
			.exports.servers.find(({ name }) => name === 'sdk1')
			?.tools.map(({ name }) => name);
		assert.deepEqual(
			tools()
				.map(({ name }) => name.slice('mcp_sdk1_'.length))
				.sort(),
			[...(names ?? [])].sort(),
		);
	});

	it('shows a form for an elicitation of such a tool, and the response reaches the server', async () => {
		const calling = invoke('ask', { params: form });
		await formIsOpen('sdk1');
		await run('declineElicitation');
		assert.deepEqual(await calling, { action: 'decline' });
	});

	it('runs a tool as a task for the editor, which gets the result when the user has responded', async () => {
		await started('tasks');
		const heard = await heardDuring(async () => {
			const calling = invoke('order', {}, undefined, 'tasks');
			await formIsOpen('tasks');
			await run('declineElicitation');
			assert.deepEqual(await calling, { action: 'decline' });
		});
		// An ordinary call, which is all that the oldest supported version of VS Code makes, is one request; the result of a task is
		// requested when its status is known.
		assert.equal(heard.length > 1, !vscode.version.startsWith('1.105.'));
	});

	it('asks for consent to a URL and opens it in the browser', async () => {
		const calling = invoke('url', page);
		assert.deepEqual(await consent(), [page.url]);
		assert.deepEqual(await calling, { action: 'accept' });
	});

	it('resolves error -32042 before it returns the result (U10)', async () => {
		const calling = invoke('require-url', { entries: [page] });
		assert.deepEqual(await consent(), [page.url]);
		await callTool('sdk1', 'finish', { ids: [page.elicitationId] });
		assert.deepEqual(await calling, { finished: [page.elicitationId] });
	});

	it('withdraws the elicitation of a call that the agent cancels', async () => {
		const cancellation = new vscode.CancellationTokenSource();
		const outcome = assert.rejects(invoke('ask', { params: form }, cancellation.token));
		const tab = await formIsOpen('sdk1');
		cancellation.cancel();
		await outcome;
		await until('the elicitation to be withdrawn', () => extension().exports.pending.length === 0);
		await vscode.window.tabGroups.close(tab);
	});

	it('runs twenty calls at once, and each gets its own result', async () => {
		const waits = Array.from({ length: 20 }, (_, index) => 200 - 10 * index);
		const results = await Promise.all(waits.map((ms) => invoke('slow', { ms })));
		assert.deepEqual(
			results,
			waits.map((ms) => ({ ms })),
		);
	});

	it('tells the agent which server died during a call, and restarts it for the next call', async () => {
		await assert.rejects(invoke('crash', { ms: 0 }), /sdk1: /);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		assert.deepEqual(await invoke('slow', { ms: 0 }), { ms: 0 });
	});

	it('answers nobody else on this machine, and no page in a browser', async () => {
		const { server, request } = await overheard();
		const { address, port } = server.address() as AddressInfo;
		assert.equal(address, '127.0.0.1');
		const url = `http://${address}:${port}${request.url}`;
		const own = { Authorization: request.headers.authorization ?? '' };
		assert.equal(await sendInitialize(url, own), 200);
		const wrong: Record<string, string>[] = [
			{},
			{ Authorization: `${own.Authorization}x` },
			{ ...own, Host: `localhost:${port}` },
			{ ...own, Host: `rebound.example:${port}` },
			{ ...own, Origin: `http://${address}:${port}` },
		];
		for (const headers of wrong) {
			assert.equal(await sendInitialize(url, headers), 403);
		}
	});

	it('removes the tools and stops listening when the setting is turned off', async () => {
		const { server, request } = await overheard();
		const { port } = server.address() as AddressInfo;
		const before = listening();
		await settings().update('mcpElicitation.agentBridge', undefined, Global);
		// The oldest supported version of VS Code keeps listing the tools of a stopped server.
		if (!vscode.version.startsWith('1.105.')) {
			await until('no tools of the server', () => tools().length === 0);
		}
		await until('one port less', () => listening() === before - 1);
		assert.equal(server.listening, false);
		await assert.rejects(sendInitialize(`http://127.0.0.1:${port}${request.url}`, {}), /ECONNREFUSED/);
		await settings().update('mcpElicitation.agentBridge', true, Global);
		await started();
	});
});
