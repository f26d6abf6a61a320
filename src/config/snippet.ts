import { MASK, visibleOnOneLine } from '../elicitation/display.ts';
import { isFilledText, isObject, type Json, type JsonObject, own, textOf } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { inspectUrl } from '../elicitation/url/urlSafety.ts';
import { decidesWhatRuns } from './decidingVariables.ts';
import {
	type HttpDefinition,
	isHttpUrl,
	readServers,
	type ServerDefinition,
	type StdioDefinition,
	urlProblem,
} from './definition.ts';
import { readInputs } from './inputs.ts';
import { problemSentence } from './problem.ts';
import { isRegistryEntry, readRegistryEntry } from './registryEntry.ts';
import { namesSecret } from './secretNames.ts';
import { parseText } from './text.ts';
import { inputsOf, knownUrl } from './variables.ts';

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
	return !command
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
	const whole = (fault ? parseText(`{${text.trim().replace(/,$/, '')}}`).value : value) as Json | undefined;
	if (whole === undefined) {
		return localizable('This is not JSON: {0}', fault?.message ?? localizable('A value is missing.'));
	}
	const isEntry = isRegistryEntry(whole);
	const entry = isEntry ? readRegistryEntry(whole) : undefined;
	if (isEntry && !entry) {
		return localizable('This entry of a registry has no package that can be run here, and no URL.');
	}
	const servers = entry ? [{ name: nameOfPath(entry.name), definition: entry.definition }] : serversIn(whole);
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
	const inputs = entry?.inputs ?? own(whole, 'inputs') ?? own(whole, 'mcpElicitation.inputs') ?? [];
	const usable = Array.isArray(inputs) ? inputs.filter((input) => used.has(textOf(own(input, 'id') ?? ''))) : [];
	return { servers, inputs: usable };
}

function serversIn(whole: Json): Snippet['servers'] {
	if (isDefinition(whole)) {
		const { name, inputs: _, ...definition } = whole as RawDefinition;
		return [{ name: isFilledText(name) ? name : undefined, definition }];
	}
	const holder = HOLDERS.map((name) => own(whole, name)).find(isObject) ?? own(own(whole, 'mcp'), 'servers') ?? whole;
	return isObject(holder)
		? Object.entries(holder).flatMap(([name, definition]) => (isDefinition(definition) ? [{ name, definition }] : []))
		: [];
}

function isDefinition(value: Json): value is Json & RawDefinition {
	return typeof own(value, 'command') === 'string' || typeof own(value, 'url') === 'string';
}

/** Servers that a text describes, and the text in words. */
export interface Recognized {
	readonly kind: 'command' | 'url' | 'json';
	readonly snippet: Snippet;
	readonly text: Sentence;
}

