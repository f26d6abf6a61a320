import * as vscode from 'vscode';
import type { Advertise, ServerDefinition } from '../../config/definition.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import { keyOf } from '../../elicitation/json.ts';
import type { Connection, ConnectionManager, ServerState } from '../../mcp/index.ts';
import { Lazy } from '../common/lazy.ts';
import { localize } from '../common/localize.ts';
import { isCancellation, isUserError, showError } from '../common/notifications.ts';
import {
	type ConfiguredServer,
	isCallable,
	isDisabled,
	type ServerEntry,
	type UserError,
} from '../common/serverEntry.ts';
import { onDidChangeSetting, setting } from '../common/settings.ts';
import { fromWorkspace, sourceText } from './configSource.ts';
import type { Configuration } from './configuration.ts';
import { identityOf } from './identity.ts';
import type { Launcher } from './launcher.ts';
import { ServerError, StartRefused } from './serverError.ts';

/** Whether the settings offer this server to VS Code's agent mode. */
export function isBridged(entry: ServerEntry): boolean {
	const { name, source, replacesOwn } = entry.configured;
	const wanted = setting('agentBridge');
	// A name in the user's settings means the user's server; all of them are none that take the place of theirs.
	const named = Array.isArray(wanted) && wanted.includes(name) && !fromWorkspace(source);
	return vscode.workspace.isTrusted && isCallable(entry) && ((wanted === true && !replacesOwn) || named);
}

/** A pending start, from the user's consent to the handshake. */
interface Start {
	readonly done: Promise<Connection | undefined>;
	readonly abort: AbortController;
	/** The start that a restart has put in its place. */
	next?: Promise<Connection | undefined>;
}

/** Changes what is started, after the user's consent: a debugger changes how a program is run. */
export type Preparation = (definition: ServerDefinition) => Promise<ServerDefinition>;

/** How a temporary connection differs from the regular one. */
export interface Variant {
	readonly advertise?: Advertise;
	/** The only revision to offer. */
	readonly protocolVersion?: string;
}

