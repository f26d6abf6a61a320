// @ts-check
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dist } from './paths.mjs';

/** A temporary folder with nothing in it. */
export function emptyFolder() {
	return mkdtemp(join(tmpdir(), 'mcp-elicitation-'));
}

/**
 * A workspace to try the extension in: the demo server is configured and started when the window opens.
 * @param {string} runtime what runs the demo server
 */
export async function demoWorkspace(runtime) {
	const folder = await emptyFolder();
	const settings = {
		'mcpElicitation.autoStart': true,
		'mcpElicitation.servers': { demo: { command: runtime, args: [join(dist, 'demo.cjs')] } },
	};
	await mkdir(join(folder, '.vscode'));
	await writeFile(join(folder, '.vscode', 'settings.json'), `${JSON.stringify(settings, undefined, '\t')}\n`);
	await writeFile(
		join(folder, 'README.md'),
		'# Demo\n\nRun “MCP Elicitation: Call Tool” and choose a tool of the demo server.\n',
	);
	return folder;
}
