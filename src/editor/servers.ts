import * as vscode from 'vscode';
import type { ServerDefinition } from '../config/definition.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { CallOptions, Connection, Fleet, ServerState, ToolInfo } from '../mcp/index.ts';
import { showError } from './notices.ts';
import { type ConfiguredServer, configuredServers, onDidChangeSetting } from './settings.ts';
import type { StartConsent } from './startConsent.ts';
import { problemText } from './texts.ts';
import { t } from './words.ts';

/** One server as the surfaces show it. */
export interface ServerEntry {
	readonly configured: ConfiguredServer;
	readonly state: ServerState;
	/** Present from the first start on. */
	readonly connection?: Connection;
}

/** A server as the person knows it: configured, consented to, connected. Every start of a server goes through here. */
export class Servers implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposables: vscode.Disposable[];
	#configured: readonly ConfiguredServer[] = [];
	/** Servers that are in no settings: the demo. */
	#added: readonly ConfiguredServer[] = [];
	#fleet: Fleet | undefined;
	#loading: Promise<Fleet> | undefined;
	#updating: Promise<void> = Promise.resolve();

	readonly onDidChange = this.#changed.event;

	/** @param loadFleet loads the room `mcp`, which is large, when the first server is started */
	constructor(
		private readonly loadFleet: () => Promise<Fleet>,
		private readonly consent: StartConsent,
	) {
		this.#configured = configuredServers();
		this.#disposables = [
			this.#changed,
			onDidChangeSetting(['servers'], () => this.#reload()),
			vscode.workspace.onDidChangeWorkspaceFolders(() => this.#reload()),
			vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
		];
	}

	get entries(): readonly ServerEntry[] {
		return this.#all.map((configured) => {
			const connection = this.#fleet?.get(configured.name);
			return connection ? { configured, connection, state: connection.state } : { configured, state: 'stopped' };
		});
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
	async start(name: string): Promise<Connection | undefined> {
		const { configured, definition } = this.#startable(name);
		if (!(await this.consent.obtain(configured, definition))) {
			return undefined;
		}
		const fleet = await this.#load();
		await this.#updating;
		const connection = fleet.get(name);
		await connection?.start();
		return connection;
	}

	async stop(name: string): Promise<void> {
		await this.#fleet?.get(name)?.stop();
	}

	/** Starts every server one after another in its own time; each failure is reported by itself. */
	startAll(): void {
		for (const { configured } of this.entries) {
			this.start(configured.name).catch(showError);
		}
	}

	/** Calls a tool, starting its server first. Undefined when the person did not consent to the start. */
	async callTool(
		server: string,
		tool: string,
		args: JsonObject,
		options: CallOptions,
	): Promise<JsonObject | undefined> {
		const connection = await this.start(server);
		return connection?.callTool(tool, args, options);
	}

	/** The tools of a server, which is started for it. */
	async tools(server: string): Promise<readonly ToolInfo[] | undefined> {
		return (await this.start(server))?.tools;
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
		const names = new Set(this.#configured.map(({ name }) => name));
		return [...this.#configured, ...this.#added.filter(({ name }) => !names.has(name))];
	}

	#startable(name: string): { configured: ConfiguredServer; definition: ServerDefinition } {
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
		const { definition } = configured;
		if (!definition) {
			const [problem] = configured.problems;
			throw new ServerError(name, problem ? problemText(problem) : '', t('Correct its definition in the settings.'));
		}
		return { configured, definition };
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

	#reload(): void {
		this.#configured = configuredServers();
		this.#apply().catch(showError);
	}

	/** Hands the definitions to the fleet; what ran and has changed is started again, after consent. */
	async #apply(): Promise<void> {
		const fleet = this.#fleet;
		if (fleet) {
			const definitions = this.#all.flatMap(({ definition }) => (definition ? [definition] : []));
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
		for (const { failure } of fleet.connections) {
			if (failure) {
				showError(failure);
			}
		}
		this.#changed.fire();
	}
}

/** An error of this room, in the same shape as those of the room `mcp`; its words are translated already. */
export class ServerError extends Error {
	readonly what: { text: string; args: string[] };
	readonly fix: { text: string; args: string[] };

	constructor(
		readonly server: string,
		what: string,
		fix: string,
	) {
		super(`${server}: ${what} ${fix}`);
		this.what = { text: '{0}', args: [what] };
		this.fix = { text: '{0}', args: [fix] };
	}
}
