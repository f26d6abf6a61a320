import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	callTool,
	failureOf,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	servers,
	until,
} from './driver/index.ts';

itByNight(
	'shows that a server has crashed, takes its elicitation away, and has the server back by itself',
	async () => {
		const server = await openRawServer('stdio', { tools: ['deploy'] });
		const editor = await openEditor({
			machineSettings: servers({ shaky: server.definition }),
			settings: { 'mcpElicitation.form.presentation': 'webview' },
		});
		await callTool(editor, { tool: 'deploy' });
		const call = await server.expect('tools/call');
		server.ask(formOf({ name: { type: 'string' } }, [], 'Who deploys?'), call);
		const form = await formOfServer(editor, 'shaky', 'Who deploys?');
		await form.getByLabel('name', { exact: true }).fill('Ada');
		server.complain('Out of memory\n');
		await server.die(7);

		expect(await failureOf(editor, 'shaky')).toMatch(/exited with code 7.*Its last output: Out of memory/s);
		await until('the elicitation to be withdrawn', () => form.getByRole('button', { name: 'Accept' }).isDisabled());
		expect(await form.getByLabel('name', { exact: true }).inputValue()).toBe('Ada');
		await editor.page.getByRole('tab', { name: 'MCP Elicitation', selected: false }).click();
		await editor.treeItem(/shaky\s*2025-11-25/);
		expect(server.pids).toHaveLength(2);
		await editor.screenshot('crashed server');
	},
);
