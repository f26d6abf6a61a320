import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	formOf,
	formOfServer,
	openEditor,
	openRawServer,
	proxy,
	servers,
	structured,
} from './driver/index.ts';

/** A host that only the proxy knows. */
const HOST = 'mcp.test.invalid';

itByNight(
	'reaches a server through the proxy that the editor is configured with, and says in words when the proxy does not',
	async () => {
		const server = await openRawServer('http', { tools: ['deploy'] });
		const between = await proxy(String(server.definition['url']));
		const editor = await openEditor({
			userSettings: { 'http.proxy': between.url, 'http.proxySupport': 'on' },
			machineSettings: servers({ far: { type: 'http', url: `http://${HOST}/mcp` } }),
			settings: { 'mcpElicitation.form.presentation': 'webview' },
		});
		await callTool(editor, { tool: 'deploy' });
		const call = await server.expect('tools/call');
		const elicitation = server.ask(formOf({ name: { type: 'string' } }, [], 'Who deploys?'), call);
		await answerIn(await formOfServer(editor, 'far', 'Who deploys?'), 'Decline');
		expect((await elicitation.response)['result']).toEqual({ action: 'decline' });
		server.finish(call, { deployed: true });
		expect(await structured(editor)).toEqual({ deployed: true });
		// The editor itself asks for other hosts.
		expect(between.log.join('\n')).toContain(HOST);

		await editor.command('MCP Elicitation: Stop Server');
		between.refuse();
		await editor.command('MCP Elicitation: Start Server');
		const error = await editor.notification('far');
		expect(await error.message()).toContain(`http://${HOST}/mcp responded with HTTP status 502. Try again later`);
	},
);
