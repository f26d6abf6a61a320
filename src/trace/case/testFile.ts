import { visibleOnOneLine } from '../../elicitation/display.ts';
import type { Json, JsonObject } from '../../elicitation/json.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { REDACTED } from '../secrets.ts';
import { type Dialect, type Expression, javaScript, literal } from './literals.ts';
import { type CaseVariable, marker, PLACES, type Place, type RecordedCase, type Role } from './recordedCase.ts';
import { PLACEHOLDERS } from './volatile.ts';

/** Where the file will be saved. */
export interface Site {
	/** The file as an argument of the test runner, quoted for a shell (`shellPath`). */
	readonly file: string;
	/** The workspace folder: relative to the file's folder, with slashes, or absolute if the file is elsewhere. */
	readonly workspaceFolder: { readonly relative: string } | { readonly absolute: string };
}

const ROLES: Readonly<Record<Role, string>> = {
	answer: 'a value in a response',
	argument: 'an argument of the call',
	environment: "a variable of the server's environment",
	header: 'a header of every request',
	definition: "a part of the server's definition",
};

/** The header lines of a file, without comment markers. Contains no server text. */
export function headOf({ variables, server, isTask }: RecordedCase, command: string): string[] {
	const width = Math.max(...variables.map(({ name }) => word(name).length));
	const names = [
		'What may be secret is not in this file. Set these environment variables first:',
		'',
		...variables.map(({ name, role }) => `    ${word(name).padEnd(width)}  ${ROLES[role]}`),
		'',
	];
	return [
		'A recorded call to an MCP server, as a test that needs no editor. Run it with',
		'',
		`    ${command}`,
		'',
		...(variables.length > 0 ? names : []),
		`It ${server.type === 'stdio' ? 'starts the server' : 'reaches the server over HTTP'}, makes the call${isTask ? ' as a task' : ''}, and sends the recorded responses. It fails if`,
		'the server requests anything else, or if the call ends with another result or error code.',
		'IDs, progress tokens, and the state between rounds are not compared. In recorded texts,',
		`‹uuid› stands for any UUID, ‹time› for any date with a time, and ${REDACTED} for anything:`,
		'there was, or may have been, a secret. No URL is opened: if the server waits until one is',
		'completed, the test fails with a timeout.',
	];
}

/** The expressions for variables and places. */
export function markersOf(
	variables: readonly CaseVariable[],
	variable: (variable: CaseVariable) => Expression,
	places: Readonly<Record<Place, string>>,
): ReadonlyMap<string, Expression> {
	return new Map([
		...variables.map((each): [string, Expression] => [marker(each.name), variable(each)]),
		...PLACES.map((name): [string, Expression] => [marker(name), { alone: places[name], within: places[name] }]),
	]);
}

/** The places that a case uses. */
export function placesIn({ server }: RecordedCase): readonly Place[] {
	const text = JSON.stringify(server);
	return PLACES.filter((name) => text.includes(marker(name)));
}

/** True if the tool may want arguments in headers of the call, too: `x-mcp-header` in its schema (2026-07-28). */
export function mirrorsArguments({ server, revision, method }: RecordedCase): boolean {
	return server.type === 'http' && revision >= STATELESS && method === 'tools/call';
}

/** The server without members that matter only for the recording. */
export function serverOf({ server }: RecordedCase): JsonObject {
	const { type: _, ...rest } = server;
	return rest;
}

export function placeholders(dialect: Dialect): [text: string, source: string][] {
	const plain = { ...dialect, markers: new Map<string, Expression>() };
	return Object.entries(PLACEHOLDERS).map(([text, source]) => [literal(text, plain), literal(source as Json, plain)]);
}

/** Quotes a name or path for a comment, unless it is plain. */
function word(text: string): string {
	return /^[\w@%+=:,./\\()-]+$/.test(text) ? text : literal(text, javaScript(new Map()));
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
