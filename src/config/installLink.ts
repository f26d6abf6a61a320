import { isFilledText, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import { definitionOf } from './commandLine.ts';
import { unescaped } from './definition.ts';
import { parseText } from './text.ts';

/** JSON in the shape of a client, with definitions and their inputs. */
export interface Linked {
	readonly document: Json;
}

/** What is to be pasted in place of what has no definition. */
export const PASTE_INSTEAD = localizable(
	'Paste what its documentation says for other clients: a command line, the URL of the server, or JSON.',
);

/** Clients whose links have a scheme of their own. */
const CLIENTS: Readonly<Record<string, string>> = {
	vscode: 'VS Code',
	'vscode-insiders': 'VS Code Insiders',
	'code-oss': 'Code - OSS',
	vscodium: 'VSCodium',
	cursor: 'Cursor',
	windsurf: 'Windsurf',
	kiro: 'Kiro',
	claude: 'Claude',
	lmstudio: 'LM Studio',
	goose: 'goose',
	raycast: 'Raycast',
	zed: 'Zed',
};

/** Web pages that install servers, lead to where they are installed, or tell of them; none of them is a server. */
const PAGES: readonly (readonly [host: RegExp, path: RegExp])[] = [
	[/^(?:insiders\.)?vscode\.dev$/, /^/],
	[/^code\.visualstudio\.com$|^marketplace\.visualstudio\.com$|^open-vsx\.org$/, /^/],
	[/^(?:www\.)?(?:cursor\.com|cursor\.directory|lmstudio\.ai|kiro\.dev|raycast\.com|zed\.dev|windsurf\.com)$/, /^/],
	[/^block\.github\.io$/, /^\/goose(?:\/|$)/],
	[/^(?:www\.)?claude\.ai$/, /^/],
	[/^(?:www\.)?smithery\.ai$/, /^/],
	[/^(?:www\.)?glama\.ai$/, /^\/mcp\/servers(?:\/|$)/],
	[/^(?:www\.)?(?:pulsemcp\.com|mcp\.so|mcpservers\.org|mcpmarket\.com)$|^registry\.modelcontextprotocol\.io$/, /^/],
	[/^(?:www\.|gist\.)?github\.com$|^raw\.githubusercontent\.com$|^(?:www\.)?bitbucket\.org$/, /^/],
	[/^(?:www\.)?gitlab\.com$/, /^(?!\/api\/)/],
	[/^(?:www\.)?(?:npmjs\.com|pypi\.org|nuget\.org)$|^hub\.docker\.com$/, /^/],
];

/** A scheme, but no drive of Windows, and no host with a port. */
const SCHEME = /^([a-z][a-z\d+.-]+):(?!\d+(?:[/?#]|$))\S/i;

/** Pages lead to pages that lead to links. */
const MAX_REDIRECTS = 5;

/** Parameters of links that hold a definition or a document of definitions. */
const HOLDERS = ['config', 'server', 'definition', 'data', 'json'];

/**
 * Reads a link that installs a server in a client, or a page that leads to one. Nothing is fetched.
 * @returns a sentence that says what it is if there is no definition in it; undefined for everything else, such as URLs of servers
 */
export function readLink(text: string, redirects = 0): Linked | Sentence | undefined {
	const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
	const isWeb = scheme === 'http' || scheme === 'https';
	if (scheme === undefined || scheme === 'unix' || scheme === 'pipe' || (isWeb && !isPage(text))) {
		return undefined;
	}
	const query = /\?(.*)$/s.exec(text)?.[1] ?? '';
	const params = new URLSearchParams(query.replace(/#[^#&]*$/, '').replaceAll('&amp;', '&'));
	const target = params.get('url') ?? '';
	const linked = redirects < MAX_REDIRECTS ? readLink(target, redirects + 1) : undefined;
	const document = linked ? undefined : (documentIn(query, params) ?? describedIn(params, isWeb));
	return linked ?? (document === undefined ? named(text, scheme, isWeb) : { document });
}

function isPage(text: string): boolean {
	const { hostname, pathname } = parseUrl(text) ?? { hostname: '', pathname: '' };
	return PAGES.some(([host, path]) => host.test(hostname.replace(/\.$/, '')) && path.test(pathname));
}

/** The definitions in a query: all of it, or one of its parameters beside the name and the inputs. */
function documentIn(query: string, params: URLSearchParams): Json | undefined {
	const whole = decoded(query);
	if (isObject(whole)) {
		return whole;
	}
	const held = HOLDERS.map((name) => decoded(params.get(name) ?? '')).find((value) => value !== undefined);
	const document = typeof held === 'string' ? definitionOf(held) : held;
	return isObject(document) ? completed(document, params) : undefined;
}

function completed(document: JsonObject, params: URLSearchParams): JsonObject {
	const inputs = decoded(params.get('inputs') ?? '');
	const name = params.get('name');
	const isDefinition = ['command', 'url', 'serverUrl', 'httpUrl'].some((member) => own(document, member) !== undefined);
	return {
		...document,
		...(isFilledText(name) && isDefinition && { name }),
		...(own(document, 'inputs') === undefined && Array.isArray(inputs) && { inputs }),
	};
}

/** A server whose definition is spread over parameters. */
function describedIn(params: URLSearchParams, isWeb: boolean): JsonObject | undefined {
	const first = (...names: string[]) => names.map((name) => params.get(name)).find(isFilledText);
	const command = first('command', 'cmd');
	const url = isWeb ? undefined : first('url', 'serverUrl', 'httpUrl');
	if (command === undefined && !/^https?:/i.test(url ?? '')) {
		return undefined;
	}
	const list = decoded(first('args') ?? '');
	const args = [...params.getAll('arg'), ...(Array.isArray(list) ? list : params.getAll('args'))];
	const named = decoded(first('env') ?? '');
	// As goose has it: what the user has to provide, and what it is.
	const asked = isObject(named) ? [] : params.getAll('env').flatMap((text) => text.match(/^\w+(?==)/) ?? []);
	const env = isObject(named) ? named : Object.fromEntries(asked.map((name) => [name, `\${input:${name}}`]));
	const inputs = asked.map((id) => ({ id, type: 'promptString', password: true }));
	const definition = command === undefined ? { url: url ?? '' } : { command, ...(args.length > 0 && { args }) };
	const all = { ...definition, ...(Object.keys(env).length > 0 && { env }), ...(inputs.length > 0 && { inputs }) };
	return completed(all as JsonObject, params);
}

/** Why there is no definition in a link. */
function named(text: string, scheme: string, isWeb: boolean): Sentence {
	const byName = /\bmcp\/by-name\/([^?#]+)/i.exec(text)?.[1];
	if (byName !== undefined) {
		return localizable(
			'This link names "{0}" in a registry of the editor, and has no definition in it. {1}',
			unescaped(byName),
			PASTE_INSTEAD,
		);
	}
	if (isWeb) {
		return localizable(
			'This URL is one of {0} for people to read, and not of a server. {1}',
			new URL(text).host,
			PASTE_INSTEAD,
		);
	}
	const client = Object.hasOwn(CLIENTS, scheme) ? CLIENTS[scheme] : undefined;
	return client === undefined
		? localizable(
				'Enter an http: or https: address. A link that begins with "{0}" is no server. {1}',
				`${scheme}:`,
				PASTE_INSTEAD,
			)
		: localizable('This is a link for {0}, without a definition that can be read here. {1}', client, PASTE_INSTEAD);
}

/** JSON, or a command line, as links have it: escaped once or more often, or in base64. Undefined for anything else. */
function decoded(text: string): Json | undefined {
	const plain = [text, unescaped(text), unescaped(unescaped(text))].find((each) => /^\s*[[{]/.test(each));
	if (plain !== undefined) {
		return parseText(plain).value as Json | undefined;
	}
	// In a query, a space is written as a plus.
	const base64 = unescaped(text).replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
	try {
		const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
		const inside = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
		return /^[[{]/.test(inside) ? (parseText(inside).value as Json | undefined) : inside || undefined;
	} catch {
		return undefined;
	}
}
