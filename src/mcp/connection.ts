import { randomUUID } from 'node:crypto';
import type { Client, JSONRPCRequest, PriorDiscovery, Progress, Tool, Transport } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { say } from '../elicitation/sentence.ts';
import type { TraceLog } from '../trace/log.ts';
import { Attribution } from './attribution.ts';
import { createClient } from './client.ts';
import { explainCall, explainStart } from './explain.ts';
import { asFailure, Failure } from './failure.ts';
import { type IntakeContext, refuseParams, serveRequest } from './intake.ts';
import { Mends } from './mends.ts';
import type { Reaper } from './reaperClient.ts';
import { runRounds } from './rounds.ts';
import { type Exit, StdioTransport } from './stdioTransport.ts';
import { callContext, Tap } from './tap.ts';
import { httpTransport, stdioTransport } from './transports.ts';

/** The SDK's own request timeout must not run while the person is being asked (A04); calls have a clock of their own. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** A log of one server, as the person reads it. */
export interface ServerLog {
	info(line: string): void;
	warn(line: string): void;
	error(line: string): void;
	/** A line of the server's stderr, as it is. */
	stderr(line: string): void;
}

export interface ConnectionContext {
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly reaper: Reaper;
	readonly clientVersion: string;
	log(server: string): ServerLog;
	/** Seconds of server time that a call may take; 0 = no limit. */
	callTimeout(): number;
	/** Where `http:` pages may be opened. */
	allowInsecureUrls(): 'never' | 'loopback' | 'always';
}

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

/** A tool as the server lists it: raw, and server text throughout. */
export type ToolInfo = Pick<Tool, 'name' | 'title' | 'description'> & { readonly inputSchema: JsonObject };

export interface CallOptions {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
	/** Told at once which call it has become, for surfaces that follow it. */
	readonly onCall?: (call: Call) => void;
}

/** One server: its transport, its era, its calls. Nobody above this room knows which era it speaks, except to show it. */
export class Connection {
	readonly #changed = new Emitter<void>();
	/** The calls for whose answer the server is being waited. */
	readonly #calls = new Set<Call>();
	#state: ServerState = 'stopped';
	#failure: Failure | undefined;
	#client: Client | undefined;
	#transport: Transport | undefined;
	#tools: readonly ToolInfo[] = [];
	#starting: Promise<void> | undefined;
	/** What the last handshake found out, so that the next start does not have to probe again (E05). */
	#prior: PriorDiscovery | undefined;
	#generation = 0;
	/** What has become of a connection that ended by itself, once that is known. */
	#losing: Promise<void> | undefined;

	readonly onDidChange = this.#changed.event;

