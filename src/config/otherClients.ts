import { plainObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { textWithAddition } from './addition.ts';
import { shellLine } from './commandLine.ts';
import { valueAt } from './problem.ts';
import { parseText } from './text.ts';
import { type TomlValue, tomlTable } from './toml.ts';

/** What another client is to start or to connect to. Nothing is added to it: who hands it out leaves out inputs and secrets. */
export type HandedOut =
	| {
			readonly command: string;
			readonly args: readonly string[];
			readonly env?: Readonly<Record<string, string>>;
	  }
	| { readonly url: string };

/** A file in the user's home; the variable, if it is set, names the folder instead. */
interface UserFile {
	readonly variable?: string;
	readonly folder: string;
	readonly file: string;
}

type Platform = 'darwin' | 'linux' | 'win32';

/** Where a definition goes: a file of the workspace, which can be edited; one of the user; or a command line that adds it, or is it. */
export type Place =
	| { readonly kind: 'workspace'; readonly file: string; readonly servers: string }
	| {
			readonly kind: 'user';
			readonly files: Readonly<Partial<Record<Platform, UserFile>>>;
			readonly servers: string;
			readonly format: 'json' | 'toml';
	  }
	| { readonly kind: 'shell'; readonly adding?: { readonly program: Around; readonly url: Around } };

/** The words of a command line before and behind the name of the server. */
type Around = readonly [before: readonly string[], behind: readonly string[]];

type Members = Readonly<Record<string, TomlValue>>;

export interface OtherClient {
	readonly id: string;
	readonly name: Sentence;
	readonly places: readonly Place[];
	/** Letters, digits, hyphens, and underscores are all that it accepts in names. */
	readonly plainNames?: true;
	/** What a definition has beside the program, or beside the URL and under which name that is; absent if it takes none. */
	readonly program: Members;
	readonly url?: { readonly member: 'url' | 'serverUrl'; readonly beside: Members };
}

const everywhere = (file: UserFile) => ({ darwin: file, linux: file, win32: file });
const typed = { program: { type: 'stdio' }, url: { member: 'url', beside: { type: 'http' } } } as const;

/** How long a call may take in clients that would give up on it after a few minutes (s): people answer what it requests. */
const CALL_LIMIT = 24 * 60 * 60;

/** As the makers of the clients document it, or as their users do, in November 2026. Variables such as `${HOME}` mean what they mean to the client. */
export const OTHER_CLIENTS: readonly OtherClient[] = [
	{
		// https://code.visualstudio.com/docs/agents/reference/mcp-configuration: the user's file depends on the profile.
		id: 'vscode',
		name: { text: 'VS Code' },
		places: [{ kind: 'workspace', file: '.vscode/mcp.json', servers: 'servers' }],
		...typed,
	},
	{
		// https://code.claude.com/docs/en/mcp and /env-vars; names: what `claude mcp add` of 2.0 refuses.
		id: 'claude-code',
		name: { text: 'Claude Code' },
		places: [
			{ kind: 'workspace', file: '.mcp.json', servers: 'mcpServers' },
			{
				kind: 'shell',
				adding: {
					program: [['claude', 'mcp', 'add'], ['--']],
					url: [['claude', 'mcp', 'add', '--transport', 'http'], []],
				},
			},
			{
				kind: 'user',
				files: everywhere({ variable: 'CLAUDE_CONFIG_DIR', folder: '', file: '.claude.json' }),
				servers: 'mcpServers',
				format: 'json',
			},
		],
		plainNames: true,
		...typed,
	},
	{
		// https://developers.openai.com/codex/mcp; names: `is_valid_mcp_server_name` in its source. 0.171.0 gives up after 300 s.
		id: 'codex',
		name: { text: 'Codex' },
		places: [
			{
				kind: 'shell',
				adding: { program: [['codex', 'mcp', 'add'], ['--']], url: [['codex', 'mcp', 'add'], ['--url']] },
			},
			{
				kind: 'user',
				files: everywhere({ variable: 'CODEX_HOME', folder: '.codex', file: 'config.toml' }),
				servers: 'mcp_servers',
				format: 'toml',
			},
		],
		plainNames: true,
		program: { tool_timeout_sec: CALL_LIMIT },
		url: { member: 'url', beside: {} },
	},
	{
		// https://cursor.com/docs/mcp
		id: 'cursor',
		name: { text: 'Cursor' },
		places: [
			{ kind: 'workspace', file: '.cursor/mcp.json', servers: 'mcpServers' },
			{
				kind: 'user',
				files: everywhere({ folder: '.cursor', file: 'mcp.json' }),
				servers: 'mcpServers',
				format: 'json',
			},
		],
		program: { type: 'stdio' },
		url: { member: 'url', beside: {} },
	},
	{
		// https://docs.github.com/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers; names: github/copilot-cli 1.0.
		// 1.0.102 gives up after 180 s; its limit is in milliseconds.
		id: 'copilot-cli',
		name: { text: 'GitHub Copilot CLI' },
		places: [
			{ kind: 'workspace', file: '.github/mcp.json', servers: 'mcpServers' },
			{
				kind: 'user',
				files: everywhere({ variable: 'COPILOT_HOME', folder: '.copilot', file: 'mcp-config.json' }),
				servers: 'mcpServers',
				format: 'json',
			},
		],
		plainNames: true,
		program: { type: 'stdio', tools: ['*'], timeout: CALL_LIMIT * 1_000 },
		url: { member: 'url', beside: { type: 'http', tools: ['*'] } },
	},
	{
		// https://docs.devin.ai/desktop/cascade/mcp
		id: 'windsurf',
		name: { text: 'Windsurf' },
		places: [
			{
				kind: 'user',
				files: everywhere({ folder: '.codeium/windsurf', file: 'mcp_config.json' }),
				servers: 'mcpServers',
				format: 'json',
			},
		],
		program: {},
		url: { member: 'serverUrl', beside: {} },
	},
	{
		// https://modelcontextprotocol.io/docs/develop/connect-local-servers: URLs are entered as connectors.
		id: 'claude-desktop',
		name: { text: 'Claude Desktop' },
		places: [
			{
				kind: 'user',
				files: {
					darwin: { folder: 'Library/Application Support', file: 'Claude/claude_desktop_config.json' },
					win32: { variable: 'APPDATA', folder: 'AppData/Roaming', file: 'Claude/claude_desktop_config.json' },
				},
				servers: 'mcpServers',
				format: 'json',
			},
		],
		program: {},
	},
	{
		id: 'other',
		name: localizable('Any Other Client'),
		places: [{ kind: 'shell' }],
		program: {},
		url: { member: 'url', beside: {} },
	},
];

export interface Machine {
	readonly platform: string;
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** The path of a file of the user; undefined if the client has none on this platform. */
export function pathOf({ files }: Extract<Place, { kind: 'user' }>, machine: Machine): string | undefined {
	const isWindows = machine.platform === 'win32';
	const found = files[machine.platform as Platform];
	const parts = found && [(found.variable && machine.env[found.variable]) || [machine.home, found.folder], found.file];
	const path = parts?.flat().filter(Boolean).join('/');
	return isWindows ? path?.replaceAll('/', '\\') : path;
}

/** A name as the client accepts it. */
export function nameFor({ plainNames }: OtherClient, name: string): string {
	return plainNames ? name.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'server' : name;
}

/** The text that defines a server: a whole document, a table, or a command line. A sentence if the client has no such thing. */
export function definitionFor(
	client: OtherClient,
	place: Place,
	name: string,
	handedOut: HandedOut,
	windows: boolean,
): string | Sentence {
	const accepted = nameFor(client, name);
	const definition = definitionIn(client, handedOut);
	if (!definition) {
		return withoutUrls(client);
	}
	if (place.kind === 'shell') {
		if ('url' in handedOut && !place.adding) {
			return handedOut.url;
		}
		if (windows && !place.adding && 'env' in definition) {
			return localizable('It needs environment variables, which no command line sets in all shells of Windows.');
		}
		return shellLine(wordsIn(place, accepted, handedOut), windows);
	}
	return place.kind === 'user' && place.format === 'toml'
		? tomlTable([place.servers, accepted], definition)
		: `${JSON.stringify({ [place.servers]: plainObject([[accepted, definition]]) }, undefined, 2)}\n`;
}

/**
 * The text of a file of the workspace with the server in it, and with everything else as it was. A sentence if the text is no
 * document that can take it.
 */
export function edited(
	text: string,
	client: OtherClient,
	{ servers }: Extract<Place, { kind: 'workspace' }>,
	name: string,
	handedOut: HandedOut,
): { readonly text: string; readonly replaces: boolean } | Sentence {
	const accepted = nameFor(client, name);
	const definition = definitionIn(client, handedOut);
	if (!definition) {
		return withoutUrls(client);
	}
	const shape = { servers: [servers], inputs: ['inputs'], shell: false };
	const written = textWithAddition(text, shape, { servers: [{ name: accepted, definition }], inputs: [] });
	return typeof written === 'string'
		? { text: written, replaces: valueAt(parseText(text).value, [servers, accepted]) !== undefined }
		: written;
}

function definitionIn({ program, url }: OtherClient, handedOut: HandedOut): Members | undefined {
	if ('url' in handedOut) {
		return url && { ...url.beside, [url.member]: handedOut.url };
	}
	const { command, args, env = {} } = handedOut;
	return { ...program, command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function withoutUrls({ name }: OtherClient): Sentence {
	return localizable('{0} takes programs, but no URLs, from its file.', name);
}

function wordsIn({ adding }: Extract<Place, { kind: 'shell' }>, name: string, handedOut: HandedOut): readonly string[] {
	if ('url' in handedOut) {
		const [before, behind] = adding?.url ?? [];
		return [...(before ? [...before, name] : []), ...(behind ?? []), handedOut.url];
	}
	const { command, args, env = {} } = handedOut;
	const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
	if (!adding) {
		return [...(variables.length > 0 ? ['env', ...variables] : []), command, ...args];
	}
	const [before, behind] = adding.program;
	// Behind the name, because the option takes the words that follow as well.
	return [...before, name, ...variables.flatMap((variable) => ['--env', variable]), ...behind, command, ...args];
}
