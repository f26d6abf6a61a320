import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { callTool, definitionsOf, openEditor, openRawServer, servers } from './driver/index.ts';

itByNight("the log messages of a server are in its log, and it is told the log's level", async () => {
	const logger = await openRawServer('stdio', { capabilities: { logging: {} } });
	const editor = await openEditor({ machineSettings: servers(definitionsOf({ logger })) });
	await callTool(editor, { tool: 'act' });
	const call = await logger.expect('tools/call');
	expect((await logger.expect('logging/setLevel')).params).toEqual({ level: 'info' });
	logger.notify('notifications/message', { level: 'warning', logger: 'db', data: 'slow $(alert) query' }, call);
	await editor.command('MCP Elicitation: Show Server Log');
	await editor.page.locator('.output-view').getByText('[warning] [db] slow $(alert) query').waitFor();
	await editor.screenshot('server log');
	await editor.choose('Developer: Set Log Level...', 'MCP: logger');
	await editor.quickInput.pick('Error');
	expect((await logger.expect('logging/setLevel')).params).toEqual({ level: 'error' });
	logger.finish(call);
});
