import { randomUUID } from 'node:crypto';
import type { Client, JSONRPCRequest, PriorDiscovery, Progress, Tool, Transport } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { type Sentence, say } from '../elicitation/sentence.ts';
import type { TraceLog } from '../trace/log.ts';
import { Attribution } from './attribution.ts';
import { createClient } from './client.ts';
import { asFailure, type Failure } from './failure.ts';
import { type IntakeContext, refuseParams, serveRequest } from './intake.ts';
import { Mends } from './mends.ts';
import type { Reaper } from './reaperClient.ts';
import { runRounds } from './rounds.ts';
import { type Exit, StdioTransport } from './stdioTransport.ts';
import { callContext, Tap } from './tap.ts';

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

/** What the rest of the extension gives to this room. */
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

/** A tool as the server lists it: raw, and server text throughout. */
export type ToolInfo = Pick<Tool, 'name' | 'title' | 'description'> & { readonly inputSchema: JsonObject };

export interface SessionEvents {
	/** What is known of the server has changed. */
	changed(): void;
	/** The wire ended by itself. */
	closed(): void;
}

/** One live wire to a server: from the transport's start to its end, with the calls and the questions on it. */
export class Session {
	/** Completion notices of another session mean nothing to this one's elicitations. */
	readonly id = randomUUID();
	readonly #client: Client;
	/** The calls for whose answer the server is being waited. */
	readonly #calls = new Set<Call>();
	readonly #intake: IntakeContext;
	#tools: readonly ToolInfo[] = [];
	#toolsFailure: Failure | undefined;

	constructor(
		private readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
		private readonly transport: Transport,
		private readonly events: SessionEvents,
	) {
		const client = createClient(definition, context.clientVersion, () => void this.refreshTools());
		this.#client = client;
		this.#intake = {
			definition,
			connection: this.id,
			registry: context.registry,
			revision: () => this.revision ?? '',
			callsInFlight: () => [...this.#calls],
			allowInsecureUrls: () => context.allowInsecureUrls(),
		};
		client.fallbackRequestHandler = (request, { mcpReq }) =>
			serveRequest(this.#intake, request as JSONRPCRequest, mcpReq.signal, callContext.getStore());
		client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
			if (!context.registry.complete(this.id, params.elicitationId)) {
				this.#log.info('Ignored a completion notice for an unknown or finished elicitation.');
			}
		});
		client.onerror = (error) => this.#log.warn(error.message);
		client.onclose = () => events.closed();
	}

	/** The negotiated protocol revision. */
	get revision(): string | undefined {
		return this.#client.getNegotiatedProtocolVersion();
	}

	get era(): 'legacy' | 'modern' | undefined {
		return this.#client.getProtocolEra();
	}

	/** What the server calls itself. */
	get ownName(): string | undefined {
		const version = this.#client.getServerVersion();
		return version?.title ?? version?.name;
	}

	get tools(): readonly ToolInfo[] {
		return this.#tools;
	}

	/** Why the tools could not be listed; the rest of the server may work all the same. */
	get toolsFailure(): Failure | undefined {
		return this.#toolsFailure;
	}

	/** How the server's process ended, when it did so by itself. */
	get exit(): Exit | undefined {
		return this.transport instanceof StdioTransport ? this.transport.exit : undefined;
	}

	/** As `exit`, after a moment in which a process whose pipe has just broken may still end. */
	async exitSoon(): Promise<Exit | undefined> {
		return this.transport instanceof StdioTransport ? this.transport.exitSoon() : undefined;
	}

	/** Shakes hands; resolves to what was found out, so that the next session does not have to probe (E05). */
	async connect(prior: PriorDiscovery | undefined): Promise<PriorDiscovery> {
		const pinned = this.definition.protocolVersion !== 'auto';
		await this.#client.connect(this.#tap(), prior && !pinned ? { prior } : {});
		const discover = this.#client.getDiscoverResult();
		return discover ? { kind: 'modern', discover } : { kind: 'legacy' };
	}

	/** Lists the tools. Never rejects: a server whose list fails is still connected, and the failure is shown with it. */
	async refreshTools(): Promise<void> {
		this.#toolsFailure = undefined;
		if (this.#client.getServerCapabilities()?.tools) {
			try {
				const { tools } = await this.#client.listTools(undefined, { cacheMode: 'refresh' });
				this.#tools = tools.map(({ outputSchema: _, ...tool }) => tool as ToolInfo);
			} catch (error) {
				this.#toolsFailure = asFailure(this.definition.name, error);
				this.#log.warn(`The list of tools could not be read: ${this.#toolsFailure.message}`);
			}
		}
		this.events.changed();
	}

	/** Runs a call to its end, through every round that the server wants. Rejects with what the last round rejected with. */
	run(call: Call, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<unknown> {
		return runRounds(this.#intake, call, signal, (input) => {
			signal.throwIfAborted();
			this.#calls.add(call);
			const params = { name: call.name, arguments: call.args as Record<string, unknown>, ...input };
			const tool = this.#tools.find((candidate) => candidate.name === call.name);
			return callContext.run(call, () =>
				this.#client.callTool(params, {
					signal,
					timeout: NO_TIMEOUT,
					allowInputRequired: true,
					// Without its output schema: what a tool returned is shown, not judged, before the person has seen it.
					...(tool && { toolDefinition: tool as Tool }),
					onprogress: (progress) => onProgress?.(progress),
				}),
			);
		}).finally(() => this.#calls.delete(call));
	}

	/** Withdraws what is still being asked and ends the wire with every process behind it. Never rejects. */
	async close(reason: Sentence): Promise<void> {
		this.context.registry.withdraw(({ origin }) => origin.connection === this.id, reason);
		await this.#client.close().catch(() => {});
		await this.transport.close().catch(() => {});
	}

	get #log(): ServerLog {
		return this.context.log(this.definition.name);
	}

	#tap(): Tap {
		const attribution = new Attribution(() => [...this.#calls]);
		return new Tap(
			this.transport,
			(direction, message, known) => {
				const call = attribution.of(direction, message, known);
				this.context.trace.add({ server: this.definition.name, direction, message, ...(call && { call }) });
			},
			new Mends(
				() => this.era === 'modern',
				(method, params: Json) => refuseParams(this.#intake, method, params),
			),
			(call, how) => this.#settled(call, how),
		);
	}

	#settled(call: Call, how: 'answered' | 'cut'): void {
		this.#calls.delete(call);
		if (how === 'cut') {
			// What came on a stream that is gone can no longer be answered (A02).
			this.context.registry.withdraw(
				({ origin }) => origin.calls.length === 1 && origin.calls[0] === call,
				say('The connection to the server was cut.'),
			);
		}
	}
}
