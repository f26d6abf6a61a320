import type { ServerDefinition } from '../config/definition.ts';
import { type Disposable, Emitter } from '../elicitation/emitter.ts';
import { isObject } from '../elicitation/json.ts';
import type { ConnectionContext, ServerLog } from './clientSession.ts';
import { Connection } from './connection.ts';

interface Member {
	/** The definition as it is configured; the connection's own has a value for every variable. */
	readonly wanted: ServerDefinition;
	readonly connection: Connection;
	readonly subscription: Disposable;
}

/** Wanted definitions and live connections, by configured name. */
export class ConnectionManager {
	readonly #members = new Map<string, Member>();
	/** Connections that exist for a test, by names that no definition has. */
	readonly #temporary = new Map<string, Connection>();
	/** The ends of connections that are nobody's any more: what comes in their place starts after them. */
	readonly #retired = new Map<string, Promise<unknown>>();
	readonly #changed = new Emitter<void>();

	readonly onDidChange = this.#changed.event;

	constructor(private readonly context: ConnectionContext) {}

	/** In the order of the definitions. */
	get connections(): readonly Connection[] {
		return [...this.#members.values()].map(({ connection }) => connection);
	}

	get(name: string): Connection | undefined {
		return this.#members.get(name)?.connection ?? this.#temporary.get(name);
	}

	/**
	 * A connection that is nobody's but its borrower's, until it is taken back: no update of the wanted definitions concerns it.
	 * @param of the server whose sign-in it shares, as another window would: it has none of its own
	 */
	openTemporaryConnection(definition: ServerDefinition, of: string): Connection {
		const connection = new Connection(definition, { ...this.context, log: () => this.#logOf(definition.name, of) }, of);
		connection.onDidChange(() => this.#changed.fire());
		this.#temporary.set(definition.name, connection);
		this.#changed.fire();
		return connection;
	}

	/** Ends a connection that was lent. */
	async closeTemporaryConnection(name: string): Promise<void> {
		const connection = this.#temporary.get(name);
		this.#temporary.delete(name);
		await (connection && this.#retire(connection));
		this.#changed.fire();
	}

	/** The definition that a server was given when the wanted ones were last taken over. */
	wanted(name: string): ServerDefinition | undefined {
		return this.#members.get(name)?.wanted;
	}

	/** The connection to start a wanted server with, now that its variables have values; undefined when it is not wanted. */
	resolve(definition: ServerDefinition): Connection | undefined {
		const { name } = definition;
		const member = this.#members.get(name);
		if (!member || same(member.connection.definition, definition)) {
			return member?.connection;
		}
		this.#dismiss(member);
		return this.#add(member.wanted, definition).connection;
	}

	/**
	 * Takes over the wanted definitions: connections that changed or are gone are stopped, the others are left alone.
	 * Returns the names of running servers whose definition changed: they are stopped, and may be started again.
	 */
	update(definitions: readonly ServerDefinition[]): string[] {
		const before = new Map(this.#members);
		const stopped: string[] = [];
		this.#members.clear();
		for (const definition of definitions) {
			const existing = before.get(definition.name);
			if (existing && same(existing.wanted, definition)) {
				this.#members.set(definition.name, existing);
				before.delete(definition.name);
				continue;
			}
			if (existing) {
				if (existing.connection.state !== 'stopped') {
					stopped.push(definition.name);
				}
				this.#dismiss(existing);
				before.delete(definition.name);
			}
			this.#add(definition, definition);
		}
		for (const member of before.values()) {
			this.#dismiss(member);
		}
		this.#changed.fire();
		return stopped;
	}

	/** What happens to a connection that was lent is told in the log of its server: one of its own would outlive it. */
	#logOf(name: string, of: string): ServerLog {
		const log = this.context.log(of);
		const marked = (text: string) => `[${name}] ${text}`;
		return {
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

	/** Ends every connection and every process. */
	async dispose(): Promise<void> {
		const connections = [...this.connections, ...this.#temporary.values()];
		await Promise.all([...connections.map((connection) => connection.stop()), ...this.#retired.values()]);
	}

	#dismiss({ connection, subscription }: Member): void {
		subscription.dispose();
		void this.#retire(connection);
	}

	/** Ends a connection; resolves when it and its predecessors have ended. */
	#retire(connection: Connection): Promise<unknown> {
		const { name } = connection;
		const ended: Promise<unknown> = Promise.all([this.#retired.get(name), connection.stop()]).finally(() => {
			if (this.#retired.get(name) === ended) {
				this.#retired.delete(name);
			}
		});
		this.#retired.set(name, ended);
		return ended;
	}
}

/** In whatever order their members stand. */
function same(one: ServerDefinition, other: ServerDefinition): boolean {
	return canonical(one) === canonical(other);
}

function canonical(definition: ServerDefinition): string {
	return JSON.stringify(definition, (_name, value) =>
		isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value,
	);
}
