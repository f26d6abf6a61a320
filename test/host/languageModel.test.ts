import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languageModelToolIds, languageModelToolName } from '../../src/editor/common/contributions.ts';
import { defineServers, run, useTool } from './support.ts';

interface Listed {
	readonly name: string;
	readonly state: string;
	readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
}

async function list(input: object): Promise<readonly Listed[]> {
	const [json = ''] = await useTool('listTools', input);
	return JSON.parse(json).servers;
}

describe('language model tools', () => {
	before(defineServers);

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

	it('start a named server and list its tools, if there is one', async () => {
		const [demo, ...others] = await list({ server: 'demo' });
		assert.deepEqual([demo?.name, demo?.state, others.length], ['demo', 'running', 0]);
		const echo = demo?.tools.find(({ name }) => name === 'echo');
		assert.equal(typeof echo?.description, 'string');
		assert.ok(echo && 'properties' in echo.inputSchema);
		await assert.rejects(list({ server: 'nobody' }), /nobody: There is no server with this name\./);
	});
});
