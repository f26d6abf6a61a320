import { randomUUID } from 'node:crypto';
import type {
	Client,
	JSONRPCMessage,
	JSONRPCRequest,
	PriorDiscovery,
	Progress,
	Tool,
	Transport,
} from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import { tell } from '../elicitation/emitter.ts';
import { own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import type { TraceLog } from '../trace/log.ts';
import { maskingOf } from '../trace/masking.ts';
import { Attribution } from './attribution.ts';
import type { Authorization, Waiting } from './auth/auth.ts';
import type { SignInContext } from './auth/signIn.ts';
import { createClient, LONG_PROBE } from './client.ts';
import { Deliveries } from './deliveries.ts';
import { explainStart } from './explain.ts';
import { isSessionUnknown } from './http/sessionEnd.ts';
import { ListChangedSubscription } from './listChangedSubscription.ts';
import { Probe } from './probe.ts';
import type { Reaper } from './process/reaperClient.ts';
import { type Exit, StdioTransport } from './process/stdioTransport.ts';
import { Completions } from './rounds/completions.ts';
import { type IntakeContext, serveRequest } from './rounds/intake.ts';
import { type RoundInput, runRounds } from './rounds/rounds.ts';
import { ServerFeatures } from './serverFeatures.ts';
import type { HttpWire } from './transports.ts';
import { Failure, redactFailure } from './wire/failure.ts';
import { ListBounds } from './wire/listBounds.ts';
import { ProtocolErrorLog } from './wire/protocolErrorLog.ts';
import { SdkShim } from './wire/sdkShim.ts';
import { callContext, TracingTransport } from './wire/tracingTransport.ts';

/** The SDK's own request timeout must not run while the user is being asked (A04); calls have a clock of their own. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** A log of one server, as the user reads it. */
export interface ServerLog {
	info(line: string): void;
	warn(line: string): void;
	error(line: string): void;
	/** A line of the server's stderr, as it is. */
	stderr(line: string): void;
}

/** What the rest of the extension gives to this room. */
export interface ConnectionContext extends SignInContext {
	readonly registry: Registry;
	readonly trace: TraceLog;
	readonly reaper: Reaper;
	readonly clientVersion: string;
	log(server: string): ServerLog;
	/** Seconds of server time that a call may take; 0 = no limit. */
	callTimeout(): number;
}

/** What a call may bring along besides what it asks for. */
export interface RunOptions {
	readonly onProgress?: (progress: Progress) => void;
	/** Told of every response that one of its rounds gets, as it crossed the wire. */
	readonly onResponse?: (response: JSONRPCMessage) => void;
	/** Changes what a round carries to the server, to see whether the server notices. The first round is 1 and carries nothing. */
	readonly tamper?: (input: RoundInput, round: number) => RoundInput;
}

export interface SessionEvents {
	/** What is known of the server has changed. */
	changed(): void;
	/** The wire ended by itself. */
	closed(): void;
	/** The server no longer knows it. */
	forgotten(): void;
}

/** How a server presents itself to whoever shakes hands with it. */
export interface InitializeResult {
	readonly serverInfo: ReturnType<Client['getServerVersion']>;
	readonly capabilities: ReturnType<Client['getServerCapabilities']>;
	readonly instructions: string | undefined;
}

/** One live wire to a server: from the transport's start to its end, with the calls and the questions on it. */
export class ClientSession {
	/** Completion notices of another session mean nothing to this one's elicitations. */
	readonly id = randomUUID();
	readonly serverFeatures: ServerFeatures;
	readonly #client: Client;
	/** The calls for whose answer the server is being waited. */
	readonly #calls = new Set<Call>();
	readonly #options = new Map<Call, RunOptions>();
	readonly #lists: ListBounds;
	readonly #runs = new Set<Promise<unknown>>();
	readonly #intake: IntakeContext;
	readonly #sdkShim: SdkShim;
	readonly #deliveries: Deliveries;
	readonly #subscription: ListChangedSubscription;
	readonly #probe = new Probe();
	#ended = false;
	#known = false;
	#lost: Failure | undefined;

	constructor(
		private readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
		private readonly transport: Transport,
		private readonly authorization: Authorization | undefined,
		private readonly events: SessionEvents,
	) {
		const client = createClient(definition, context.clientVersion, {
			tools: () => this.serverFeatures.refreshSoon(['tools']),
			prompts: () => this.serverFeatures.refreshSoon(['prompts']),
			resources: () => this.serverFeatures.refreshSoon(['resources', 'resourceTemplates']),
		});
		this.#client = client;
		this.#lists = new ListBounds((method, entries) =>
			this.#log.warn(`${method} has no end in sight: only its first ${entries} entries are used.`),
		);
		this.serverFeatures = new ServerFeatures(
			definition.name,
			client,
			(line) => this.#log.warn(line),
			() => events.changed(),
			(operation) => this.#guard(operation),
			(method) => this.#lists.entries(method),
		);
		this.#deliveries = new Deliveries({
			definition,
			guard: (operation, waiting) => this.#guard(operation, waiting),
			hasExpired: (error) => this.hasExpired(error),
			hide: (sentence) => context.trace.secrets.hideIn(sentence),
			warn: (line) => this.#log.warn(line),
		});
		const completions = new Completions(
			this.id,
			context.registry,
			() => this.#options.size > 0,
			() => this.#log.info('Ignored a completion notice for an unknown or finished elicitation.'),
		);
		this.#intake = {
			definition,
			connection: this.id,
			registry: context.registry,
			completions,
			revision: () => this.revision ?? '',
			callsInFlight: () => [...this.#calls],
			allowInsecureUrls: () => context.allowInsecureUrls(),
			respond: (id, elicitation, signal) => this.#deliveries.expect(id, elicitation, signal),
			whyLost: (error) => this.#deliveries.whyLost(error),
			forget: (id) => {
				this.#sdkShim.forget(id);
				this.#deliveries.forget(id);
			},
		};
		this.#sdkShim = new SdkShim(
			{
				modern: () => this.era === 'modern',
				revision: () => this.revision,
				refused: (params, reason) => context.registry.refuse({ server: definition.name, reason, params }),
			},
			this.#lists,
		);
		client.fallbackRequestHandler = (request, { mcpReq }) => {
			const raw = this.#sdkShim.asked(mcpReq.id) ?? (request as JSONRPCRequest);
			return serveRequest(this.#intake, raw, mcpReq.signal, callContext.getStore());
		};
		client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
			completions.receive(params.elicitationId),
		);
		const complaints = new ProtocolErrorLog((line) => this.#log.warn(line));
		client.onerror = (error) => complaints.add(error.message);
		client.onclose = () => {
			this.#ended = true;
			events.closed();
		};
		const stream = {
			lost: (error: unknown) => this.#lose(error),
			found: () => this.#find(),
			forgotten: () => events.forgotten(),
		};
		this.#subscription = new ListChangedSubscription(client, { ...stream, info: (line) => this.#log.info(line) });
		if (!(transport instanceof StdioTransport)) {
			(transport as HttpWire).stream = stream;
		}
	}

	/** The wire has ended. */
	get ended(): boolean {
		return this.#ended;
	}

	/** Why the server is not heard just now. It may well answer; and it is tried again and again whether it can be heard. */
	get lost(): Failure | undefined {
		return this.#lost;
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

	get initializeResult(): InitializeResult {
		return {
			serverInfo: this.#client.getServerVersion(),
			capabilities: this.#client.getServerCapabilities(),
			instructions: this.#client.getInstructions(),
		};
	}

	/** Why the wire was ended, when that was the server's fault. */
	get fault(): Error | undefined {
		return (this.transport as { readonly fault?: Error }).fault;
	}

	/** How the server's process ended, when it did so by itself. */
	get exit(): Exit | undefined {
		return this.transport instanceof StdioTransport ? this.transport.exit : undefined;
	}

	/** As `exit`, after a moment in which a process whose pipe has just broken may still end. */
	async exitSoon(): Promise<Exit | undefined> {
		return this.transport instanceof StdioTransport ? this.transport.exitSoon() : undefined;
	}

	/** Whether an error of a request means that the server no longer knows this session (HTTP with sessions). */
	hasExpired(error: unknown): boolean {
		const data = own(error, 'data');
		return this.transport.sessionId !== undefined && isSessionUnknown(own(data, 'status'), own(data, 'text'));
	}

	/**
	 * The first thing that was asked of a server of the newer era failed, and nothing had been heard of it before: connecting from
	 * what is known takes no message. It may speak another era by now, or not be there.
	 */
	get isStranger(): boolean {
		const { error } = this.serverFeatures;
		return this.#known && error !== undefined && !(error instanceof Failure);
	}

	/**
	 * Shakes hands; resolves to what was found out, so that the next session does not have to probe (E05).
	 * @param patient whether the server gets more time to answer the probe
	 */
	async connect(prior: PriorDiscovery | undefined, patient = false): Promise<PriorDiscovery> {
		const pinned = this.definition.protocolVersion !== 'auto';
		this.#known = prior?.kind === 'modern' && !pinned;
		if (patient) {
			this.#client.setVersionNegotiation(LONG_PROBE);
		}
		await this.#client.connect(this.#tap(), prior && !pinned ? { prior } : {});
		if (this.era === 'modern') {
			await this.#subscription.open();
		}
		const discover = this.#client.getDiscoverResult() ?? this.#probe.late;
		return discover ? { kind: 'modern', discover } : { kind: 'legacy' };
	}

	/**
	 * How to connect once more when shaking hands has failed with that error: with the answer to the probe that came too late, or
	 * with a new one, because nothing was heard of the first or it was left out. Undefined where that would come to the same.
	 */
	otherWay(error: unknown): { readonly prior: PriorDiscovery | undefined } | undefined {
		const { late } = this.#probe;
		return this.definition.protocolVersion === 'auto' && this.#probe.isOpen(error)
			? { prior: late && { kind: 'modern', discover: late } }
			: undefined;
	}

	/** Resolves when no call runs. */
	get idle(): Promise<unknown> {
		return Promise.allSettled(this.#runs);
	}

	/** Runs a call to its end, through every round that the server wants. Rejects with what the last round rejected with. */
	run(call: Call, signal: AbortSignal, options: RunOptions): Promise<unknown> {
		this.#options.set(call, options);
		const run = runRounds(this.#intake, call, signal, (input) => {
			const send = () => {
				signal.throwIfAborted();
				this.#calls.add(call);
				const sent = options.tamper?.(input, call.rounds) ?? input;
				return callContext.run(call, () => this.#send(call, sent, signal, options));
			};
			return this.#guard(send, { signal, clock: call.clock });
		}).finally(() => {
			this.#calls.delete(call);
			this.#options.delete(call);
			this.#intake.completions.callEnded();
			this.#runs.delete(run);
		});
		this.#runs.add(run);
		return run;
	}

	/** Runs what may need a sign-in. */
	#guard<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T> {
		return this.authorization ? this.authorization.guard(operation, waiting) : operation();
	}

	/** One round. These three requests, and no others, may be answered with a question (R06). */
	#send(call: Call, input: RoundInput, signal: AbortSignal, { onProgress }: RunOptions): Promise<unknown> {
		const options = {
			signal,
			timeout: NO_TIMEOUT,
			allowInputRequired: true,
			onprogress: (progress: Progress) => {
				call.clock.restart();
				tell(onProgress, progress);
			},
		};
		const args = call.args as Record<string, never>;
		switch (call.kind) {
			case 'tool': {
				const tool = this.serverFeatures.features.tools.find(({ name }) => name === call.name);
				return this.#client.callTool(
					{ name: call.name, arguments: args, ...input },
					{ ...options, ...(tool && { toolDefinition: tool as Tool }) },
				);
			}
			case 'prompt':
				return this.#client.getPrompt({ name: call.name, arguments: args, ...input }, options);
			case 'resource':
				// Whoever reads wants to see what the server says now.
				return this.#client.readResource({ uri: call.name, ...input }, { ...options, cacheMode: 'bypass' });
		}
	}

	/** Withdraws what is still being asked and ends the wire with every process behind it. Never rejects. */
	async close(reason: Sentence): Promise<void> {
		this.context.registry.withdraw(({ origin }) => origin.connection === this.id, reason);
		this.context.registry.endDeliveries(this.id, reason);
		this.#deliveries.close();
		this.serverFeatures.dispose();
		this.#subscription.close();
		await this.#client.close().catch(() => {});
		await this.transport.close().catch(() => {});
	}

	get #log(): ServerLog {
		return this.context.log(this.definition.name);
	}

	#tap(): TracingTransport {
		const { trace } = this.context;
		// The log records nothing without it.
		maskingOf(trace);
		const attribution = new Attribution(
			() => [...this.#calls],
			(id) => this.#callOf(id),
		);
		return new TracingTransport(
			this.transport,
			(direction, message, known) => {
				this.#probe.see(direction, message);
				const call = attribution.of(direction, message, known);
				trace.add({ server: this.definition.name, direction, call, message });
			},
			this.#sdkShim,
			(call, response) => this.#settled(call, response),
			(id, send) => this.#deliveries.deliver(id, send),
		);
	}

	/** The call that a page was asked for, where it is certain. */
	#callOf(elicitationId: unknown): Call | undefined {
		return this.context.registry.live.find(
			({ request, origin: { connection } }) =>
				connection === this.id && request.mode === 'url' && request.elicitationId === elicitationId,
		)?.cause;
	}

	#lose(error: unknown): void {
		this.#lost = redactFailure(explainStart(this.definition, error, undefined), this.context.trace);
		this.#log.warn(`The server is not heard any more; trying again. ${this.#lost.message}`);
		this.events.changed();
	}

	#find(): void {
		this.#lost = undefined;
		this.#log.info('The server is heard again.');
		// What it said meanwhile is lost: that its lists have changed, for instance.
		void this.serverFeatures.refresh();
	}

	#settled(call: Call, response: JSONRPCMessage | undefined): void {
		this.#calls.delete(call);
		if (response) {
			tell(this.#options.get(call)?.onResponse, response);
		} else {
			// What came on a stream that is gone can no longer be answered (A02).
			this.context.registry.withdraw(
				({ origin }) => origin.stream === call,
				localizable('The connection to the server was cut.'),
			);
		}
	}
}
