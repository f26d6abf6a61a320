import { isObject, type Json, own } from '../elicitation/json.ts';
import { type Sentence, say } from '../elicitation/sentence.ts';

/** Which modes of elicitation are offered to a server. */
export type Advertise = 'both' | 'form' | 'url' | 'none';
export type ModePolicy = 'ask' | 'decline';

interface DefinitionBase {
	/** The configured name: the only name under which the person knows the server (F01). */
	readonly name: string;
	/** `auto`, or a protocol revision that is spoken and nothing else. */
	readonly protocolVersion: string;
	readonly elicitation: { readonly form: ModePolicy; readonly url: ModePolicy; readonly advertise: Advertise };
}

export interface StdioDefinition extends DefinitionBase {
	readonly type: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd?: string;
	/** Added to the small inherited environment; `null` takes a variable away. */
	readonly env: Readonly<Record<string, string | null>>;
	readonly envFile?: string;
}

export interface HttpDefinition extends DefinitionBase {
	/** `http` falls back to `sse` when the server is that old. */
	readonly type: 'http' | 'sse';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** A server as the person defined it, checked. Shape as in `mcp.json`, see the README. */
export type ServerDefinition = StdioDefinition | HttpDefinition;

/** What is wrong with one definition; `path` names the setting inside it. */
export interface DefinitionProblem {
	readonly server: string;
	readonly path: string;
	readonly message: Sentence;
}

/** The revisions that a definition may pin. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** Reads `mcpElicitation.servers`. A bad definition is reported and left out; the others are not harmed by it. */
export function readServers(raw: unknown): { servers: ServerDefinition[]; problems: DefinitionProblem[] } {
	const servers: ServerDefinition[] = [];
	const problems: DefinitionProblem[] = [];
	if (!isObject(raw)) {
		return { servers, problems };
	}
	for (const [name, value] of Object.entries(raw)) {
		const reader = new Reader(name, value);
		const definition = reader.read();
		if (definition && reader.problems.length === 0) {
			servers.push(definition);
		}
		problems.push(...reader.problems);
	}
	return { servers, problems };
}

/** Reads one definition and gathers everything that is wrong with it, so that the person mends it once. */
class Reader {
	readonly problems: DefinitionProblem[] = [];

	constructor(
		private readonly server: string,
		private readonly value: Json,
	) {}

	read(): ServerDefinition | undefined {
		if (!isObject(this.value)) {
			this.#fail('', say('must be an object with "command" (a program) or "url" (an HTTP address).'));
			return undefined;
		}
		const base = {
			name: this.server,
			protocolVersion: this.#oneOf('protocolVersion', ['auto', ...REVISIONS], 'auto'),
			elicitation: this.#elicitation(),
		};
		const type = this.#type();
		if (type === undefined) {
			return undefined;
		}
		return type === 'stdio' ? this.#stdio(base) : this.#http(base, type);
	}

	#type(): 'stdio' | 'http' | 'sse' | undefined {
		const hasCommand = own(this.value, 'command') !== undefined;
		const hasUrl = own(this.value, 'url') !== undefined;
		const type = own(this.value, 'type');
		if (type === undefined) {
			if (hasCommand === hasUrl) {
				this.#fail(
					'',
					hasCommand
						? say('has both "command" and "url"; keep one, or say which with "type".')
						: say('has neither "command" nor "url"; add one.'),
				);
				return undefined;
			}
			return hasCommand ? 'stdio' : 'http';
		}
		const known = this.#oneOf('type', ['stdio', 'http', 'sse'], 'stdio');
		return this.problems.length > 0 ? undefined : known;
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
		// A variable may stand for any part of it; what it resolves to is checked once more.
		if (url !== '' && !url.includes('${') && !isHttpUrl(url)) {
			this.#fail('url', notHttpUrl(url));
		}
		return { ...base, type, url, headers: this.#headers() };
	}

	#elicitation(): DefinitionBase['elicitation'] {
		const value = own(this.value, 'elicitation');
		if (value !== undefined && !isObject(value)) {
			this.#fail('elicitation', say('must be an object.'));
		}
		return {
			form: this.#oneOf('elicitation.form', ['ask', 'decline'], 'ask', own(value, 'form')),
			url: this.#oneOf('elicitation.url', ['ask', 'decline'], 'ask', own(value, 'url')),
			advertise: this.#oneOf('elicitation.advertise', ['both', 'form', 'url', 'none'], 'both', own(value, 'advertise')),
		};
	}

	#environment(): Record<string, string | null> {
		return this.#map('env', say('must be text, a number or null.'), (value) =>
			value === null || typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined,
		);
	}

	#headers(): Record<string, string> {
		return this.#map('headers', say('must be text.'), (value) => (typeof value === 'string' ? value : undefined));
	}

	#map<T>(path: string, message: Sentence, read: (value: Json) => T | undefined): Record<string, T> {
		const result: Record<string, T> = Object.create(null);
		const value = own(this.value, path);
		if (value === undefined) {
			return result;
		}
		if (!isObject(value)) {
			this.#fail(path, say('must be an object.'));
			return result;
		}
		for (const [name, item] of Object.entries(value)) {
			const entry = read(item);
			if (entry === undefined) {
				this.#fail(`${path}.${name}`, message);
			} else {
				result[name] = entry;
			}
		}
		return result;
	}

	#list(path: string): string[] {
		const value = own(this.value, path) ?? [];
		if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' || typeof item === 'number')) {
			this.#fail(path, say('must be a list of texts.'));
			return [];
		}
		return value.map(String);
	}

	#text(path: string, required = false): string | undefined {
		const value = own(this.value, path);
		if (value === undefined && !required) {
			return undefined;
		}
		if (typeof value !== 'string' || value.trim() === '') {
			this.#fail(path, say('must be a text that is not empty.'));
			return undefined;
		}
		return value;
	}

	#oneOf<T extends string>(path: string, allowed: readonly T[], fallback: T, value = own(this.value, path)): T {
		if (value === undefined) {
			return fallback;
		}
		const found = allowed.find((item) => item === value);
		if (found === undefined) {
			this.#fail(path, say('must be one of {0}.', allowed.map((item) => `"${item}"`).join(', ')));
			return fallback;
		}
		return found;
	}

	#fail(path: string, message: Sentence): void {
		this.problems.push({ server: this.server, path, message });
	}
}

export function notHttpUrl(url: string): Sentence {
	return say('must be an http: or https: address, not "{0}".', url);
}

/** True for an absolute `http:` or `https:` URL. */
export function isHttpUrl(text: string): boolean {
	try {
		return ['http:', 'https:'].includes(new URL(text).protocol);
	} catch {
		return false;
	}
}
