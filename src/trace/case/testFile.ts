import { visibleOnOneLine } from '../../elicitation/display.ts';

/** A way to run an exported call: its scenario alone, or with a file beside it for a test runner or a shell. */
export interface Format {
	readonly language: string;
	readonly extension: string;
	/**
	 * Name of the file to run.
	 * @param name what `plainName` returns
	 */
	fileName(name: string): string;
	/**
	 * The command that runs the file.
	 * @param file its path, quoted for a shell (`shellPath`)
	 */
	command(file: string, version: string): string;
	/**
	 * The file; absent where the scenario is all there is. It holds no text from a server.
	 * @param name what `plainName` returns
	 * @param run what `runCommand` returns for the scenario, relative to the folder of the file
	 */
	readonly text?: (name: string, run: string) => readonly string[];
}

/** The program that runs scenarios, as npm knows it. */
const PACKAGE = 'mcp-elicitation';

/**
 * The command that runs a scenario.
 * @param version that of the program
 */
export function runCommand(file: string, version: string): string {
	return `npx --yes ${PACKAGE}@${version} run ${file}`;
}

/** What each file says of itself, in a comment. */
const ABOUT = [
	'Makes a recorded call to an MCP server again, with its recorded responses, and fails if the',
	'server requests or returns anything else. What may be secret is read from environment',
	'variables; a run names those that are missing.',
];

export const FORMATS: Readonly<Record<'vitest' | 'pytest' | 'sh' | 'scenario', Format>> = {
	vitest: {
		...{ language: 'JavaScript', extension: 'mjs' },
		fileName: (name) => `${name}.test.mjs`,
		command: (file) => `npx vitest run ${file}`,
		text: (name, run) => [
			...ABOUT.map((line) => `// ${line}`),
			'import { exec } from "node:child_process";',
			'import { test } from "vitest";',
			'',
			`const COMMAND = "${run}";`,
			'',
			`test("${name}", { timeout: 180_000 }, () =>`,
			'  new Promise((resolve, reject) => {',
			'    exec(COMMAND, { cwd: import.meta.dirname }, (error, stdout, stderr) =>',
			'      error ? reject(new Error(stdout + stderr)) : resolve(),',
			'    );',
			'  }),',
			');',
		],
	},
	pytest: {
		...{ language: 'Python', extension: 'py' },
		fileName: (name) => `test_${identifier(name)}.py`,
		command: (file) => `python -m pytest ${file}`,
		text: (name, run) => [
			...ABOUT.map((line) => `# ${line}`),
			'import pathlib',
			'import subprocess',
			'',
			`COMMAND = "${run}"`,
			'',
			'',
			`def test_${identifier(name)}():`,
			'    folder = pathlib.Path(__file__).parent',
			'    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}',
			'    ended = subprocess.run(COMMAND, shell=True, cwd=folder, **output)',
			'    assert ended.returncode == 0, ended.stdout.decode("utf-8", "replace")',
		],
	},
	sh: {
		...{ language: 'Shell', extension: 'sh' },
		fileName: (name) => `${name}.sh`,
		command: (file) => `sh ${file}`,
		text: (_name, run) => [
			'#!/bin/sh',
			...ABOUT.map((line) => `# ${line}`),
			`CDPATH= cd -- "$(dirname -- "$0")" && exec ${run}`,
		],
	},
	scenario: {
		...{ language: 'JSON', extension: 'json' },
		fileName: (name) => `${name}.scenario.json`,
		command: runCommand,
	},
};

function identifier(name: string): string {
	return name.replaceAll('-', '_').toLowerCase();
}

/** What quotes for a shell are like. `other` is any whose quotes are not known. */
export type Shell = 'posix' | 'fish' | 'powershell' | 'cmd' | 'other';

/** Paths that need no quotes. */
const PLAIN = /^[\w@+:,./-]+$/;

/** The quoted path; undefined if the shell has no quotes in which it expands nothing. */
const QUOTES: Readonly<Record<Shell, (path: string) => string | undefined>> = {
	posix: (path) => `'${path.replaceAll("'", "'\\''")}'`,
	fish: (path) => `'${path.replace(/[\\']/g, '\\$&')}'`,
	// Typographic quotes end a text, too. Scripts such as npx.cmd get their arguments without the quotes.
	powershell: (path) => (/["%&|<>^]/.test(path) ? undefined : `'${path.replace(/['‘-‛]/g, '$&$&')}'`),
	cmd: (path) => (/["%!]/.test(path) ? undefined : `"${path}"`),
	other: () => undefined,
};

/**
 * A path as one argument of a command, in which the shell expands nothing. A name that begins with a dash is no option.
 * @returns undefined if the shell cannot take it, or if it has characters that nobody sees, on which a terminal could act
 */
export function shellPath(path: string, shell: Shell): string | undefined {
	const safe = path.startsWith('-') ? `./${path}` : path;
	return visibleOnOneLine(path) !== path ? undefined : PLAIN.test(safe) ? safe : QUOTES[shell](safe);
}

/** Names that no file can have on Windows, whatever its extension. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)\d)$/i;

/** Converts a name to plain characters: `test://a b` becomes `test_a_b`. */
export function plainName(text: string): string {
	const name = text
		.slice(0, 200)
		.replace(/[^A-Za-z0-9_-]+/g, '_')
		.slice(0, 60)
		.replace(/^[_-]+|[_-]+$/g, '');
	return RESERVED.test(name) ? `${name}_` : name || 'call';
}
