import { visibleOnOneLine } from '../elicitation/display.ts';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { REVISIONS } from '../elicitation/revisions.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import { whyRefused } from '../elicitation/url/urlSafety.ts';
import {
	type DefinitionBase,
	type HttpDefinition,
	isHttpUrl,
	type ServerDefinition,
	type StdioDefinition,
	socketOf,
} from './definition.ts';
import { readDevelopment } from './development.ts';
import { type OAuth, oauthMembers } from './oauth.ts';
import {
	type ConfigProblem,
	type DefinitionProblem,
	error,
	type JsonPath,
	notOneOf,
	unknownMembers,
	valueAt,
	warning,
} from './problem.ts';

/** Supported members. */
export const MEMBERS = [
	'type',
	'command',
	'args',
	'cwd',
	'env',
	'envFile',
	'url',
	'headers',
	'oauth',
	'protocolVersion',
	'elicitation',
	'roots',
	'sampling',
	'disabled',
	'dev',
] as const;

/** Members that other clients of the same files use. Ignored without a problem. */
const FOREIGN = new Set(
	(
		'gallery version sandbox sandboxEnabled name title description enabled autoApprove alwaysAllow alwaysLoad ' +
		'tools timeout initTimeout trust icon icons metadata note comment $comment headersHelper watchPaths disabledTools ' +
		'enabledTools includeTools excludeTools auth'
	).split(' '),
);

/** Members of `oauth` that VS Code has beside ours. */
const OAUTH_OF_EDITOR = new Set(['enterpriseManaged']);

/** Other clients' names for types. */
const TYPE_ALIASES: Readonly<Record<string, 'stdio' | 'http'>> = {
	local: 'stdio',
	remote: 'http',
	'streamable-http': 'http',
	streamable_http: 'http',
	streamableHttp: 'http',
};

/** Reads an object of definitions by name. Reports and skips invalid ones. */
export function readServers(raw: unknown): { servers: ServerDefinition[]; problems: DefinitionProblem[] } {
	const servers: ServerDefinition[] = [];
	const problems: DefinitionProblem[] = [];
	if (!isObject(raw)) {
		return { servers, problems };
	}
	for (const [name, value] of Object.entries(raw)) {
		const reader = new Reader(name, value);
		const definition = reader.read();
		if (definition && !reader.failed) {
			servers.push(definition);
		}
		problems.push(...reader.problems.map((problem) => ({ server: name, ...problem })));
	}
	return { servers, problems };
}

/** Longer names would push what they stand beside out of view (characters, as they are shown). */
const MAX_NAME_LENGTH = 200;

/** Reads one definition and collects all of its problems, so that the user can fix them at once. */
class Reader {
	readonly problems: ConfigProblem[] = [];

	constructor(
		private readonly server: string,
		private readonly value: Json,
	) {}

	/** True if the definition cannot be used. */
	get failed(): boolean {
		return this.problems.some(({ severity }) => severity === 'error');
	}

	read(): ServerDefinition | undefined {
		if (this.server.trim() === '') {
			this.#fail([], localizable('needs a name, under which its requests are shown.'));
		}
		if (visibleOnOneLine(this.server).length > MAX_NAME_LENGTH) {
			this.#fail([], localizable('has a name that is longer than {0} characters.', MAX_NAME_LENGTH));
		}
		if (!isObject(this.value)) {
			this.#fail([], localizable('must be an object with "command" (a program) or "url" (an HTTP address).'));
			return undefined;
		}
		this.problems.push(...unknownMembers(this.value, [], MEMBERS, FOREIGN));
		const base = {
			name: this.server,
			protocolVersion: this.#oneOf(['protocolVersion'], ['auto', ...REVISIONS], 'auto'),
			elicitation: this.#elicitation(),
			roots: this.#roots(),
			sampling: this.#oneOf<'ask' | 'none'>(['sampling'], ['ask', 'none'], 'none'),
			...(this.#isDisabled() && { disabled: true as const }),
			...this.#development(),
		};
		const type = this.#type();
		if (type === undefined) {
			return undefined;
		}
		return type === 'stdio' ? this.#stdio(base) : this.#http(base, type);
	}

	/** Clients have one of two names for it. */
	#isDisabled(): boolean {
		const [disabled, enabled] = (['disabled', 'enabled'] as const).map((member) => {
			const value = own(this.value, member);
			if (value !== undefined && typeof value !== 'boolean') {
				this.#fail([member], localizable('must be true or false.'));
			}
			return value;
		});
		return disabled === true || enabled === false;
	}

