import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languageModelToolIds, languageModelToolName } from '../../src/editor/common/contributions.ts';
import { defineServers, formIsClosed, formIsOpen, present, run } from './support.ts';

const elicitation = {
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } },
};

/** Uses a tool as a model outside of a chat does. In test runs VS Code skips the confirmation. */
async function use(
	id: (typeof languageModelToolIds)[number],
	input: object,
	token?: vscode.CancellationToken,
): Promise<string[]> {
	const options = { input, toolInvocationToken: undefined };
	const { content } = await vscode.lm.invokeTool(languageModelToolName(id), options, token);
	return content.map((part) => {
		assert.ok(part instanceof vscode.LanguageModelTextPart);
		return part.value;
	});
}

interface Listed {
	readonly servers: readonly {
		readonly name: string;
		readonly state: string;
		readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
	}[];
}

async function list(input: object): Promise<Listed['servers']> {
	const [json = ''] = await use('listTools', input);
	return (JSON.parse(json) as Listed).servers;
}

describe('language model tools', () => {
	before(async () => {
		await defineServers();
		await present('webview');
	});

	it('are registered with an input schema', () => {
		for (const id of languageModelToolIds) {
			const tool = vscode.lm.tools.find(({ name }) => name === languageModelToolName(id));
			assert.ok(tool?.inputSchema, id);
			assert.match(tool.description, /MCP/);
		}
	});

	it('list all servers without starting any', async () => {
		await run('stopServer', 'demo');
		const servers = await list({});
		assert.deepEqual(
			['demo', 'example', 'sdk1'].filter((wanted) => !servers.some(({ name }) => name === wanted)),
			[],
		);
		assert.deepEqual(
			servers.find(({ name }) => name === 'demo'),
			{ name: 'demo', state: 'stopped', tools: [] },
		);
	});

	it('start a named server and list its tools', async () => {
		const [demo, ...others] = await list({ server: 'demo' });
		assert.deepEqual([demo?.name, demo?.state, others.length], ['demo', 'running', 0]);
		const echo = demo?.tools.find(({ name }) => name === 'echo');
		assert.equal(typeof echo?.description, 'string');
		assert.ok(echo && 'properties' in echo.inputSchema);
	});

	it('call a tool and return its result', async () => {
		const args = { text: 'hello', number: 0, boolean: false };
		const texts = await use('callTool', { server: 'demo', tool: 'echo', arguments: args });
		assert.ok(
			texts.some((text) => JSON.stringify(parsed(text)) === JSON.stringify(args)),
			texts.join('\n'),
		);
	});

	it('say that a tool failed, and why', async () => {
		assert.deepEqual(await use('callTool', { server: 'sdk1', tool: 'fail' }), [
			'{"isError":true}',
			'It failed as a tool.',
		]);
	});

	it('leave elicitations to the user', async () => {
		const called = use('callTool', { server: 'sdk1', tool: 'ask', arguments: { params: elicitation } });
		await formIsOpen('sdk1');
		await run('declineElicitation');
		assert.deepEqual((await called).map(parsed), [{ action: 'decline' }]);
		await formIsClosed('sdk1');
	});

	it('withdraw elicitations when the call is cancelled', async () => {
		const cancel = new vscode.CancellationTokenSource();
		const input = { server: 'sdk1', tool: 'ask', arguments: { params: elicitation } };
		const outcome = assert.rejects(use('callTool', input, cancel.token), /Canceled/);
		const tab = await formIsOpen('sdk1');
		cancel.cancel();
		await outcome;
		await vscode.window.tabGroups.close(tab);
		await formIsClosed('sdk1');
	});

	it('fail with a sentence that names the server', async () => {
		await assert.rejects(list({ server: 'nobody' }), /nobody: There is no server with this name\./);
		await assert.rejects(
			use('callTool', { server: 'nobody', tool: 'echo' }),
			/nobody: There is no server with this name\./,
		);
		await assert.rejects(use('callTool', { server: 'demo', tool: 'no-such-tool' }), /demo: .*no-such-tool/);
		const input = { server: 'demo', tool: 'echo', arguments: [] };
		await assert.rejects(use('callTool', input), /The arguments of a tool are an object\./);
	});
});

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
