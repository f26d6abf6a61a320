import { isFilledText, type Json } from '../elicitation/json.ts';
import type { RawDefinition } from './snippet.ts';

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

/** The words of a command line, as a shell reads them. */
export function wordsOf(text: string): string[] {
	// The end of a line that goes on; a box for one line leaves the backslash.
	const line = text.replace(/(^|\s)\\(?=\s)/g, '$1');
	const words = line.matchAll(/(?:"(?:\\["\\]|[^"])*(?:"|$)|'[^']*(?:'|$)|\\[\s"']|[^\s"'])+/g);
	return [...words].map(([word]) =>
		word.replace(
			/"((?:\\["\\]|[^"])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'])/g,
			(_, double?: string, single?: string, escaped?: string) =>
				double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
		),
	);
}

/**
 * The program and its arguments if a definition has them all in `command`, as for a shell, or has quotes around it. Whether it is
 * that, or a program with a space in its path, is for the caller to find out.
 */
export function lineInCommand(command: Json | undefined, args: Json | undefined): RawDefinition | undefined {
	const hasArguments = Array.isArray(args) ? args.length > 0 : args !== undefined;
	const line = isFilledText(command) && !hasArguments ? definitionOf(command.trim()) : undefined;
	return line && line['command'] !== command ? line : undefined;
}
