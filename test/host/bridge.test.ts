import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { defineServers, extension, formIsOpen, present, run, until } from './support.ts';

const { Global } = vscode.ConfigurationTarget;

/** How long the editor may take to list them (milliseconds). */
const PATIENCE = 20_000;

/** What the editor calls a server that an extension provides. */
const SERVER = 'mcp-elicitation.mcp-elicitation/sdk1';

const settings = () => vscode.workspace.getConfiguration();

/** The tools of the server, as agent mode knows them. */
const tools = () => vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_sdk1_'));

/** Has the editor start the server, as a chat would; it may not have heard of it yet. */
async function started(): Promise<void> {
	const end = Date.now() + PATIENCE;
	while (tools().length === 0) {
		assert.ok(Date.now() < end, 'the editor does not list the tools of the server');
		await vscode.commands.executeCommand('workbench.mcp.startServer', SERVER, { waitForLiveTools: true });
	}
}

describe('the bridge to agent mode', () => {
	before(async () => {
		await defineServers();
		await present('webview');
		await settings().update('mcpElicitation.agentBridge', ['sdk1'], Global);
		await started();
	});

	after(async () => {
		await settings().update('mcpElicitation.agentBridge', undefined, Global);
	});

	it('has the tools of the servers that are offered among those of the editor', () => {
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

	it('shows our form for what such a tool asks, and its answer reaches the server', async () => {
		const requestedSchema = { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } };
		const input = { params: { message: 'Who?', requestedSchema } };
		const calling = vscode.lm.invokeTool('mcp_sdk1_ask', { input, toolInvocationToken: undefined });
		await formIsOpen('sdk1');
		await run('declineElicitation');
		const [part] = (await calling).content;
		assert.ok(part instanceof vscode.LanguageModelTextPart);
		assert.deepEqual(JSON.parse(part.value), { action: 'decline' });
	});

	it('takes them away again when the setting is turned off', async () => {
		await settings().update('mcpElicitation.agentBridge', undefined, Global);
		await until('no tools of the server', () => tools().length === 0);
		await settings().update('mcpElicitation.agentBridge', true, Global);
		await started();
	});
});
