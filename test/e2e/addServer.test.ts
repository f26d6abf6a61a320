import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { type Editor, program, reuseEditor, servers, until } from './driver/index.ts';

const read = async ({ workspace }: Editor, file: string) => JSON.parse(await readFile(join(workspace, file), 'utf8'));

/** Waits until a file of the workspace holds a server of this name, and gives its definition. */
async function written(editor: Editor, file: string, member: string, name: string): Promise<unknown> {
	const { definition } = await until(`${name} in ${file}`, async () => {
		const definition = (await read(editor, file).catch(() => ({})))[member]?.[name];
		return definition !== undefined && { definition };
	});
	return definition;
}

itByNight('adds a program by its command line to the settings, and starts it', async () => {
	const { command, args } = program('sdk1') as { command: string; args: string[] };
	const editor = await reuseEditor({ settings: servers({ old: { command: 'node' } }) });
	await editor.command('MCP Elicitation: Add Server…');
	await editor.quickInput.shows('Command line, URL, or JSON');
	await editor.screenshot('add server box');
	await editor.quickInput.fill('GREETING=Hello');
	await editor.quickInput.entry('Enter a command.').waitFor();
	await editor.quickInput.fill(`GREETING="Hello there" "${command}" '${args[0]}' --flag`);
	await editor.quickInput.entry(`Run "${command}" with 2 arguments over stdio`).waitFor();
	await editor.screenshot('add server command');
	await editor.quickInput.accept();
	await editor.quickInput.shows('The name under which');
	expect(await editor.quickInput.input.inputValue()).toBe('sdk1');
	await editor.quickInput.press('Back');
	await editor.quickInput.entry('with 2 arguments').waitFor();
	await editor.quickInput.accept();
	await editor.quickInput.shows('The name under which');
	await editor.quickInput.fill('old');
	await editor.quickInput.shows('A server with this name already exists in the settings of this workspace.');
	await editor.quickInput.enter('added');
	await editor.quickInput.shows('Where should');
	expect(await editor.quickInput.entries()).toEqual(['User settings', 'Workspace settings', '.vscode/mcp.json']);
	await editor.screenshot('add server place');
	await editor.quickInput.pick('Workspace settings');
	expect(await written(editor, '.vscode/settings.json', 'mcpElicitation.servers', 'added')).toEqual({
		command,
		args: [args[0], '--flag'],
		env: { GREETING: 'Hello there' },
	});
	expect(await written(editor, '.vscode/settings.json', 'mcpElicitation.servers', 'old')).toEqual({ command: 'node' });
	const notification = await editor.notification('"added" was added to the settings of this workspace.');
	await editor.screenshot('add server done');
	await notification.press('Start Server');
	await (await editor.startConsent()).press('Start Server');
	await editor.treeItem(/added\s*2025-11-25/);
});

itByNight('adds what was copied from elsewhere, with the inputs that it uses, to a file with comments', async () => {
	const token = { id: 'token', type: 'promptString', description: 'A token', password: true };
	const copied = {
		mcpServers: {
			one: { command: 'node', args: ['one.js'], env: { TOKEN: '${input:token}' } },
			two: { type: 'http', url: 'https://two.example/mcp' },
			three: { command: 'node' },
		},
		inputs: [token, { id: 'unused', type: 'promptString' }],
	};
	const editor = await reuseEditor({
		files: { '.vscode/mcp.json': '{\n  // Ours.\n  "servers": {\n    "old": { "command": "node" },\n  },\n}\n' },
	});
	// Only a page with the focus may write, and the webview of the test before may have had it.
	await editor.page.bringToFront();
	await editor.page.evaluate(
		(text) => {
			window.focus();
			return navigator.clipboard.writeText(text);
		},
		JSON.stringify(copied, undefined, 2),
	);
	await editor.command('MCP Elicitation: Add Server…');
	await editor.quickInput.shows('Command line, URL, or JSON');
	await editor.quickInput.entry(/JSON definition of 3 servers.*from the clipboard/s).waitFor();
	await editor.quickInput.fill('{"mcpServers": {"one": {"command": "node", "args": "x"}}}');
	await editor.quickInput.entry('one: "args" must be a list of strings.').waitFor();
	await editor.screenshot('add server json');
	await editor.quickInput.fill('');
	await editor.quickInput.entry('JSON definition of 3 servers').waitFor();
	await editor.quickInput.accept();
	await editor.quickInput.shows('Which servers');
	await editor.quickInput.pick('three');
	await editor.quickInput.element.getByRole('button', { name: 'OK' }).click();
	await editor.quickInput.shows('Where should');
	await editor.quickInput.pick('.vscode/mcp.json');
	await (await editor.notification('"one" and 1 more were added to .vscode/mcp.json.')).press('Show Definition');
	await editor.page.getByRole('tab', { name: 'mcp.json' }).waitFor();
	const text = await readFile(join(editor.workspace, '.vscode/mcp.json'), 'utf8');
	expect(text).toContain('// Ours.');
	const plain = JSON.parse(text.replace('// Ours.', '').replace(/,(\s*})/g, '$1'));
	expect(plain).toEqual({
		servers: { old: { command: 'node' }, one: copied.mcpServers.one, two: copied.mcpServers.two },
		inputs: [token],
	});
	for (const name of ['old', 'one', 'two']) {
		await editor.treeItem(new RegExp(`${name}\\s*stopped`));
	}
});

itByNight('opens the box without waiting for a browser that does not share the clipboard', async () => {
	const editor = await reuseEditor({});
	const context = editor.page.context();
	await context.clearPermissions();
	try {
		await editor.command('MCP Elicitation: Add Server…');
		await editor.quickInput.shows('Command line, URL, or JSON');
		await editor.quickInput.fill('localhost:3000');
		await editor.quickInput.entry('Connect to http://localhost:3000').waitFor();
		await editor.notification("Unable to read from the browser's clipboard");
	} finally {
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	}
});
