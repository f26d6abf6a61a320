import { isFilledText, type Json, type JsonObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { hasUrl, type ServerDefinition } from './definition.ts';
import { type DefinitionProblem, warning } from './problem.ts';

/** A definition as it can be written to settings or a file. */
export type RawDefinition = Readonly<Record<string, unknown>>;

/** Parses a command line: words, quotes, backslashes before spaces and quotes, and leading variable assignments. */
export function definitionOf(commandLine: string): RawDefinition | undefined {
	const words = wordsOf(commandLine);
	const env: Record<string, string> = Object.create(null);
	while (words[0] && /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[0])) {
		const [assignment = ''] = words.splice(0, 1);
		const equals = assignment.indexOf('=');
		env[assignment.slice(0, equals)] = assignment.slice(equals + 1);
	}
	const [command, ...args] = words;
	return !command
		? undefined
		: { command, ...(args.length > 0 && { args }), ...(Object.keys(env).length > 0 && { env: { ...env } }) };
}

/**
 * The words of a command line, as a shell reads them.
 * @param fillIn what happens to text outside single quotes, in which a shell looks for variables
 */
export function wordsOf(text: string, fillIn: (text: string) => string = (plain) => plain): string[] {
	// The mark at the end of a line that goes on, in any shell, remains in a box for one line.
	const words = text.matchAll(/(?<!\S)([\\^`])(?=\s)|(?:"(?:\\["\\]|[^"])*(?:"|$)|'[^']*(?:'|$)|\\[\s"']|[^\s"'])+/g);
	return [...words]
		.filter(([, mark]) => mark === undefined)
		.map(([word]) =>
			word.replace(
				/"((?:\\["\\]|[^"])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'])|[^\\"']+|\\/g,
				(bare: string, double?: string, single?: string, escaped?: string) =>
					single ?? escaped ?? fillIn(double?.replace(/\\(["\\])/g, '$1') ?? bare),
			),
		);
}

/** What needs no quotes. In PowerShell, numbers are converted, `@` and `--` mean something, and so do dots and colons in options. */
const BARE = { posix: /^[\w@%+:,./-]+$/, windows: /^(?!-.*[.:])-{0,2}[A-Za-z_/\\][\w./\\:=+-]*$/ };

/** What is no text for a terminal, and what quotes do not protect in either of cmd and PowerShell, which also loses empty words. */
const UNQUOTABLE = { posix: /\p{Cc}/u, windows: /[\p{Cc}"%$`^&|<>\u2018-\u201f]|\\$|^$/u };

/**
 * A command line for a POSIX shell, or one that cmd and PowerShell read the same way.
 * @returns a sentence if there is none
 * @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_parsing
 */
export function shellLine(words: readonly string[], windows: boolean): string | Sentence {
	const shell = windows ? 'windows' : 'posix';
	const isBare = (word: string) => BARE[shell].test(word);
	return words.some((word) => !isBare(word) && UNQUOTABLE[shell].test(word))
		? localizable('It has characters that shells do not take as they are. Choose a file instead of a command line.')
		: words
				.map((word) => (isBare(word) ? word : windows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`))
				.join(' ');
}

/**
 * The program and its arguments if a definition has them all in `command`, as for a shell, or has quotes around it. Whether it is
 * that, or a program with a space in its path, is for the caller to find out.
 */
export function lineInCommand(command: Json | undefined, args: Json | undefined): RawDefinition | undefined {
	const hasArguments = Array.isArray(args) ? args.length > 0 : args !== undefined;
	if (!isFilledText(command) || hasArguments || /\$\{[^}]*[\s"'][^}]*\}/.test(command)) {
		return undefined;
	}
	const line = definitionOf(command.trim());
	return line && line['command'] !== command ? line : undefined;
}

/**
 * The problem of a command line in `command`, which is the name of one program.
 * @param isThere true if there is a program of that name, with its spaces
 */
export function commandProblems(definition: ServerDefinition, isThere: () => boolean): DefinitionProblem[] {
	if (hasUrl(definition)) {
		return [];
	}
	const line = lineInCommand(definition.command, definition.args);
	if (!line || isThere()) {
		return [];
	}
	const { command, args = [], env } = line as { command: string; args?: Json; env?: JsonObject };
	const changes = [
		{ path: ['command'], value: command },
		...(Array.isArray(args) && args.length > 0 ? [{ path: ['args'], value: args }] : []),
		...(env ? [{ path: ['env'], value: { ...env, ...definition.env } }] : []),
	];
	const message = localizable(
		'is run as the name of one program, spaces and quotes included. Arguments belong into "args".',
	);
	const fix = { title: localizable('Move the arguments to "args"'), changes };
	return [{ server: definition.name, ...warning(['command'], message), fix }];
}
