import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import { openEditor, program, servers } from './driver/index.ts';

it('keeps the selection and the focus on a server while it starts and stops, and unfolds what it offers', async () => {
	const editor = await openEditor({ machineSettings: servers({ sdk1: program('sdk1'), sdk2: program('sdk2') }) });
	await editor.showViews();
	const { page } = editor;
	const row = (text: RegExp) => page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
	const chosen = (text: RegExp) => row(text).and(page.locator('.selected.focused'));
	await (await editor.treeItem(/sdk2\s*stopped/)).click();
	await chosen(/sdk2\s*stopped/).waitFor();
	for (const round of ['first', 'second']) {
		await editor.command('MCP Elicitation: Start Server');
		await editor.quickInput.pick('sdk2');
		await row(/sdk2\s*2026-07-28/).waitFor();
		await chosen(/sdk2\s*2026-07-28/)
			.and(page.locator('[aria-expanded="true"]'))
			.waitFor();
		await row(/^\s*Tools/)
			.first()
			.waitFor();
		await editor.screenshot(`servers view ${round} start`);
		await editor.command('MCP Elicitation: Stop Server');
		await chosen(/sdk2\s*stopped/).waitFor();
	}
	await row(/sdk1\s*stopped/).waitFor();
});

it('restarts a server that has failed from the palette as well as from its menu', async () => {
	const [script = ''] = program('sdk1').args as string[];
	const mended = join(await mkdtemp(join(tmpdir(), 'mcp-elicitation-mended-')), 'mended');
	const start = 'require("fs").existsSync(process.argv[1]) ? import(process.argv[2]) : process.exit(1)';
	const frail = { command: process.execPath, args: ['-e', start, mended, script] };
	const editor = await openEditor({ machineSettings: servers({ frail }) });
	await editor.showViews();
	await editor.treeItem(/frail\s*stopped/);
	await editor.command('MCP Elicitation: Start Server');
	await editor.treeItem(/frail\s*failed/);
	await writeFile(mended, '');
	await editor.command('MCP Elicitation: Restart Server');
	await editor.treeItem(/frail\s*2025-11-25/);
});