	constructor(
		readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
	) {}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.#state;
	}

	/** Why the last start or the connection failed. */
	get failure(): Failure | undefined {
		return this.#failure;
	}

	/** The negotiated protocol revision. */
	get revision(): string | undefined {
		return this.#client?.getNegotiatedProtocolVersion();
	}

	get era(): 'legacy' | 'modern' | undefined {
		return this.#client?.getProtocolEra();
	}

	/** What the server calls itself: never shown alone (F01). */
	get ownName(): string | undefined {
		const version = this.#client?.getServerVersion();
		return version?.title ?? version?.name;
	}

	get tools(): readonly ToolInfo[] {
		return this.#tools;
	}

	/** Connects, unless it is connected or on the way. Rejects with a Failure. */
	start(): Promise<void> {
		if (this.#starting) {
			return this.#starting;
		}
		if (this.#state === 'running' && this.#client) {
			return Promise.resolve();
		}
		const starting = this.#losing ? this.#losing.then(() => this.#start()) : this.#start();
		this.#starting = starting.finally(() => {
			this.#starting = undefined;
		});
		return this.#starting;
	}

	/** Ends the connection and every process of it. Live elicitations are withdrawn. Never rejects. */
	async stop(): Promise<void> {
		this.#generation++;
		await this.#disconnect();
		if (this.#starting) {
			await this.#starting.catch(() => {});
			// It may have waited for its turn and have come up after all.
			await this.#disconnect();
		}
		this.#become('stopped');
	}

	/** Calls a tool; the server may ask in between. Rejects with a Failure, or with the signal's reason when cancelled. */
	async callTool(name: string, args: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
		await this.start();
		const { registry } = this.context;
		const call = registry.beginCall(this.name, 'tool', name, args);
		const abort = new AbortController();
		const forward = () => abort.abort(options.signal?.reason);
		options.signal?.addEventListener('abort', forward, { once: true });
		if (options.signal?.aborted) {
			forward();
		}
		call.clock.limit(this.context.callTimeout() * 1000, () => abort.abort(this.#timedOut(call)));
		options.onCall?.(call);
		const client = this.#client;
		try {
			const result = (await this.#run(call, abort.signal, options)) as JsonObject;
			registry.endCall(call, 'succeeded', result);
			return result;
		} catch (error) {
			const cancelled = options.signal?.aborted === true;
			const reason = cancelled
				? options.signal?.reason
				: await this.#explainCall(call, client, abort.signal.aborted ? abort.signal.reason : error);
			registry.endCall(call, cancelled ? 'cancelled' : 'failed', reason);
			throw reason;
		} finally {
			this.#calls.delete(call);
			options.signal?.removeEventListener('abort', forward);
		}
	}

	#run(call: Call, signal: AbortSignal, options: CallOptions): Promise<unknown> {
		const client = this.#client;
		if (!client) {
			throw new Failure(this.name, say('The server is not running.'), say('Start it, then call the tool again.'));
		}
		return runRounds(this.#intake(client), call, signal, (input) => {
			signal.throwIfAborted();
			this.#calls.add(call);
			const params = { name: call.name, arguments: call.args as Record<string, unknown>, ...input };
			const tool = this.#tools.find((candidate) => candidate.name === call.name);
			return callContext.run(call, () =>
				client.callTool(params, {
					signal,
					timeout: NO_TIMEOUT,
					allowInputRequired: true,
					// Without its output schema: what a tool returned is shown, not judged, before the person has seen it.
					...(tool && { toolDefinition: tool as Tool }),
					onprogress: (progress) => options.onProgress?.(progress),
				}),
			);
		});
	}

	async #explainCall(call: Call, client: Client | undefined, error: unknown): Promise<Failure> {
		if (client !== this.#client) {
			await this.#losing;
			return (
				this.#failure ??
				new Failure(
					this.name,
					say('The server was stopped while "{0}" was running.', call.name),
					say('Start it, then call the tool again.'),
				)
			);
		}
		return explainCall(this.definition, call.name, error);
	}

	#timedOut(call: Call): Failure {
		return new Failure(
			this.name,
			say('"{0}" did not finish within {1} s.', call.name, this.context.callTimeout()),
			say('Raise "mcpElicitation.callTimeout" if it needs longer; the time in which you are asked does not count.'),
		);
	}

	async #start(): Promise<void> {
		const generation = ++this.#generation;
		this.#failure = undefined;
		this.#become('starting');
		try {
			await this.#connect();
			await this.#refreshTools();
			if (generation !== this.#generation) {
				throw new Failure(this.name, say('The server was stopped while it was starting.'), say('Start it again.'));
			}
			this.#become('running');
			this.context
				.log(this.name)
				.info(`Connected: protocol ${this.revision} (${this.era}), ${this.#tools.length} tools.`);
		} catch (error) {
			const failure = explainStart(this.definition, error, await this.#exitSoon());
			await this.#disconnect();
			if (generation === this.#generation) {
				this.#fail(failure);
			}
			throw failure;
		}
	}

	async #connect(): Promise<void> {
		const { definition } = this;
		if (definition.type !== 'stdio') {
			return this.#connectHttp();
		}
		try {
			await this.#attach(this.#spawn(), this.#prior);
		} catch (error) {
			if (this.#prior || definition.protocolVersion !== 'auto' || !(await this.#exitSoon())) {
				throw error;
			}
			// Servers on older SDKs leave at the first request that is not `initialize`: that is an answer, too (E05).
			this.context.log(this.name).info('The server ended at the probe for the newer protocol; trying the older one.');
			await this.#disconnect();
			await this.#attach(this.#spawn(), { kind: 'legacy' });
		}
	}

	async #connectHttp(): Promise<void> {
		const { definition } = this;
		if (definition.type === 'stdio') {
			return;
		}
		if (definition.type === 'http') {
			try {
				return await this.#attach(httpTransport(definition, 'http'), this.#prior);
			} catch (error) {
				const status = own(own(error, 'data'), 'status');
				if (typeof status !== 'number' || ![400, 404, 405].includes(status)) {
					throw error;
				}
				this.context.log(this.name).info(`No streamable HTTP here (status ${status}); trying the older SSE transport.`);
				await this.#disconnect();
				try {
					return await this.#attach(httpTransport(definition, 'sse'), { kind: 'legacy' });
				} catch {
					// The first answer says more about the server than that of a transport which it does not have.
					throw error;
				}
			}
		}
		await this.#attach(httpTransport(definition, 'sse'), { kind: 'legacy' });
	}

	#spawn(): StdioTransport {
		const log = this.context.log(this.name);
		if (this.definition.type !== 'stdio') {
			throw new TypeError('Only stdio servers are spawned.');
		}
		return stdioTransport(
			this.definition,
			{
				stderr: (line) => log.stderr(line),
				noise: (line) => log.warn(`Ignored a line on stdout that is no JSON-RPC message: ${line.slice(0, 200)}`),
			},
			this.context.reaper,
		);
	}

	async #attach(transport: Transport, prior: PriorDiscovery | undefined): Promise<void> {
		const client = this.#createClient();
		this.#client = client;
		this.#transport = transport;
		const attribution = new Attribution(() => [...this.#calls]);
		const tap = new Tap(
			transport,
			(direction, message, known) => {
				const call = attribution.of(direction, message, known);
				this.context.trace.add({ server: this.name, direction, message, ...(call && { call }) });
			},
			new Mends(
				() => client.getProtocolEra() === 'modern',
				(method, params: Json) => refuseParams(this.#intake(client), method, params),
			),
			(call, how) => this.#onSettled(call, how),
		);
		client.onerror = (error) => this.context.log(this.name).warn(error.message);
		client.onclose = () => this.#onClose(client);
		const pinned = this.definition.protocolVersion !== 'auto';
		await client.connect(tap, prior && !pinned ? { prior } : {});
		const discover = client.getDiscoverResult();
		this.#prior = discover ? { kind: 'modern', discover } : { kind: 'legacy' };
	}

	#createClient(): Client {
		const client = createClient(this.definition, this.context.clientVersion, () => void this.#onToolsChanged());
		client.fallbackRequestHandler = (request, { mcpReq }) =>
			serveRequest(this.#intake(client), request as JSONRPCRequest, mcpReq.signal, callContext.getStore());
		client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
			if (!this.context.registry.complete(this.#connectionId(client), params.elicitationId)) {
				this.context.log(this.name).info(`Ignored a completion notice for an unknown or finished elicitation.`);
			}
		});
		return client;
	}

	#intake(client: Client): IntakeContext {
		return {
			definition: this.definition,
			connection: this.#connectionId(client),
			registry: this.context.registry,
			revision: () => client.getNegotiatedProtocolVersion() ?? '',
			callsInFlight: () => [...this.#calls],
			allowInsecureUrls: () => this.context.allowInsecureUrls(),
		};
	}

	readonly #connectionIds = new WeakMap<Client, string>();

	#connectionId(client: Client): string {
		const id = this.#connectionIds.get(client) ?? randomUUID();
		this.#connectionIds.set(client, id);
		return id;
	}

	async #refreshTools(): Promise<void> {
		if (!this.#client?.getServerCapabilities()?.tools) {
			this.#tools = [];
			return;
		}
		const { tools } = await this.#client.listTools(undefined, { cacheMode: 'refresh' });
		this.#tools = tools.map(({ outputSchema: _, ...tool }) => tool as ToolInfo);
	}

	async #onToolsChanged(): Promise<void> {
		try {
			await this.#refreshTools();
			this.#changed.fire();
		} catch (error) {
			this.context
				.log(this.name)
				.warn(`The changed list of tools could not be read: ${asFailure(this.name, error).message}`);
		}
	}

	#onClose(client: Client): void {
		if (this.#client !== client || this.#state !== 'running') {
			return;
		}
		const transport = this.#transport;
		const generation = this.#generation;
		this.#losing = this.#disconnect().then(() => {
			this.#losing = undefined;
			const exit = transport instanceof StdioTransport ? transport.exit : undefined;
			if (generation === this.#generation) {
				this.#fail(explainStart(this.definition, new Error('The connection was closed.'), exit));
			}
		});
	}

	#onSettled(call: Call, how: 'answered' | 'cut'): void {
		this.#calls.delete(call);
		if (how === 'cut') {
			// What came on a stream that is gone can no longer be answered (A02).
			this.context.registry.withdraw(
				({ origin }) => origin.calls.length === 1 && origin.calls[0] === call,
				say('The connection to the server was cut.'),
			);
		}
	}

	async #exitSoon(): Promise<Exit | undefined> {
		return this.#transport instanceof StdioTransport ? this.#transport.exitSoon() : undefined;
	}

	async #disconnect(): Promise<void> {
		const client = this.#client;
		const transport = this.#transport;
		this.#client = undefined;
		this.#tools = [];
		if (client) {
			const connection = this.#connectionId(client);
			this.context.registry.withdraw(
				({ origin }) => origin.connection === connection,
				say('The connection to the server has ended.'),
			);
			await client.close().catch(() => {});
		}
		await transport?.close().catch(() => {});
		this.#transport = undefined;
	}

	#fail(failure: Failure): void {
		this.#failure = failure;
		this.context.log(this.name).error(failure.message);
		this.#become('failed');
	}

	#become(state: ServerState): void {
		this.#state = state;
		this.#changed.fire();
	}
}
