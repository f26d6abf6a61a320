import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Editor } from './editor.ts';
import { type Definition, program } from './servers.ts';

/** What a server was started with. */
export interface Start {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** A server that writes down what it was started with, says its TOKEN on stderr, and then is the test server. */
export function telling(
	name: string,
	{ args = [], ...more }: Definition & { args?: readonly string[] } = {},
): Definition {
	const code = [
		"const { appendFileSync } = require('node:fs')",
		'const [place] = process.argv.splice(1, 1)',
		'const start = { args: process.argv.slice(2), env: process.env }',
		'appendFileSync(place, JSON.stringify(start) + "\\n")',
		'console.error("My token is " + process.env.TOKEN + ".")',
		'import(process.argv[1])',
	].join('; ');
	const { command, args: own } = program('sdk1');
	return { command, args: ['-e', code, `\${workspaceFolder}/${name}.starts`, ...(own as string[]), ...args], ...more };
}

/** Every start of such a server so far. */
export function startsOf({ workspace }: Editor, name: string): Start[] {
	const file = join(workspace, `${name}.starts`);
	const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
	// The last one is empty, or still being written.
	return lines.slice(0, -1).map((line) => JSON.parse(line));
}
