import { own } from '../elicitation/json.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import type { Development } from './development.ts';
import type { OAuth } from './oauth.ts';

/** Which elicitation modes are declared to a server. */
export type Advertise = 'both' | 'form' | 'url' | 'none';
export type ModePolicy = 'ask' | 'decline';

export interface DefinitionBase {
	/** The configured name. The user knows the server only by this name (F01). */
	readonly name: string;
	/** `auto`, or the only protocol revision to use. */
	readonly protocolVersion: string;
	readonly elicitation: { readonly form: ModePolicy; readonly url: ModePolicy; readonly advertise: Advertise };
	/** The roots to list: the workspace folders, none (roots are not declared then), or these `file:` URIs. */
	readonly roots: 'workspace' | 'none' | readonly string[];
	/** Whether the user is asked for the responses of language models that the server requests, or that is not declared. */
	readonly sampling: 'ask' | 'none';
	/** It is listed, and not started. */
	readonly disabled?: true;
	readonly dev?: Development;
}

export interface StdioDefinition extends DefinitionBase {
	readonly type: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd?: string;
	/** Added to the small inherited environment. `null` removes a variable. */
	readonly env: Readonly<Record<string, string | null>>;
	readonly envFile?: string;
}

export interface HttpDefinition extends DefinitionBase {
	/** `http` falls back to `sse` for old servers. */
	readonly type: 'http' | 'sse';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly oauth?: OAuth;
}

/** A validated server definition. The shape of `mcp.json`, see the README. */
export type ServerDefinition = StdioDefinition | HttpDefinition;

/** Whether a server is a program that is started here, and reached by its standard input and output. */
export function isProgram(definition: ServerDefinition): definition is StdioDefinition {
	return definition.type === 'stdio';
}

/** Whether a server is reached at a URL. */
export function hasUrl(definition: ServerDefinition): definition is HttpDefinition {
	return definition.type === 'http' || definition.type === 'sse';
}

/**
 * The Unix socket or the named pipe that a URL names, and the path of HTTP in its fragment.
 * @see https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
 */
export function socketOf(url: string): { readonly socketPath: string; readonly path: string } | undefined {
	const [, kind = '', place = '', path = ''] = /^(unix|pipe):\/\/\.?(\/[^?#]+)(?:#(.*))?$/is.exec(url) ?? [];
	if (place === '') {
		return undefined;
	}
	const name = unescaped(place);
	const socketPath = kind.toLowerCase() === 'pipe' ? `\\\\.${name.replaceAll('/', '\\')}` : name;
	return { socketPath, path: path.startsWith('/') ? path : `/${path}` };
}

/** True for an absolute `http:` or `https:` URL. */
export function isHttpUrl(text: string): boolean {
	return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');
}

/** A part of a URL without escapes, or as it is if it has wrong ones. */
export function unescaped(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The program that definitions of this extension start, in its folder or from the package registry. */
const OWN_PROGRAM = /(?:^mcp-elicitation(?:@[\w.-]+)?|[\\/]dist[\\/]clients\.mjs)$/;

/** Whether a definition leads back to a window of this extension: other clients are to use it. */
export function leadsBack(definition: unknown): boolean {
	const [command, args] = [own(definition, 'command'), own(definition, 'args')];
	const words = [command, ...(Array.isArray(args) ? args : [])];
	const at = words.findIndex((word) => typeof word === 'string' && OWN_PROGRAM.test(word));
	return at >= 0 && words[at + 1] === 'connect';
}
