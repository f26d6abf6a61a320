import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ClientCapabilities, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { wordsOf } from '../../src/config/commandLine.ts';
import { itByNight } from '../nightly.ts';
import { answerIn, type Editor, formOf, formOfServer, openEditor, program, servers, until } from './driver/index.ts';

const OFFER = 'MCP Elicitation: Offer Server to Another Client…';
const RECORD = 'Record Another Client…';

/** Another client, on the official SDK, which starts a command line. */
async function otherClient(commandLine: string, capabilities: ClientCapabilities = {}): Promise<Client> {
	const [command = '', ...args] = wordsOf(commandLine) ?? [];
	const client = new Client({ name: 'agent', version: '1' }, { capabilities });
	onTestFinished(() => client.close());
	await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
	return client;
}

/** Picks from the list of clients, which may be longer than what is shown of it. */
function choose(editor: Editor, label: string): Promise<unknown> {
	return until(`${label} to be chosen`, async (moment) => {
		await editor.command(OFFER);
		return editor.quickInput.takes('The client that is to have it', label, moment);
	});
}

itByNight(
	'lets another client call a tool, whose request is answered here, until the server is offered no more',
	async () => {
		const editor = await openEditor({ machineSettings: servers({ mine: program('sdk1') }) });
		await choose(editor, 'Any Other Client');
		await (await editor.notification('Copied. Paste it where')).dismiss();
		const copied = await editor.page.evaluate(() => navigator.clipboard.readText());
		const client = await otherClient(copied);

		// Who asks is let in once, by the user.
		const modal = await editor.modal();
		expect(await modal.message()).toBe('Let another client, "agent", use the MCP server "mine"?');
		expect(await modal.detail()).toContain('It can then call every tool of this server without asking you.');
		await editor.screenshot('another client asks');
		await modal.press('Allow');
		const args = { params: formOf({ name: { type: 'string' } }) };
		await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain('ask');
		const calling = client.callTool({ name: 'ask', arguments: args });
		const form = await formOfServer(editor, 'mine');
		expect(await form.getByText('called by "agent"').count()).toBe(1);
		await editor.screenshot('form for another client');
		await form.getByLabel('name').fill('Ada');
		await answerIn(form, 'Accept');
		expect(JSON.stringify(await calling)).toContain('Ada');

		await choose(editor, 'Stop Offering It');
		await expect
			.poll(() => client.callTool({ name: 'ask', arguments: args }).catch(String))
			.toContain('No window of the editor');
	},
);

itByNight(
	'adds the definition to a file of the workspace once its change was shown, and does not list it itself',
	async () => {
		const editor = await openEditor({
			machineSettings: servers({ mine: program('sdk1') }),
			files: { '.mcp.json': '{\n\t// Ours.\n\t"mcpServers": {}\n}\n' },
		});
		await editor.choose(OFFER, 'Adds it to .mcp.json of this workspace');
		const notice = await editor.notification('This adds "mine" to .mcp.json.');
		await editor.screenshot('definition for another client');
		await notice.press('Save');
		const written = () => readFile(join(editor.workspace, '.mcp.json'), 'utf8');
		await expect.poll(written).toContain('"connect"');
		expect(await written()).toContain('// Ours.');
		await editor.showViews();
		await editor.treeItem(/^\s*mine/);
		expect(await editor.page.locator('.pane-body .monaco-list-row').filter({ hasText: 'mine' }).count()).toBe(1);
	},
);

itByNight('records what another client and a server say, and shows it while it grows', async () => {
	const editor = await openEditor({ machineSettings: servers({ mine: program('sdk1') }) });
	await editor.showViews();
	await editor.chooseFromMenu(/^\s*mine/, RECORD);
	await until('the client to be chosen', (moment) =>
		editor.quickInput.takes('The client that is to have it', 'Any Other Client', moment),
	);
	await (await editor.notification('Copied. Paste it where')).dismiss();
	const copied = await editor.page.evaluate(() => navigator.clipboard.readText());
	const client = await otherClient(copied, { elicitation: {} });
	client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
	const args = { params: formOf({ name: { type: 'string' } }) };
	await client.callTool({ name: 'ask', arguments: args });
	const timeline = await editor.frameOf('treeitem', /ask/);
	await timeline.getByText(/· agent 1 ▸ mine$/).waitFor();
	await editor.screenshot('recording of another client');
});