/** All servers: configured, with the user's consent, connected. Every start of a server goes through this class. */
export class Servers implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	/** Servers that no setting defines: the demo, and recordings. */
	#added: readonly ConfiguredServer[] = [];
	/** Temporary connections, for tests. */
	#temporary: readonly (ConfiguredServer & { readonly temporaryFor: string })[] = [];
	/** Servers that were started automatically. Each is started once, so a server that the user stops stays stopped. */
	readonly #startedAll = new Set<string>();
	readonly #connections: Lazy<ConnectionManager>;
	readonly #starting = new Map<string, Start>();
	/** Servers that ran and that a restart has stopped for a moment, each with what stands for the restart. */
	readonly #restarting = new Map<string, object>();
	/** Why the last start of a server did not get as far as a connection, and what it was defined as. */
	readonly #failures = new Map<string, { readonly failure: UserError; readonly key: string }>();
	/** The last valid definition under each name, with its config source: the same text elsewhere has other variables and rights. */
	readonly #valid = new Map<string, ConfiguredServer>();
	#preparation: Preparation = async (definition) => definition;

	readonly onDidChange = this.#changed.event;

	/**
	 * @param connect loads the protocol when the first server is started
	 * @param machine identifies the machine that local servers are on
	 */
	constructor(
		connect: () => Promise<ConnectionManager>,
		private readonly configuration: Configuration,
		private readonly launcher: Launcher,
		private readonly machine: () => string,
	) {
		this.#connections = new Lazy(async () => {
			const connectionManager = await connect();
			connectionManager.onDidChange(() => this.#onConnectionsChange(connectionManager));
			this.#apply(connectionManager);
			return connectionManager;
		});
		this.#disposable = vscode.Disposable.from(
			this.#changed,
			configuration.onDidChange(() => this.#apply()),
			onDidChangeSetting(['agentBridge'], () => this.#changed.fire()),
			vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
		);
	}

	/** Resolves when the configuration has been read. */
	get settled(): Promise<void> {
		return this.configuration.settled;
	}

	get entries(): readonly ServerEntry[] {
		const entry = (configured: ConfiguredServer): ServerEntry => {
			const connection = this.#connections.current?.get(configured.name);
			const unstarted = this.#failures.get(configured.name)?.failure;
			const failure = unstarted ?? connection?.failure;
			return {
				configured,
				state: unstarted ? 'failed' : stateOf(connection, this.#restarting.has(configured.name)),
				...(connection && { connection }),
				...(failure && { failure }),
			};
		};
		return [
			...this.#all.map(entry),
			...this.#temporary.map((each): ServerEntry => ({ ...entry(each), temporaryFor: each.temporaryFor })),
		];
	}

	get(name: string): ServerEntry | undefined {
		return this.entries.find(({ configured }) => configured.name === name);
	}

	/** What tells the server that has a name now from every other one that has it at another time; undefined if there is none. */
	identityOf(name: string): string | undefined {
		const configured = [...this.#all, ...this.#temporary].find((server) => server.name === name);
		// While its definition is invalid, the server goes on as it was.
		const valid = configured?.definition ? configured : configured && this.#valid.get(name);
		return valid && identityOf(valid, this.machine);
	}

	/** Sets what happens between the user's consent and every later start of a server. Not for temporary connections. */
	prepareStartsWith(preparation: Preparation): void {
		this.#preparation = preparation;
	}

	/** Adds servers that no setting defines, replacing earlier ones of the same name. */
	add(servers: readonly ConfiguredServer[]): void {
		this.#added = [...this.#added.filter((old) => servers.every(({ name }) => name !== old.name)), ...servers];
		this.#apply();
	}

	/**
	 * Starts a server unless it is running. Resolves to its connection, or to undefined if the user did not consent.
	 * Rejects with an error that can be shown to the user, immediately if the server is stopped.
	 */
	start(name: string): Promise<Connection | undefined> {
		const known = this.#starting.get(name);
		if (known) {
			this.launcher.revealConsent(name);
			return known.done;
		}
		const abort = new AbortController();
		const done = raceAbort(this.#start(name, abort.signal), abort.signal)
			.catch((error) => {
				if (start.next) {
					return start.next;
				}
				throw error;
			})
			.finally(() => {
				if (this.#starting.get(name) === start) {
					this.#starting.delete(name);
				}
			});
		const start: Start = { done, abort };
		this.#starting.set(name, start);
		return done;
	}

	/**
	 * Adds a temporary connection to a server, for a test, without affecting the regular one. Nothing about it is
	 * stored. It is started by its own name like any other server. False if the user did not consent.
	 */
	async openTemporaryConnection(name: string, as: string, variant: Variant): Promise<boolean> {
		await this.settled;
		const configured = this.#startable(name);
		const definition = await this.launcher.prepare(configured);
		if (!definition) {
			return false;
		}
		const connectionManager = await this.#connections.get();
		const elicitation = { ...definition.elicitation, ...(variant.advertise && { advertise: variant.advertise }) };
		const { protocolVersion = definition.protocolVersion } = variant;
		this.#temporary = [...this.#temporary, { ...configured, name: as, problems: [], others: [], temporaryFor: name }];
		connectionManager.openTemporaryConnection({ ...definition, name: as, elicitation, protocolVersion }, name);
		return true;
	}

	/** Closes a temporary connection. */
	async closeTemporaryConnection(name: string): Promise<void> {
		this.#temporary = this.#temporary.filter((each) => each.name !== name);
		this.#giveUp(name);
		await this.#connections.current?.closeTemporaryConnection(name);
	}

	/** Stops a server or its pending start. Resolves when its processes have ended. */
	async stop(name: string): Promise<void> {
		this.#restarting.delete(name);
		await this.#stop(name);
	}

	async #stop(name: string): Promise<void> {
		this.#giveUp(name);
		this.#setFailure(name, undefined);
		await this.#connections.current?.get(name)?.stop();
	}

	/** Stops and starts a server as one operation, so that a `stop` in the meantime wins. */
	restart(name: string): Promise<Connection | undefined> {
		const before = this.#starting.get(name);
		const mark = {};
		if (this.#restarting.has(name) || this.get(name)?.state === 'running') {
			this.#restarting.set(name, mark);
		}
		void this.#stop(name);
		const next = this.start(name);
		const ended = () => {
			if (this.#restarting.get(name) === mark) {
				this.#restarting.delete(name);
				this.#changed.fire();
			}
		};
		next.then(ended, ended);
		if (before) {
			before.next = next;
		}
		return next;
	}

	/** Starts all configured servers that it has not started before, in parallel. Failures are reported separately. */
	startAll(): void {
		this.settled
			.then(() => {
				for (const server of this.configuration.servers) {
					const { name } = server;
					if (!this.#startedAll.has(name) && !isDisabled(server)) {
						this.#startedAll.add(name);
						this.start(name).catch(showError);
					}
				}
			})
			.catch(showError);
	}

	/** Stops all servers. The extension host waits for it. */
	async shutdown(): Promise<void> {
		for (const name of [...this.#starting.keys()]) {
			this.#giveUp(name);
		}
		await this.#connections.dispose();
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	get #all(): readonly ConfiguredServer[] {
		const configured = this.configuration.servers;
		const names = new Set(configured.map(({ name }) => name));
		return [...configured, ...this.#added.filter(({ name }) => !names.has(name))];
	}

	/** @param stopped aborts when the server is stopped; nothing is started afterwards */
	async #start(name: string, stopped: AbortSignal): Promise<Connection | undefined> {
		await this.settled;
		stopped.throwIfAborted();
		if (this.#temporary.some((each) => each.name === name)) {
			const temporary = this.#connections.current?.get(name);
			await temporary?.start();
			return temporary;
		}
		const configured = this.#startable(name);
		const running = this.#connections.current?.get(name);
		if (running?.state === 'running') {
			return running;
		}
		this.#setFailure(name, undefined);
		const step = <T>(work: () => Promise<T>) => this.#step(configured, stopped, work);
		const definition = await step(() => this.launcher.prepare(configured));
		if (!definition) {
			return undefined;
		}
		const connectionManager = await step(() => this.#connections.get());
		stopped.throwIfAborted();
		if (keyOfDefinition(this.#startable(name)) !== keyOfDefinition(configured)) {
			// The definition changed while the user was asked.
			return this.#start(name, stopped);
		}
		const connection = connectionManager.resolve(await step(() => this.#preparation(definition)));
		stopped.throwIfAborted();
		try {
			await connection?.start();
		} catch (error) {
			if (!stopped.aborted && connectionManager.get(name) !== connection) {
				// The definition changed while the server was starting.
				return this.#start(name, stopped);
			}
			throw error;
		}
		return connection;
	}

	/** What precedes the connection. If it fails, so has the server, unless the user has decided against the start. */
	async #step<T>(configured: ConfiguredServer, stopped: AbortSignal, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (!stopped.aborted && !(error instanceof StartRefused) && !isCancellation(error)) {
				this.#setFailure(configured.name, { failure: failureOf(configured.name, error), key: keyOfServer(configured) });
			}
			throw error;
		}
	}

	#setFailure(name: string, failed: { readonly failure: UserError; readonly key: string } | undefined): void {
		const before = this.#failures.delete(name);
		if (failed) {
			this.#failures.set(name, failed);
		}
		if (before || failed) {
			this.#changed.fire();
		}
	}

	#giveUp(name: string): void {
		this.#starting
			.get(name)
			?.abort.abort(
				new ServerError(name, localize('The server was stopped while it was starting.'), localize('Start it again.')),
			);
		this.#starting.delete(name);
	}

	#startable(name: string): ConfiguredServer {
		const configured = this.#all.find((server) => server.name === name);
		if (!configured) {
			throw new ServerError(
				name,
				localize('There is no server with this name.'),
				localize('Check "mcpElicitation.servers" in the settings.'),
			);
		}
		if (!vscode.workspace.isTrusted) {
			throw new ServerError(
				name,
				localize('No server is started in Restricted Mode.'),
				localize('Trust this workspace if you know what its servers do.'),
			);
		}
		if (isDisabled(configured)) {
			throw new ServerError(
				name,
				localize('It is turned off in its definition.'),
				localize('Turn it on in {0}: remove "disabled", or set "enabled" to true.', sourceText(configured.source)),
			);
		}
		return configured;
	}

	/**
	 * Applies the definitions to the connection manager. Running servers whose definition changed are restarted, after
	 * consent.
	 */
	#apply(connectionManager = this.#connections.current): void {
		const keys = new Map(this.#all.map((server) => [server.name, keyOfServer(server)]));
		for (const [name, { key }] of this.#failures) {
			if (keys.get(name) !== key) {
				this.#failures.delete(name);
			}
		}
		if (connectionManager) {
			const definitions = this.#all.flatMap((server) => {
				const { name, source, definition } = server;
				if (isDisabled(server)) {
					return [];
				}
				// A definition that is invalid while it is being edited must not stop a running server, unless that would be taken for
				// one of the user's own.
				const isKept =
					connectionManager.get(name)?.state !== 'stopped' &&
					(fromWorkspace(source) || this.#valid.get(name)?.source.uri === source.uri);
				return definition ?? (isKept ? connectionManager.wanted(name) : undefined) ?? [];
			});
			for (const name of connectionManager.update(definitions, this.#moved())) {
				this.start(name).catch(showError);
			}
		}
		this.#changed.fire();
	}

	/** The servers whose valid definition comes from another config source than before. */
	#moved(): Set<string> {
		const valid = this.#all.filter(({ definition }) => definition);
		const moved = valid.filter(({ name, source }) => this.#valid.get(name)?.source.uri !== source.uri);
		for (const server of valid) {
			this.#valid.set(server.name, server);
		}
		return new Set(moved.map(({ name }) => name));
	}

	/** Reports failures of servers that nobody is waiting for, once. */
	#onConnectionsChange(connectionManager: ConnectionManager): void {
		for (const { failure, state } of connectionManager.connections) {
			// Automatic restarts are not reported here: the view and the log show them.
			if (failure && state !== 'restarting') {
				// The panels of the calls that it has ended tell it first.
				setImmediate(() => showError(failure));
			}
		}
		this.#changed.fire();
	}
}

function keyOfDefinition({ source, definition }: ConfiguredServer): string {
	return keyOf(source.uri, definition);
}

function stateOf(connection: Connection | undefined, isRestarting: boolean): ServerState {
	const state = connection?.state ?? 'stopped';
	return state === 'stopped' && isRestarting ? 'restarting' : state;
}

/** What a failure is about: the definition, and what is wrong with it. */
function keyOfServer({ source, definition, problems }: ConfiguredServer): string {
	return keyOf(source.uri, definition, problems);
}

function failureOf(name: string, error: unknown): UserError {
	return isUserError(error)
		? error
		: new ServerError(name, error instanceof Error ? error.message : String(error), localize("See the server's log."));
}