	#type(): 'stdio' | 'http' | 'sse' | undefined {
		const hasCommand = own(this.value, 'command') !== undefined;
		const hasUrl = own(this.value, 'url') !== undefined;
		const type = own(this.value, 'type');
		if (type === undefined) {
			if (hasCommand === hasUrl) {
				this.#fail(
					[],
					hasCommand
						? localizable('has both "command" and "url"; keep one, or say which with "type".')
						: localizable('has neither "command" nor "url"; add one.'),
				);
				return undefined;
			}
			return hasCommand ? 'stdio' : 'http';
		}
		if (typeof type === 'string' && Object.hasOwn(TYPE_ALIASES, type)) {
			return TYPE_ALIASES[type];
		}
		const known = this.#oneOf(['type'], ['stdio', 'http', 'sse'], 'stdio');
		return this.failed ? undefined : known;
	}

	#stdio(base: DefinitionBase): StdioDefinition {
		const cwd = this.#text('cwd');
		const envFile = this.#text('envFile');
		return {
			...base,
			type: 'stdio',
			command: this.#text('command', true) ?? '',
			args: this.#list('args'),
			env: this.#environment(),
			...(cwd !== undefined && { cwd }),
			...(envFile !== undefined && { envFile }),
		};
	}

	#http(base: DefinitionBase, type: 'http' | 'sse'): HttpDefinition {
		const url = this.#text('url', true) ?? '';
		// The URL may contain variables. It is checked again after they are resolved.
		const problem = url === '' || url.includes('${') ? undefined : urlProblem(url);
		if (problem) {
			this.#fail(['url'], problem);
		}
		const oauth = this.#oauth();
		return { ...base, type, url, headers: this.#headers(), ...(oauth && { oauth }) };
	}

	#oauth(): OAuth | undefined {
		const value = own(this.value, 'oauth');
		if (value === undefined) {
			return undefined;
		}
		if (!isObject(value)) {
			this.#fail(['oauth'], localizable('must be an object.'));
			return undefined;
		}
		this.problems.push(...unknownMembers(value, ['oauth'], Object.keys(oauthMembers), OAUTH_OF_EDITOR));
		for (const member of OAUTH_OF_EDITOR) {
			if (own(value, member) !== undefined) {
				const message = localizable('is known to VS Code, and not supported here; it has no effect.');
				this.problems.push({ ...warning(['oauth', member], message), inName: true });
			}
		}
		const oauth: Record<string, Json> = {};
		for (const [name, { fits, message }] of Object.entries(oauthMembers)) {
			const member = own(value, name);
			if (member !== undefined && !fits(member)) {
				this.#fail(['oauth', name], message);
			} else if (member !== undefined) {
				oauth[name] = member;
			}
		}
		return oauth;
	}

	#elicitation(): DefinitionBase['elicitation'] {
		const value = own(this.value, 'elicitation');
		if (value !== undefined && !isObject(value)) {
			this.#fail(['elicitation'], localizable('must be an object.'));
		}
		this.problems.push(...unknownMembers(value, ['elicitation'], ['form', 'url', 'advertise']));
		return {
			form: this.#oneOf(['elicitation', 'form'], ['ask', 'decline'], 'ask'),
			url: this.#oneOf(['elicitation', 'url'], ['ask', 'decline'], 'ask'),
			advertise: this.#oneOf(['elicitation', 'advertise'], ['both', 'form', 'url', 'none'], 'both'),
		};
	}

	#roots(): DefinitionBase['roots'] {
		if (!Array.isArray(own(this.value, 'roots'))) {
			return this.#oneOf<'workspace' | 'none'>(['roots'], ['workspace', 'none'], 'workspace');
		}
		const roots = this.#list('roots');
		for (const [index, root] of roots.entries()) {
			// May contain variables, and is checked again after they are resolved.
			const problem = rootProblem(root);
			if (problem) {
				this.#fail(['roots', index], problem);
			}
		}
		return roots;
	}

	#development(): Pick<DefinitionBase, 'dev'> {
		const value = own(this.value, 'dev');
		if (value === undefined) {
			return {};
		}
		this.problems.push(...unknownMembers(value, ['dev'], ['watch', 'replay', 'debug']));
		const { development, problems } = readDevelopment(value);
		this.problems.push(...problems);
		return { dev: development };
	}

	#environment(): Record<string, string | null> {
		const value = own(this.value, 'env');
		for (const name of isObject(value) ? Object.keys(value) : []) {
			// The system reads up to the first "=", so the variable would be another than the one that is shown.
			if (name.includes('=')) {
				this.#fail(['env', name], localizable('must not have "=" in its name.'));
			}
		}
		return this.#map('env', localizable('must be a string, a number, or null.'), (value) =>
			value === null || typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
		);
	}

	#headers(): Record<string, string> {
		return this.#map('headers', localizable('must be a string.'), (value) =>
			typeof value === 'string' ? value : undefined,
		);
	}

	#map<T>(member: string, message: Sentence, read: (value: Json) => T | undefined): Record<string, T> {
		const result: Record<string, T> = Object.create(null);
		const value = own(this.value, member);
		if (value === undefined) {
			return result;
		}
		if (!isObject(value)) {
			this.#fail([member], localizable('must be an object.'));
			return result;
		}
		for (const [name, item] of Object.entries(value)) {
			const entry = read(item);
			if (entry === undefined) {
				this.#fail([member, name], message);
			} else {
				result[name] = entry;
			}
		}
		return result;
	}

	#list(member: string): string[] {
		const value = own(this.value, member) ?? [];
		if (!Array.isArray(value)) {
			this.#fail([member], localizable('must be a list of strings.'));
			return [];
		}
		return value.map((item, index) => {
			if (typeof item === 'string' || typeof item === 'number') {
				return String(item);
			}
			this.#fail([member, index], localizable('must be a string.'));
			return '';
		});
	}

	#text(member: string, required = false): string | undefined {
		const value = own(this.value, member);
		if (value === undefined && !required) {
			return undefined;
		}
		if (typeof value !== 'string' || value.trim() === '') {
			this.#fail([member], localizable('must be a string that is not empty.'));
			return undefined;
		}
		return value;
	}

	#oneOf<T extends string>(path: JsonPath, allowed: readonly T[], fallback: T): T {
		const value = valueAt(this.value, path);
		if (value === undefined) {
			return fallback;
		}
		const found = allowed.find((item) => item === value);
		if (found === undefined) {
			this.problems.push(notOneOf(path, allowed, value));
			return fallback;
		}
		return found;
	}

	#fail(path: JsonPath, message: Sentence): void {
		this.problems.push(error(path, message));
	}
}

/** Why a server cannot be reached at a URL, or only by deceiving the user about its host; undefined if it can. */
export function urlProblem(url: string): Sentence | undefined {
	if (socketOf(url)) {
		return undefined;
	}
	if (/^(?:unix|pipe):/i.test(url)) {
		return localizable(
			'must have the path of a socket, and then that of the server, like "{0}".',
			'unix:///run/x.sock#/mcp',
		);
	}
	if (!isHttpUrl(url)) {
		return localizable('must be an http: or https: address, not "{0}".', url);
	}
	const reason = whyRefused(url, { insecure: 'always' });
	return reason && localizable('cannot be used. {0}', reason);
}

/** Why a root cannot be listed: it must be an absolute `file:` URI. With variables, it may become one. */
export function rootProblem(root: string): Sentence | undefined {
	return root.includes('${') || (/^file:\/\//i.test(root) && parseUrl(root))
		? undefined
		: localizable('must be a file: URI, not "{0}".', root);
}
