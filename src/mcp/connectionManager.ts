import type { ServerDefinition } from '../config/definition.ts';
import { type Disposable, Emitter } from '../elicitation/emitter.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import type { Json } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { Connection } from './connection.ts';
import type { ConnectionContext } from './connectionContext.ts';
import type { ServerLog } from './logMessages.ts';

/** What to do about calls that end with a definition. */
const CHANGED = localizable('Its definition has changed. Make the call again.');
const GONE = localizable('It is not defined any more, or turned off. Define it again, then make the call again.');

interface Member {
	/** The definition as configured. The connection's own definition has its variables resolved. */
	readonly wanted: ServerDefinition;
	readonly connection: Connection;
	readonly subscription: Disposable;
}

/** Configured definitions and their connections, by name. */
export class ConnectionManager {
	readonly #members = new Map<string, Member>();
	/** Temporary connections, under names that no definition has. */
	readonly #temporary = new Map<string, Connection>();
	/** Connections that are closing. Their successors of the same name wait for them. */
	readonly #retired = new Map<string, Promise<unknown>>();
	readonly #changed = new Emitter<void>();

	readonly onDidChange = this.#changed.event;

	constructor(private readonly context: ConnectionContext) {}

	/** In configuration order. */
	get connections(): readonly Connection[] {
		return [...this.#members.values()].map(({ connection }) => connection);
	}

	get(name: string): Connection | undefined {
		return this.#members.get(name)?.connection ?? this.#temporary.get(name);
	}

	/**
	 * Opens a connection that isn't in the configuration and that `update` doesn't touch. Close it with
	 * `closeTemporaryConnection`.
	 * @param of the server whose credentials it shares
	 */
	openTemporaryConnection(definition: ServerDefinition, of: string): Connection {
		const connection = new Connection(definition, { ...this.context, log: () => this.#logOf(definition.name, of) }, of);
		connection.onDidChange(() => this.#changed.fire());
		this.#temporary.set(definition.name, connection);
		this.#changed.fire();
		return connection;
	}

	/** Closes a temporary connection. */
	async closeTemporaryConnection(name: string): Promise<void> {
		const connection = this.#temporary.get(name);
		this.#temporary.delete(name);
		await (connection && this.#retire(connection));
		this.#changed.fire();
	}

	/** The configured definition as of the last update. */
	wanted(name: string): ServerDefinition | undefined {
		return this.#members.get(name)?.wanted;
	}

	/**
	 * The connection to start a configured server with, once its variables are resolved; `undefined` if it is not
	 * configured.
	 */
	resolve(definition: ServerDefinition): Connection | undefined {
		const { name } = definition;
		const member = this.#members.get(name);
		if (!member || same(member.connection.definition, definition)) {
			return member?.connection;
		}
		this.#dismiss(member, CHANGED);
		return this.#add(member.wanted, definition).connection;
	}

	/**
	 * Applies a new configuration: connections whose definition changed or is gone are stopped, all others are untouched.
	 * Returns the names of the servers that were stopped because their definition changed, so that they can be restarted.
	 * @param others the names of those that are other servers now, although the definition may be the same
	 */
	update(definitions: readonly ServerDefinition[], others: ReadonlySet<string> = new Set()): string[] {
		const before = new Map(this.#members);
		const stopped: string[] = [];
		this.#members.clear();
		for (const definition of definitions) {
			const existing = before.get(definition.name);
			if (existing && !others.has(definition.name) && same(existing.wanted, definition)) {
				this.#members.set(definition.name, existing);
				before.delete(definition.name);
				continue;
			}
			if (existing) {
				if (existing.connection.state !== 'stopped') {
					stopped.push(definition.name);
				}
				this.#dismiss(existing, CHANGED);
				before.delete(definition.name);
			}
			this.#add(definition, definition);
		}
		for (const member of before.values()) {
			this.#dismiss(member, GONE);
		}
		this.#changed.fire();
		return stopped;
	}

	/** Temporary connections log to their server's log, because a log of their own would outlive them. */
	#logOf(name: string, of: string): ServerLog {
		const log = this.context.log(of);
		const marked = (text: string) => `[${name}] ${text}`;
		return {
			get level() {
				return log.level;
			},
			onDidChangeLevel: log.onDidChangeLevel,
			debug: (text) => log.debug(marked(text)),
			info: (text) => log.info(marked(text)),
			warn: (text) => log.warn(marked(text)),
			error: (text) => log.error(marked(text)),
			stderr: (text) => log.stderr(marked(text)),
		};
	}

	#add(wanted: ServerDefinition, definition: ServerDefinition): Member {
		const { name } = wanted;
		const connection = new Connection(definition, this.context, name, this.#retired.get(name));
		const member = { wanted, connection, subscription: connection.onDidChange(() => this.#changed.fire()) };
		this.#members.set(name, member);
		return member;
	}

	/** Stops every connection and its processes. */
	async dispose(): Promise<void> {
		const connections = [...this.connections, ...this.#temporary.values()];
		await Promise.all([...connections.map((connection) => connection.stop()), ...this.#retired.values()]);
	}

	#dismiss({ connection, subscription }: Member, fix: Sentence): void {
		subscription.dispose();
		void this.#retire(connection, fix);
	}

	/** Stops a connection. Resolves when it and its predecessors have ended. */
	#retire(connection: Connection, fix?: Sentence): Promise<unknown> {
		const { name } = connection;
		const ended: Promise<unknown> = Promise.all([this.#retired.get(name), connection.stop(fix)]).finally(() => {
			if (this.#retired.get(name) === ended) {
				this.#retired.delete(name);
			}
		});
		this.#retired.set(name, ended);
		return ended;
	}
}

/** Ignores the order of members. */
function same(one: ServerDefinition, other: ServerDefinition): boolean {
	return sameJson(one as unknown as Json, other as unknown as Json);
}
