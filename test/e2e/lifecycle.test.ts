import { expect } from 'vitest';
import { isAlive } from '../harness/processTree.mjs';
import { itByNight } from '../nightly.ts';
import { callTool, type Editor, openEditor, program, servers, structured, until } from './driver/index.ts';

interface Tree {
	readonly pid: number;
	readonly child: number;
}

const stubborn = { machineSettings: servers({ stubborn: program('raw', 'stubborn') }) };

/** The process of the server that ignores every polite request to leave, and that of its child. */
async function tree(editor: Editor): Promise<Tree> {
	await callTool(editor, { tool: 'pids' });
	const found = (await structured(editor)) as Tree;
	await editor.closeTabs();
	expect(alive(found)).toBe(2);
	return found;
}

/** How many of the two still run. */
function alive({ pid, child }: Tree): number {
	return [pid, child].filter(isAlive).length;
}

const gone = (processes: Tree) => until('every process of the server to be gone', () => alive(processes) === 0);

itByNight(
	'no process of a server outlives its restart, the reload of the window, or its end (F14, fault 29)',
	async () => {
		const editor = await openEditor(stubborn);
		const first = await tree(editor);
		await editor.command('MCP Elicitation: Restart Server');
		await gone(first);
		const second = await tree(editor);
		expect(second.pid).not.toBe(first.pid);
		await editor.reload();
		await gone(second);
		const third = await tree(editor);
		await editor.close();
		await gone(third);
	},
);
