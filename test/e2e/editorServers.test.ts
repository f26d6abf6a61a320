import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { openEditor, servers, program as testServer, until } from './driver/index.ts';

const program = { command: 'node', args: ['${workspaceFolder}/server.js'] };
const address = { type: 'http', url: 'https://example.com/mcp' };

itByNight('tells which servers the editor runs for its chats, too, and leads to where it has them', async () => {
	const editor = await openEditor({
		settings: servers({ mine: program, remote: address, alone: { command: 'node', args: ['other.js'] } }),
		files: { '.vscode/mcp.json': JSON.stringify({ servers: { theirs: program } }) },
		editorServers: { there: address },
	});
	await editor.showViews();
	const words = 'Also run by the editor';
	expect(await editor.tooltip(await editor.treeItem(/^\s*theirs/))).toContain(`${words}: .vscode/mcp.json`);
	expect(await editor.tooltip(await editor.treeItem(/^\s*remote/))).toContain(`${words}: your mcp.json`);
	expect(await editor.tooltip(await editor.treeItem(/^\s*alone/))).not.toContain(words);

	const mine = await editor.treeItem(/^\s*mine/);
	expect(await editor.tooltip(mine)).toContain(`${words}: .vscode/mcp.json`);
	await mine.locator('.monaco-tl-twistie').click();
	const note = await editor.treeItem(words);
	expect(await editor.tooltip(note)).toContain('so it may run twice');
	await editor.screenshot('server of the editor');
	await note.click();
	await editor.page.getByRole('tab', { name: 'mcp.json' }).waitFor();
});

itByNight('says once of a server that runs twice how it need not, and offers it to agent mode instead', async () => {
	const definition = testServer('sdk1');
	const editor = await openEditor({
		machineSettings: servers({ mine: definition, own: { command: 'node', args: ['own.js'] } }),
		files: { '.vscode/mcp.json': JSON.stringify({ servers: { theirs: definition } }) },
	});
	await editor.choose('MCP Elicitation: Start Server', 'mine');
	const notice = await editor.notification('mine runs here, and in the editor for its chats (.vscode/mcp.json).');
	expect((await notice.buttons()).sort()).toEqual(['Show Definition', 'Use Agent Bridge']);
	await editor.screenshot('server that runs twice');
	await notice.press('Use Agent Bridge');
	await editor.page.getByRole('tab', { name: 'mcp.json' }).waitFor();
	await (await editor.notification('mine is offered to agent mode.')).dismiss();
	await editor.showViews();
	const mine = await editor.treeItem(/^\s*mine/);
	const words = 'Offered to agent mode; its requests appear here';
	await until('the view to say so', async () => (await editor.tooltip(mine)).includes(words));
	expect(await mine.innerText()).toContain('agent mode');
	const own = await editor.treeItem(/^\s*own/);
	expect(await editor.tooltip(own)).not.toContain('agent mode');

	await editor.command('MCP Elicitation: Restart Server');
	await editor.treeItem(/^\s*mine.*tools/);
	expect(await editor.notifications()).toEqual([]);
});
