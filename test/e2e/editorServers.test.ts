import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { openEditor, servers, program as testServer, until } from './driver/index.ts';

const program = { command: 'node', args: ['${workspaceFolder}/server.js'] };
const address = { type: 'http', url: 'https://example.com/mcp' };

itByNight(
	'tells which servers the editor runs for its chats, too, and where, and which are offered to agent mode',
	async () => {
		const editor = await openEditor({
			machineSettings: { ...servers({ offered: testServer('sdk1') }), 'mcpElicitation.agentBridge': ['offered'] },
			settings: servers({ mine: program, remote: address, alone: { command: 'node', args: ['other.js'] } }),
			files: { '.vscode/mcp.json': JSON.stringify({ servers: { theirs: program } }) },
			editorServers: { there: address },
		});
		await editor.showViews();
		const words = 'Also run by the editor';
		expect(await editor.tooltip(await editor.treeItem(/^\s*theirs/))).toContain(`${words}: .vscode/mcp.json`);
		expect(await editor.tooltip(await editor.treeItem(/^\s*remote/))).toContain(`${words}: your mcp.json`);
		const offered = await editor.treeItem(/^\s*offered/);
		expect(await offered.innerText()).toContain('agent mode');
		expect(await editor.tooltip(offered)).toContain('Offered to agent mode; its requests appear here');
		const alone = await editor.tooltip(await editor.treeItem(/^\s*alone/));
		expect(alone).not.toContain(words);
		expect(alone).not.toContain('agent mode');

		const mine = await editor.treeItem(/^\s*mine/);
		expect(await editor.tooltip(mine)).toContain(`${words}: .vscode/mcp.json`);
		await mine.locator('.monaco-tl-twistie').click();
		const note = await editor.treeItem(words);
		expect(await editor.tooltip(note)).toContain('so it may run twice');
		await editor.screenshot('server of the editor');
		await note.click();
		await editor.page.getByRole('tab', { name: 'mcp.json' }).waitFor();
	},
);

itByNight('says once of a server that runs twice how it need not, and offers it to agent mode instead', async () => {
	// Without it, one would run in the home folder and the other one in the workspace: they would not be the same.
	const definition = { ...testServer('sdk1'), cwd: '${userHome}' };
	const editor = await openEditor({
		machineSettings: servers({ mine: definition }),
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
	await until('the view to say so', async () => (await editor.tooltip(mine)).includes('agent mode'));

	await editor.command('MCP Elicitation: Restart Server');
	await editor.treeItem(/^\s*mine.*tools/);
	expect((await editor.notifications()).filter((text) => text.includes('mine'))).toEqual([]);
});