/** JSON, with or without its braces. */
const JSON_START = /^(?:[{[]|"(?:[^"\\]|\\.)*"\s*:)/;

/** A link that installs a server in VS Code, with its definition as JSON. */
const INSTALL_LINK = /^vscode(?:-insiders)?:mcp\/install\?(.+)$/s;

/** The definition in a link that installs a server in VS Code, also behind the redirect that web pages use. */
function linkedDefinition(text: string): string | undefined {
	if (/^https:\/\/(?:insiders\.)?vscode\.dev\/redirect/.test(text) && URL.canParse(text)) {
		const { searchParams } = new URL(text);
		const [url, name, config] = ['url', 'name', 'config'].map((key) => searchParams.get(key) ?? undefined);
		return url === undefined
			? config && JSON.stringify({ ...(parseText(config).value as JsonObject), ...(name !== undefined && { name }) })
			: installedDefinition(url);
	}
	return installedDefinition(text);
}

function installedDefinition(text: string): string | undefined {
	const [, encoded] = INSTALL_LINK.exec(text) ?? [];
	try {
		return encoded && decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** A host with a port, which is no command. */
const HOST = /^(?:localhost(?=$|[:/])|[\w-]+(?:\.[\w-]+)+(?=:\d))(?::\d+)?(?:\/\S*)?$/i;

/** Recognizes a command line, a URL, JSON, or a link that installs a server. Returns a sentence if something is missing, undefined for a blank text. */
export function recognize(text: string): Recognized | Sentence | undefined {
	const trimmed = text.trim();
	if (trimmed === '') {
		return undefined;
	}
	const json = linkedDefinition(trimmed) ?? (JSON_START.test(trimmed) ? trimmed : undefined);
	if (json !== undefined) {
		const snippet = readSnippet(json);
		return 'servers' in snippet ? { kind: 'json', snippet, text: jsonText(snippet) } : snippet;
	}
	const scheme = /^(?:localhost|[\d.]+)(?:[:/]|$)/i.test(trimmed) ? 'http' : 'https';
	const url = HOST.test(trimmed) ? `${scheme}://${trimmed}` : trimmed;
	if (/^https?:|^[a-z][a-z\d+.-]*:\/\//i.test(url)) {
		if (!isHttpUrl(url) || /\s/.test(url)) {
			return localizable('Enter an http: or https: address.');
		}
		const problem = urlProblem(url);
		return problem
			? problemSentence({ path: ['url'], message: problem })
			: { kind: 'url', snippet: oneServer({ url }), text: localizable('Connect to {0}', url) };
	}
	const definition = definitionOf(trimmed);
	return definition
		? { kind: 'command', snippet: oneServer(definition), text: commandText(definition) }
		: localizable('Enter a command.');
}

function oneServer(definition: RawDefinition): Snippet {
	return { servers: [{ name: undefined, definition }], inputs: [] };
}

function commandText({ command, args }: RawDefinition): Sentence {
	const program = String(command);
	const count = Array.isArray(args) ? args.length : 0;
	switch (count) {
		case 0:
			return localizable('Run "{0}" over stdio', program);
		case 1:
			return localizable('Run "{0}" with 1 argument over stdio', program);
		default:
			return localizable('Run "{0}" with {1} arguments over stdio', program, count);
	}
}

function jsonText({ servers }: Snippet): Sentence {
	const name = servers[0]?.name;
	return servers.length > 1
		? localizable('JSON definition of {0} servers', servers.length)
		: name === undefined
			? localizable('JSON definition of 1 server')
			: localizable('JSON definition of "{0}"', name);
}

/**
 * What a definition runs, behind its variables, or the URL that it connects to with what is sent there, and what is proposed
 * for its inputs; on one line, with hidden characters escaped.
 */
export function runsOf(definition: RawDefinition, inputs: readonly unknown[]): string {
	const [server] = readServers({ it: definition }).servers;
	if (!server) {
		return '';
	}
	const roots = typeof server.roots === 'string' ? [] : server.roots;
	const parts = server.type === 'stdio' ? programParts(server) : urlParts(server);
	return visibleOnOneLine([...parts, ...roots, ...proposals(server, inputs)].join(' · '));
}

/** What the user is warned of in the URLs of a definition. */
export function warningsOf(definition: RawDefinition): Sentence[] {
	const [server] = readServers({ it: definition }).servers;
	const urls = server && server.type !== 'stdio' ? [server.url, server.oauth?.clientMetadataUrl ?? ''] : [];
	return urls.flatMap((url) => {
		const { alarms, warnings } = inspectUrl(knownUrl(url) ?? '', { insecure: 'always' });
		return [...alarms, ...warnings];
	});
}

function proposals(server: ServerDefinition, inputs: readonly unknown[]): string[] {
	const used = inputsOf(server);
	const proposed = readInputs(inputs).inputs.filter(({ id }) => used.includes(id));
	return proposed.flatMap(({ id, default: value, options }) =>
		[...(value === undefined ? [] : [value]), ...options.map((option) => option.value)].map(
			(each) => `\${input:${id}}: ${each}`,
		),
	);
}

function urlParts({ url, headers }: HttpDefinition): string[] {
	// Variables are shown even in what is secret: they could give away anything of the environment.
	const shown = (name: string, value: string) => (namesSecret(name) && !value.includes('${') ? MASK : value);
	return [url, ...Object.entries(headers).map(([name, value]) => `${name}: ${shown(name, value)}`)];
}

function programParts(server: StdioDefinition): string[] {
	// A secret that the user may have pasted is masked, unless something could be run by it.
	const isMasked = (name: string, value: string) =>
		namesSecret(name) && !decidesWhatRuns(name, true) && /^[\w+=-][\w.~+/=-]*$/.test(value);
	const variables = Object.entries(server.env).map(
		([name, value]) => `${name}=${isMasked(name, value ?? '') ? MASK : (value ?? '')}`,
	);
	const words = [...variables, server.command, ...server.args];
	const line = words.map((word) => (/[\s"']|^$/.test(word) ? JSON.stringify(word) : word)).join(' ');
	const places = (['cwd', 'envFile'] as const).flatMap((name) => (server[name] ? [`${name}: ${server[name]}`] : []));
	return [line, ...places];
}

/** Words that say nothing about a server in a host name, a path or the name of a package. */
const GENERIC =
	/^(?:|mcp|server|servers|mcp-server|index|main|cli|app|api|www|start|run|stdio|sse|http|dist|build|src|lib|out|bin|node_modules|latest)$/i;

/** Programs that run a package or a script. */
const RUNNER = /^(?:npx|bunx|uvx|pipx|bun|pnpm|yarn|npm|node|deno|tsx|python[\d.]*|uv|docker|podman)(?:\.\w+)?$/i;

/** Suggests a name based on the package, the program or the URL's host. */
export function proposedName(definition: RawDefinition): string {
	const { url, command, args } = definition as { url?: unknown; command?: unknown; args?: unknown };
	if (typeof url === 'string') {
		return nameOfHost(url);
	}
	const words = [command, ...(Array.isArray(args) ? args : [])].filter(
		(word): word is string => typeof word === 'string',
	);
	const [program = '', ...rest] = words;
	const telling = RUNNER.test(baseName(program)) ? (runBy(program, rest) ?? program) : program;
	const remote = baseName(telling).startsWith('mcp-remote') ? rest.find(isHttpUrl) : undefined;
	return remote === undefined ? nameOfPath(telling) : nameOfHost(remote);
}

/** What a runner runs: a package, a script, a module or an image. */
function runBy(runner: string, args: readonly string[]): string | undefined {
	const words = args.filter((word) => !/^-|^(?:run|dlx|exec|x|tool)$/.test(word));
	const isContainer = /^(?:docker|podman)/i.test(baseName(runner));
	// The values of options, such as `-e NAME`, come before the image, which nearly always has a slash.
	return (isContainer ? words.find((word) => /^[\w.-]+(?::\d+)?\/[^=,]*$/.test(word)) : undefined) ?? words[0];
}

function nameOfHost(url: string): string {
	const host = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url)?.[1] ?? '';
	if (/^\[|^[\d.]+$/.test(host)) {
		return host;
	}
	const labels = host.split('.');
	return labels.slice(0, Math.max(1, labels.length - 1)).find((label) => !GENERIC.test(label)) ?? host;
}

/** The last part of a path or of a package's name that says something. */
function nameOfPath(path: string): string {
	const names = path
		.split(/[\\/]/)
		.filter(Boolean)
		.map((part) =>
			part
				.replace(/(.)@.*$/s, '$1')
				.replace(/^@/, '')
				.replace(/\.(m?js|cjs|m?ts|py|exe|sh)$/, '')
				.replace(/(.):[\w.-]+$/, '$1'),
		)
		.map((name) => name.replace(/^(?:mcp[-_])?server[-_]|^mcp[-_]|[-_]mcp(?:[-_]server)?$/gi, ''));
	return names.findLast((name) => !GENERIC.test(name)) ?? names.at(-1) ?? '';
}

function baseName(path: string): string {
	return path.split(/[\\/]/).findLast(Boolean) ?? '';
}
