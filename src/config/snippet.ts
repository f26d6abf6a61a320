import { MASK, visibleOnOneLine } from '../elicitation/display.ts';
import { type Json, own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { namesSecret } from '../elicitation/secretNames.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { inspectUrl } from '../elicitation/url/urlSafety.ts';
import { readClientCommand } from './clientCommand.ts';
import { definitionOf, type RawDefinition } from './commandLine.ts';
import { decidesWhatRuns } from './decidingVariables.ts';
import {
	type HttpDefinition,
	hasUrl,
	isHttpUrl,
	isProgram,
	type ServerDefinition,
	type StdioDefinition,
	socketOf,
} from './definition.ts';
import { type Snippet, serversIn } from './foreignDocument.ts';
import { readInputs } from './inputs.ts';
import { type Linked, PASTE_INSTEAD, readLink } from './installLink.ts';
import { problemSentence } from './problem.ts';
import { nameOfPath } from './proposedName.ts';
import { readServers, urlProblem } from './readDefinition.ts';
import { isRegistryEntry, readRegistryEntry } from './registryEntry.ts';
import { commandText as editorCommandText } from './startText.ts';
import { parseText } from './text.ts';
import { readToml } from './toml.ts';
import { inputsOf, knownUrl } from './variables.ts';

/** Reads definitions in any of the common shapes. Returns a sentence that describes the problem if there are none. */
export function readSnippet(text: string): Snippet | Sentence {
	const { value, fault } = parseText(text);
	// Members are often copied without the enclosing braces.
	const whole = (fault ? parseText(`{${text.trim().replace(/,$/, '')}}`).value : value) as Json | undefined;
	return whole === undefined
		? localizable('This is not JSON: {0}', fault?.message ?? localizable('A value is missing.'))
		: snippetOf(whole);
}

function snippetOf(whole: Json): Snippet | Sentence {
	const isEntry = isRegistryEntry(whole);
	const entry = isEntry ? readRegistryEntry(whole) : undefined;
	if (isEntry && !entry) {
		return localizable('This entry of a registry has no package that can be run here, and no URL.');
	}
	const { servers, inputs } = entry
		? { servers: [{ name: nameOfPath(entry.name), definition: entry.definition }], inputs: entry.inputs }
		: (serversIn(whole) ?? { servers: [], inputs: [] });
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
	return { servers, inputs: inputs.filter((input) => used.has(textOf(own(input, 'id') ?? ''))) };
}

/** Servers that a text describes, and the text in words. */
export interface Recognized {
	readonly kind: 'command' | 'url' | 'json';
	readonly snippet: Snippet;
	readonly text: Sentence;
}

/** JSON, with or without its braces. */
const JSON_START = /^(?:[{[]|"(?:[^"\\]|\\.)*"\s*:)/;

/** A host with a port, with a path, or with a domain of its own in a domain, which is no command. */
const HOST =
	/^(?:localhost(?=$|[:/])|[\w-]+(?:\.[\w-]+)*(?=:\d)|(?:[\w-]+\.)+[a-z]{2,}(?=\/)|(?:[\w-]+\.){2,}[a-z]{2,}$)/i;

/** What may follow it. */
const PATH = /^[^/\s]+?(?::\d{1,5})?(?:[/?#]\S*)?$/;

/** The end of a file that is run. */
const PROGRAM = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|go|rs|jar|sh|ps1|exe|cmd|bat|bin)$/i;

/** A table of servers, as in the configuration of Codex. */
const TOML = /^(?![{"']).*?(?:^|\s)\[+\s*(?=[\w."-]*mcp)"?[\w.-]*?servers?"?\s*[.\]]/is;

/** The start of a configuration in YAML, which has no braces that would tell where it ends. */
const YAML = /^[\w.-]+:\s/;

/**
 * Recognizes a command line, a URL, JSON, or what installs a server in another client. By its scheme and host, a link is told from
 * the URL of a server. Returns a sentence if something is missing, undefined for a blank text.
 */
export function recognize(text: string): Recognized | Sentence | undefined {
	const trimmed = unwrapped(text);
	if (trimmed === '') {
		return undefined;
	}
	if (YAML.test(trimmed)) {
		return localizable('This looks like {0}, which is not read here. {1}', 'YAML', PASTE_INSTEAD);
	}
	const toml = TOML.test(trimmed) ? tomlIn(trimmed) : undefined;
	const command = toml ? undefined : readClientCommand(trimmed);
	const linked = toml ?? command ?? readLink(trimmed);
	if (linked && !('document' in linked)) {
		return linked;
	}
	if (linked || JSON_START.test(trimmed)) {
		const snippet = linked ? snippetOf(linked.document) : readSnippet(trimmed);
		return 'servers' in snippet
			? { kind: 'json', snippet, text: jsonText(snippet, command !== undefined, toml ? 'TOML' : 'JSON') }
			: snippet;
	}
	const isHost = HOST.test(trimmed) && PATH.test(trimmed) && !PROGRAM.test(trimmed);
	return isHost || /^(?:https?|unix|pipe):/i.test(trimmed)
		? recognizedUrl(trimmed, isHost)
		: recognizedCommand(trimmed);
}

function tomlIn(text: string): Linked | Sentence {
	const document = readToml(text);
	return document ? { document } : localizable('This looks like TOML, but it is incomplete or wrong.');
}

/** What was meant by a text that was copied with what is around it: a fence, a prompt, quotes, or a link of Markdown or HTML. */
function unwrapped(text: string): string {
	const plain = text
		.trim()
		.replace(/^```[\w-]*\s+(.*?)\s*(?:```)?$/s, '$1')
		.replace(/^(?:[$%❯>]|PS [^\s>]*>)\s+/, '')
		.replace(/^(['"`<])([a-z][\w+.-]+:\S+)['"`>]$/i, '$2');
	const [, markdown] = /^!?\[.*\]\(<?([^\s()<>]+)>?(?:\s[^()]*)?\)$/s.exec(plain) ?? [];
	const [, html] = /^<a\s[^>]*href=["']([^"'\s]+)/i.exec(plain) ?? [];
	return markdown ?? html ?? plain;
}

function recognizedUrl(text: string, isHost: boolean): Recognized | Sentence {
	const scheme = /^(?:[\w-]+|[\d.]+)(?:[:/]|$)/.test(text) ? 'http' : 'https';
	const url = isHost ? `${scheme}://${text}` : text;
	if (!socketOf(url) && (!isHttpUrl(url) || /\s/.test(url))) {
		return localizable('Enter an http: or https: address.');
	}
	const problem = urlProblem(url);
	return problem
		? problemSentence({ path: ['url'], message: problem })
		: { kind: 'url', snippet: oneServer({ url }), text: localizable('Connect to {0}', url) };
}

function recognizedCommand(text: string): Recognized | Sentence {
	const definition = definitionOf(text);
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

function jsonText({ servers }: Snippet, isCommand: boolean, format: string): Sentence {
	const name = servers[0]?.name;
	if (isCommand && servers.length === 1) {
		return localizable('Server "{0}", which this command line adds to another client', name ?? '');
	}
	return servers.length > 1
		? localizable('{0} definition of {1} servers', format, servers.length)
		: name === undefined
			? localizable('{0} definition of 1 server', format)
			: localizable('{0} definition of "{1}"', format, name);
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
	const parts = isProgram(server) ? programParts(server) : urlParts(server);
	return visibleOnOneLine([...parts, ...roots, ...proposals(server, inputs)].join(' · '));
}

/** What the user is warned of: what is unusual about the URLs of a definition, and inputs that are missing. */
export function warningsOf(definition: RawDefinition, inputs: readonly unknown[]): Sentence[] {
	const [server] = readServers({ it: definition }).servers;
	const missing = (server ? inputsOf(server) : []).filter((id) => inputs.every((input) => own(input, 'id') !== id));
	const urls =
		server && hasUrl(server) ? [socketOf(server.url) ? '' : server.url, server.oauth?.clientMetadataUrl ?? ''] : [];
	return [
		...missing.map((id) => localizable('It uses "${{0}}", but no input of that id comes with it.', `input:${id}`)),
		...urls.flatMap((url) => {
			const { alarms, warnings } = inspectUrl(knownUrl(url) ?? '', { insecure: 'always' });
			return [...alarms, ...warnings];
		}),
	];
}

function proposals(server: ServerDefinition, inputs: readonly unknown[]): string[] {
	const used = inputsOf(server);
	const proposed = readInputs(inputs).inputs.filter(({ id }) => used.includes(id));
	return proposed.flatMap(({ id, default: value, options, command }) =>
		[
			...(command ? [editorCommandText(command)] : []),
			...(value === undefined ? [] : [value]),
			...options.map((option) => option.value),
		].map((each) => `\${input:${id}}: ${each}`),
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
