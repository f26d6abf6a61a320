import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import { isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { Masks } from '../../privacy/masks.ts';
import { redactText } from '../../privacy/patterns.ts';
import type { Privacy } from '../../privacy/privacy.ts';

const KEY = 'recentCalls';

/** Max number of tools that are remembered. */
const MAX_TOOLS = 20;

/** Longer arguments are not remembered (characters of JSON), nor is a tool with a longer name. */
const MAX_LENGTH = 20_000;

/** Stands for a secret until it is left out. No argument can be equal to it by accident. */
const SECRET = '\u0000secret';

export interface RecentCall {
	readonly server: string;
	/** What tells the server from another one of its name. */
	readonly identity: string;
	readonly tool: string;
	/** The arguments of the last call, without secrets. */
	readonly args: JsonObject;
}

function isRecentCall(stored: unknown): stored is RecentCall {
	return (
		typeof own(stored, 'server') === 'string' &&
		typeof own(stored, 'identity') === 'string' &&
		typeof own(stored, 'tool') === 'string' &&
		isObject(own(stored, 'args'))
	);
}

/**
 * The tools that the user called in this workspace, last first. Stores the arguments of each tool's last call, but no
 * value of a secret field, no repetition of one, none of the configuration's secrets and nothing that looks like a
 * credential.
 */
export class RecentCalls {
	constructor(
		private readonly memory: vscode.Memento,
		private readonly privacy: Pick<Privacy, 'hideIn'>,
		private readonly identify: (server: string) => string | undefined,
	) {}

	/** Calls of servers whose definition has not changed since. */
	get all(): readonly RecentCall[] {
		return this.#stored.filter(({ server, identity }) => identity === this.identify(server));
	}

	get #stored(): readonly RecentCall[] {
		const stored = this.memory.get<unknown>(KEY, []);
		return Array.isArray(stored) ? stored.filter(isRecentCall) : [];
	}

	argsOf(server: string, tool: string): JsonObject | undefined {
		return this.all.find((recent) => recent.server === server && recent.tool === tool)?.args;
	}

	async add(server: string, tool: string, schema: JsonObject, args: JsonObject): Promise<void> {
		const identity = this.identify(server);
		if (tool.length > MAX_LENGTH || identity === undefined) {
			return;
		}
		const others = this.#stored.filter(
			(recent) => recent.server !== server || recent.tool !== tool || recent.identity !== identity,
		);
		const recent = [{ server, identity, tool, args: this.#kept(schema, args) }, ...others].slice(0, MAX_TOOLS);
		// Every update is written to disk.
		if (!isDeepStrictEqual(recent, this.#stored)) {
			await this.memory.update(KEY, recent);
		}
	}

	#kept(schema: JsonObject, args: JsonObject): JsonObject {
		const isSecret = (value: unknown) =>
			typeof value === 'string' &&
			(value === SECRET || this.privacy.hideIn(value) !== value || redactText(value) !== value);
		const masked = new Masks(schema).without(args, SECRET);
		const text = JSON.stringify(masked, (_, value) => (isSecret(value) ? undefined : value));
		const kept: Json = text === undefined || text.length > MAX_LENGTH ? {} : JSON.parse(text);
		return isObject(kept) ? kept : {};
	}
}
