import * as vscode from 'vscode';
import type { Advertise } from '../config/definition.ts';
import type { Connection, Fleet, ServerState } from '../mcp/index.ts';
import type { Configuration, ConfiguredServer } from './configuration.ts';
import type { Launcher } from './launcher.ts';
import { showError } from './notices.ts';
import { ServerError } from './serverError.ts';
import { t } from './words.ts';

/** One server as the surfaces show it. */
export interface ServerEntry {
	readonly configured: ConfiguredServer;
	readonly state: ServerState;
	/** Present from the first start on. */
	readonly connection?: Connection;
	/** It exists for a test, and ends with it. */
	readonly lent?: true;
}

/** In what a second connection of a server differs from the first. */
export interface Variant {
	readonly advertise?: Advertise;
	/** A revision that is spoken and nothing else. */
	readonly protocolVersion?: string;
}

/** A server as the person knows it: configured, consented to, connected. Every start of a server goes through here. */
export class Servers implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	/** Servers that are in no settings: the demo. */
	#added: readonly ConfiguredServer[] = [];
	/** Second connections of servers, for tests. */
	#lent: readonly ConfiguredServer[] = [];
	#fleet: Fleet | undefined;
	#loading: Promise<Fleet> | undefined;
	#updating: Promise<void> = Promise.resolve();
	readonly #starting = new Map<string, Promise<Connection | undefined>>();

	readonly onDidChange = this.#changed.event;

	/** @param loadFleet loads the room `mcp`, which is large, when the first server is started */
	constructor(
		private readonly loadFleet: () => Promise<Fleet>,
		private readonly configuration: Configuration,
		private readonly launcher: Launcher,
	) {
		this.#disposables = [
			this.#changed,
			configuration.onDidChange(() => this.#apply().catch(showError)),
			vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
		];
	}

	/** Resolves when the configuration has been read. */
	get settled(): Promise<void> {
		return this.configuration.settled;
	}

	get entries(): readonly ServerEntry[] {
		const entry = (configured: ConfiguredServer): ServerEntry => {
			const connection = this.#fleet?.get(configured.name);
			return connection ? { configured, connection, state: connection.state } : { configured, state: 'stopped' };
		};
		return [...this.#all.map(entry), ...this.#lent.map((each): ServerEntry => ({ ...entry(each), lent: true }))];
	}

	get(name: string): ServerEntry | undefined {
		return this.entries.find(({ configured }) => configured.name === name);
	}

	/** Adds servers that no setting defines, replacing earlier ones. */
	async add(servers: readonly ConfiguredServer[]): Promise<void> {
		this.#added = servers;
		await this.#apply();
	}

	/**
	 * Starts a server, unless it runs already. Resolves to its connection; to undefined when the person did not consent.
	 * Rejects with an error made for people.
	 */
	start(name: string): Promise<Connection | undefined> {
		const before = this.#starting.get(name);
		if (before) {
			this.launcher.remind(name);
			return before;
		}
		const starting = this.#start(name).finally(() => {
			this.#starting.delete(name);
		});
		this.#starting.set(name, starting);
		return starting;
	}

	/**
	 * A second connection of a server under a name of its own, for a test; the server's own is left alone, and nothing of it is kept.
	 * It is started by that name, like any other, until it is taken back. False when the person did not consent.
	 */
	async lend(name: string, as: string, variant: Variant): Promise<boolean> {
		await this.settled;
		const configured = this.#startable(name);
		const definition = await this.launcher.prepare(configured);
		if (!definition) {
			return false;
		}
		const fleet = await this.#load();
		const elicitation = { ...definition.elicitation, ...(variant.advertise && { advertise: variant.advertise }) };
		const { protocolVersion = definition.protocolVersion } = variant;
		this.#lent = [...this.#lent, { ...configured, name: as, problems: [], inputs: [], others: [] }];
		fleet.lend({ ...definition, name: as, elicitation, protocolVersion }, name);
		return true;
	}

	/** Ends such a connection. */
	async takeBack(name: string): Promise<void> {
		this.#lent = this.#lent.filter((each) => each.name !== name);
		await this.#fleet?.takeBack(name);
	}

	async stop(name: string): Promise<void> {
		await this.#fleet?.get(name)?.stop();
	}

	/** Starts every server one after another in its own time; each failure is reported by itself. */
	startAll(): void {
		this.settled
			.then(() => {
				for (const { configured } of this.entries) {
					this.start(configured.name).catch(showError);
				}
			})
			.catch(showError);
	}

	/** Ends every server; the extension host waits for it. */
	async shutdown(): Promise<void> {
		await this.#fleet?.dispose();
	}

	dispose(): void {
		for (const disposable of this.#disposables) {
			disposable.dispose();
		}
	}

	get #all(): readonly ConfiguredServer[] {
		const configured = this.configuration.servers;
		const names = new Set(configured.map(({ name }) => name));
		return [...configured, ...this.#added.filter(({ name }) => !names.has(name))];
	}

	async #start(name: string): Promise<Connection | undefined> {
		await this.settled;
		if (this.#lent.some((each) => each.name === name)) {
			const lent = this.#fleet?.get(name);
			await lent?.start();
			return lent;
		}
		const configured = this.#startable(name);
		await this.#updating;
		const running = this.#fleet?.get(name);
		if (running?.state === 'running') {
			return running;
		}
		const definition = await this.launcher.prepare(configured);
		if (!definition) {
			return undefined;
		}
		const fleet = await this.#load();
		await this.#updating;
		if (JSON.stringify(this.#startable(name).definition) !== JSON.stringify(configured.definition)) {
			// It was changed while the person was being asked.
			return this.#start(name);
		}
		const connection = await fleet.resolve(definition);
		await connection?.start();
		return connection;
	}

	#startable(name: string): ConfiguredServer {
		const configured = this.#all.find((server) => server.name === name);
		if (!configured) {
			throw new ServerError(
				name,
				t('There is no server of this name.'),
				t('Check "mcpElicitation.servers" in the settings.'),
			);
		}
		if (!vscode.workspace.isTrusted) {
			throw new ServerError(
				name,
				t('No server is started in Restricted Mode.'),
				t('Trust this workspace if you know what its servers do.'),
			);
		}
		return configured;
	}

	#load(): Promise<Fleet> {
		this.#loading ??= this.loadFleet().then(async (fleet) => {
			this.#fleet = fleet;
			fleet.onDidChange(() => this.#onFleetChange(fleet));
			await this.#apply();
			return fleet;
		});
		return this.#loading;
	}

	/** Hands the definitions to the fleet; what ran and has changed is started again, after consent. */
	async #apply(): Promise<void> {
		const fleet = this.#fleet;
		if (fleet) {
			const definitions = this.#all.flatMap(({ name, definition }) => {
				// A definition that is unusable for a moment, while somebody writes it, does not end what runs.
				const running = fleet.get(name)?.state === 'stopped' ? undefined : fleet.wanted(name);
				return definition ?? running ?? [];
			});
			const update = this.#updating.then(() => fleet.update(definitions));
			this.#updating = update.then(() => {});
			for (const name of await update) {
				this.start(name).catch(showError);
			}
		}
		this.#changed.fire();
	}

	/** A server may fail by itself, with nobody waiting for it: said once. */
	#onFleetChange(fleet: Fleet): void {
		for (const { failure, state } of fleet.connections) {
			// While it is restarted there is hope yet; the view and the log tell of it.
			if (failure && state !== 'restarting') {
				showError(failure);
			}
		}
		this.#changed.fire();
	}
}
