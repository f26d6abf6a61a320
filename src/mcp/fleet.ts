import type { ServerDefinition } from '../config/definition.ts';
import { type Disposable, Emitter } from '../elicitation/emitter.ts';
import { Connection } from './connection.ts';
import type { ConnectionContext } from './session.ts';

/** Wanted definitions and live connections, by configured name. */
export class Fleet {
	readonly #connections = new Map<string, { connection: Connection; subscription: Disposable }>();
	readonly #changed = new Emitter<void>();

	readonly onDidChange = this.#changed.event;

	constructor(private readonly context: ConnectionContext) {}

	/** In the order of the definitions. */
	get connections(): readonly Connection[] {
		return [...this.#connections.values()].map(({ connection }) => connection);
	}

	get(name: string): Connection | undefined {
		return this.#connections.get(name)?.connection;
	}

	/**
	 * Takes over the wanted definitions: connections that changed or are gone are stopped, the others are left alone.
	 * Resolves to the names of running servers whose definition changed: they are stopped, and may be started again.
	 */
	async update(definitions: readonly ServerDefinition[]): Promise<string[]> {
		const before = new Map(this.#connections);
		const stopped: string[] = [];
		const ending: Promise<void>[] = [];
		this.#connections.clear();
		for (const definition of definitions) {
			const existing = before.get(definition.name);
			if (existing && JSON.stringify(existing.connection.definition) === JSON.stringify(definition)) {
				this.#connections.set(definition.name, existing);
				before.delete(definition.name);
				continue;
			}
			if (existing && existing.connection.state !== 'stopped') {
				stopped.push(definition.name);
			}
			const connection = new Connection(definition, this.context);
			const subscription = connection.onDidChange(() => this.#changed.fire());
			this.#connections.set(definition.name, { connection, subscription });
		}
		for (const { connection, subscription } of before.values()) {
			subscription.dispose();
			ending.push(connection.stop());
		}
		await Promise.all(ending);
		this.#changed.fire();
		return stopped;
	}

	/** Ends every connection and every process. */
	async dispose(): Promise<void> {
		await Promise.all(this.connections.map((connection) => connection.stop()));
	}
}
