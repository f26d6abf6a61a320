import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Definition, openEditor, program, servers, until } from './driver/index.ts';

/** A server that leaves a file behind as soon as it runs. */
function marking({ args = [], ...more }: Definition & { args?: readonly string[] } = {}): Definition {
	const { command, args: own } = program('raw', 'noise');
	const code = `require('node:fs').writeFileSync(process.argv[1], '')`;
	return { command, args: ['-e', code, '${workspaceFolder}/started', ...(own as string[]), ...args], ...more };
}

it('starts nothing for a key that was pressed within half a second of the question, and asks again', async () => {
	const editor = await openEditor({ settings: servers({ workspace: marking() }) });
	const started = () => existsSync(join(editor.workspace, 'started'));
	const unseen = editor.page.locator('.monaco-dialog-box:not([data-seen])');
	const see = () => unseen.evaluate((element) => element.setAttribute('data-seen', ''));
	await editor.command('MCP Elicitation: Start Server');
	for (const [key, after] of [
		['Enter', 0],
		['Enter', 50],
		['Enter', 400],
		['Escape', 50],
		['Space', 400],
	] as const) {
		await unseen.waitFor();
		await see();
		await editor.page.waitForTimeout(after);
		await editor.page.keyboard.press(key);
		await unseen.waitFor();
		expect(started(), `${key} after ${after} ms`).toBe(false);
	}
	await (await editor.modal()).press('Start Server');
	await until('the server to run', started);
});
