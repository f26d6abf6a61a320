import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../harness/paths.mjs';
import type { Editor } from './editor.ts';
import { type Definition, program } from './servers.ts';

/** What a server was started with. */
export interface Start {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
	readonly pid: number;
}

/** A test server that records how it was started and writes its TOKEN to stderr. */
export function recordingStarts(
	name: string,
	{ args = [], ...more }: Definition & { args?: readonly string[] } = {},
): Definition {
	const { command, args: own } = program('sdk1');
	const script = join(root, 'test/servers/recordStart.mjs');
	return { command, args: [script, `\${workspaceFolder}/${name}.starts`, ...(own as string[]), ...args], ...more };
}

/** The recorded starts of such a server. */
export function startsOf({ workspace }: Editor, name: string): Start[] {
	const file = join(workspace, `${name}.starts`);
	const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
	// The last line is empty or incomplete.
	return lines.slice(0, -1).map((line) => JSON.parse(line));
}
