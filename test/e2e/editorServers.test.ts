import { expect, it } from 'vitest';
import { openEditor, servers } from './driver/index.ts';

const program = { command: 'node', args: ['${workspaceFolder}/server.js'] };
const address = { type: 'http', url: 'https://example.com/mcp' };

it('tells which servers the editor runs for its chats, too, and leads to where it has them', async () => {
	const editor = await openEditor({
		settings: servers({ mine: program, remote: address, alone: { command: 'node', args: ['other.js'] } }),
		files: { '.vscode/mcp.json': JSON.stringify({ servers: { theirs: program } }) },
		editorServers: { there: address },
	});
	await editor.command('MCP Elicitation: Focus on Servers View');
	const words = 'Also run by the editor';
	expect(await editor.tooltip(await editor.treeItem(/^\s*theirs/))).toContain(`${words}: .vscode/mcp.json`);
	expect(await editor.tooltip(await editor.treeItem(/^\s*remote/))).toContain(`${words}: your mcp.json`);
	expect(await editor.tooltip(await editor.treeItem(/^\s*alone/))).not.toContain(words);

	const mine = await editor.treeItem(/^\s*mine/);
	expect(await editor.tooltip(mine)).toContain(`${words}: .vscode/mcp.json`);
	await mine.locator('.monaco-tl-twistie').click();
	const note = await editor.treeItem(words);
	expect(await editor.tooltip(note)).toContain('In use by both, it runs twice');
	await editor.screenshot('server of the editor');
	await note.click();
	await editor.page.getByRole('tab', { name: 'mcp.json' }).waitFor();
});
