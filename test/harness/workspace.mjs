// @ts-check
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dist } from './paths.mjs';

/** A temporary folder with nothing in it. */
export function emptyFolder() {
	return mkdtemp(join(tmpdir(), 'mcp-elicitation-'));
}

/** The person's own settings to try the extension with: the demo server, once per era, is started when the window opens. */
export function demoSettings() {
	const demo = { command: process.execPath, args: [join(dist, 'demo.mjs')] };
	return {
		'mcpElicitation.autoStart': true,
		'mcpElicitation.servers': { demo, 'demo (2025-11-25)': { ...demo, protocolVersion: '2025-11-25' } },
	};
}

/** A workspace to try the extension in. */
export async function demoWorkspace() {
	const folder = await emptyFolder();
	await writeFile(
		join(folder, 'README.md'),
		'# Demo\n\nRun “MCP Elicitation: Call…” and choose a tool of the demo server.\n',
	);
	return folder;
}
