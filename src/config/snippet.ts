import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { readServers } from './definition.ts';
import { problemSentence } from './problem.ts';
import { parseText } from './text.ts';
import { inputsOf } from './variables.ts';

/** A definition as it can be written to settings or a file. */
export type RawDefinition = Readonly<Record<string, unknown>>;

/** Pasted definitions with their names, if any, and the inputs that they use. */
export interface Snippet {
	readonly servers: readonly { readonly name: string | undefined; readonly definition: RawDefinition }[];
	readonly inputs: readonly unknown[];
}

/** Members that contain definitions in the common shapes. */
const HOLDERS = ['servers', 'mcpServers', 'mcpElicitation.servers'];

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
	return command === undefined
		? undefined
		: { command, ...(args.length > 0 && { args }), ...(Object.keys(env).length > 0 && { env: { ...env } }) };
}

function wordsOf(text: string): string[] {
	const words = text.matchAll(/(?:"(?:\\["\\]|[^"])*(?:"|$)|'[^']*(?:'|$)|\\[\s"']|[^\s"'])+/g);
	return [...words].map(([word]) =>
		word.replace(
			/"((?:\\["\\]|[^"])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'])/g,
			(_, double?: string, single?: string, escaped?: string) =>
				double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
		),
	);
}

/** Reads definitions in any of the common shapes. Returns a sentence that describes the problem if there are none. */
export function readSnippet(text: string): Snippet | Sentence {
	const { value, fault } = parseText(text);
	// Members are often copied without the enclosing braces.
	const whole = fault ? parseText(`{${text.trim().replace(/,$/, '')}}`).value : value;
	if (!isObject(whole)) {
		return localizable('This is not JSON: {0}', fault?.message ?? localizable('A value is missing.'));
	}
	const servers = serversIn(whole);
	if (servers.length === 0) {
		return localizable('There is no server in it: no object with "command" or "url".');
	}
	const used = new Set<string>();
	for (const { name, definition } of servers) {
		const { servers: good, problems } = readServers({ [name ?? 'it']: definition });
		const error = problems.find(({ severity }) => severity === 'error');
		if (error) {
			return name === undefined ? problemSentence(error) : localizable('{0}: {1}', name, problemSentence(error));
		}
		for (const id of good.flatMap(inputsOf)) {
			used.add(id);
		}
	}
	const inputs = own(whole, 'inputs') ?? own(whole, 'mcpElicitation.inputs') ?? [];
	const usable = Array.isArray(inputs) ? inputs.filter((input) => used.has(String(own(input, 'id') ?? ''))) : [];
	return { servers, inputs: usable };
}

function serversIn(whole: Json): Snippet['servers'] {
	if (isDefinition(whole)) {
		return [{ name: undefined, definition: whole }];
	}
	const holder = HOLDERS.map((name) => own(whole, name)).find(isObject) ?? own(own(whole, 'mcp'), 'servers') ?? whole;
	return isObject(holder)
		? Object.entries(holder).flatMap(([name, definition]) => (isDefinition(definition) ? [{ name, definition }] : []))
		: [];
}

function isDefinition(value: Json): value is Json & RawDefinition {
	return typeof own(value, 'command') === 'string' || typeof own(value, 'url') === 'string';
}

/** Suggests a name based on the package, the program or the URL's host. */
export function proposedName(definition: RawDefinition): string {
	const { url, command, args } = definition as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === 'string') {
		return /^https?:\/\/(?:www\.|mcp\.)?([^/:.]+)/.exec(url)?.[1] ?? '';
	}
	const words = [command, ...(Array.isArray(args) ? args : [])].filter(
		(word): word is string => typeof word === 'string',
	);
	const runner = /^(npx|bunx|uvx|pnpm|yarn|node|deno|python3?|uv|docker)(\.\w+)?$/.test(baseName(words[0] ?? ''));
	const telling = runner ? (words.slice(1).find((word) => !/^-|^(run|dlx|exec|x)$/.test(word)) ?? words[0]) : words[0];
	return baseName(telling ?? '')
		.replace(/(.)@.*$/, '$1')
		.replace(/\.(m?js|cjs|ts|py|exe|sh)$/, '')
		.replace(/^(mcp-)?server-|-mcp(-server)?$/g, '');
}

function baseName(path: string): string {
	return path.split(/[\\/]/).findLast(Boolean) ?? '';
}
