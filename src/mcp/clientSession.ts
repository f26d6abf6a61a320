import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
	type Client,
	type DiscoverResult,
	InsufficientScopeError,
	type JSONRPCRequest,
	type PriorDiscovery,
	type ProtocolEra,
	SSEClientTransport,
	type Transport,
	UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { TaskMode } from '../config/capabilities.ts';
import { hasUrl, type ServerDefinition } from '../config/definition.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Call } from '../elicitation/call.ts';
import { LONGEST_TIMER } from '../elicitation/clock.ts';
import type { Disposable } from '../elicitation/emitter.ts';
import { UNSUPPORTED_PROTOCOL_VERSION } from '../elicitation/errorCodes.ts';
import { own } from '../elicitation/json.ts';
import { REVISIONS, STATELESS } from '../elicitation/revisions.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import type { TraceEntry } from '../trace/log.ts';
import { maskingOf } from '../trace/masking.ts';
import type { Authorization, Waiting } from './auth/auth.ts';
import { createClient, LONG_PROBE } from './client.ts';
import type { ConnectionContext } from './connectionContext.ts';
import { Deliveries } from './deliveries.ts';
import { explainStart } from './explain.ts';
import { isTransientError, retryAfterIn } from './explainHttp.ts';
import { HttpError } from './http/httpError.ts';
import { ListChangedSubscription } from './listChangedSubscription.ts';
import { LogMessages, type ServerLog } from './logMessages.ts';
import { OwnRequests } from './ownRequests.ts';
import { Probe } from './probe.ts';
import { type Exit, StdioTransport } from './process/stdioTransport.ts';
import { Completions } from './rounds/completions.ts';
import { type IntakeContext, serveRequest } from './rounds/intake.ts';
import { Roots } from './rounds/roots.ts';
import { ServerFeatures } from './serverFeatures.ts';
import { SessionCalls } from './sessionCalls.ts';
import { SessionTasks } from './tasks/sessionTasks.ts';
import type { HttpWire } from './transports.ts';
import { ConnectionCut, Failure, redactFailure, redactSentence, UnsupportedRevision } from './wire/failure.ts';
import { ListBounds } from './wire/listBounds.ts';
import { ProtocolErrorLog } from './wire/protocolErrorLog.ts';
import { SdkShim } from './wire/sdkShim.ts';
import { callContext, TracingTransport } from './wire/tracingTransport.ts';

export interface SessionEvents {
	/** The server's features or state have changed. */
	changed(): void;
	/** The connection closed unexpectedly. */
	closed(): void;
	/** The server no longer knows this session. */
	forgotten(): void;
}

/** What a server returns from `initialize` or `server/discover`. */
export interface InitializeResult {
	readonly serverInfo: ReturnType<Client['getServerVersion']>;
	readonly capabilities: ReturnType<Client['getServerCapabilities']>;
	readonly instructions: string | undefined;
}

/** One live protocol session, from the start of its transport to its end, with its calls and elicitations. */
export class ClientSession {
	/** Scopes elicitation ids: completion notifications of other sessions don't apply to this one. */
	readonly id = randomUUID();
	readonly serverFeatures: ServerFeatures;
	readonly tasks: SessionTasks;
	readonly calls: SessionCalls;
	readonly #client: Client;
	readonly #requests: OwnRequests;
	readonly #intake: IntakeContext;
	readonly #sdkShim: SdkShim;
	readonly #deliveries: Deliveries;
	readonly #subscription: ListChangedSubscription;
	readonly #probe = new Probe();
	readonly #logMessages: LogMessages;
	readonly #roots: Roots;
	readonly #conversation: Conversation<TraceEntry>;
	/** Nothing is known any more of what the user has cleared from the timeline. */
	readonly #clearing: Disposable;
	readonly #closed = new AbortController();
	#tracing: TracingTransport | undefined;
	#ended = false;
	#lost: Failure | undefined;

	constructor(
		private readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
		private readonly transport: Transport,
		private readonly authorization: Authorization | undefined,
		private readonly events: SessionEvents,
		conversation: Conversation<TraceEntry>,
	) {
		this.#conversation = conversation.next(() => this.#onlyCall);
		const taskMode = context.taskMode();
		// Every call at the round limit adds a listener.
		setMaxListeners(0, this.#closed.signal);
		this.#clearing = context.trace.onDidClear(() => {
			this.#conversation.forgetCalls(({ state }) => state !== 'running');
			this.tasks.forgetEnded();
		});
		const client = createClient(definition, context.clientVersion, taskMode, {
			tools: () => this.serverFeatures.refreshSoon(['tools']),
			prompts: () => this.serverFeatures.refreshSoon(['prompts']),
			resources: () => this.serverFeatures.refreshSoon(['resources', 'resourceTemplates']),
		});
		this.#client = client;
		this.#logMessages = new LogMessages(client, () => this.#log, context.trace);
		this.#roots = new Roots(client, definition.roots, context.workspaceRoots, (line) => this.#log.warn(line));
		this.#deliveries = new Deliveries({
			definition,
			guard: (operation, waiting) => this.#guard(operation, waiting),
			hasExpired: (error) => this.hasExpired(error),
			hide: (sentence) => redactSentence(sentence, context.trace),
			warn: (line) => this.#log.warn(line),
		});
		this.#intake = this.#newIntake();
		this.#requests = new OwnRequests(this.#intake, (operation) => this.#guard(operation));
		const lists = new ListBounds((method) => this.#requests.clockOf(method));
		this.serverFeatures = new ServerFeatures(
			definition.name,
			client,
			(line) => this.#log.warn(line),
			() => events.changed(),
			this.#requests,
			lists,
		);
		this.#sdkShim = new SdkShim(
			{
				modern: () => this.era === 'modern',
				revision: () => this.revision,
				tasks: taskMode !== 'never',
				refused: (params, reason) => context.registry.refuse({ server: definition.name, reason, params }),
			},
			lists,
		);
		this.tasks = this.#newTasks(taskMode);
		this.calls = new SessionCalls({
			intake: this.#intake,
			client,
			serverFeatures: this.serverFeatures,
			tasks: this.tasks,
			logMessages: this.#logMessages,
			guard: (operation, waiting) => this.#authorized(operation, waiting),
		});
		this.#listen(client);
		const stream = {
			lost: (error: unknown) => this.#lose(error),
			found: () => this.#find(),
			forgotten: () => events.forgotten(),
		};
		this.#subscription = new ListChangedSubscription(
			client,
			{ ...stream, info: (line) => this.#log.info(line) },
			(error) => this.hasExpired(error),
			authorization?.provider,
		);
		if (!(transport instanceof StdioTransport)) {
			(transport as HttpWire).stream = stream;
		}
		(transport as HttpWire | StdioTransport).ready = () => this.#deliveries.ready();
	}

	/** Hears everything that the server sends unasked. */
	#listen(client: Client): void {
		client.fallbackRequestHandler = (request, { mcpReq }) => {
			const raw = this.#sdkShim.asked(mcpReq.id) ?? (request as JSONRPCRequest);
			const call = callContext.getStore();
			return this.tasks.serve(raw, mcpReq.signal, call) ?? serveRequest(this.#intake, raw, mcpReq.signal, call);
		};
		client.fallbackNotificationHandler = async ({ method, params }) => {
			if (method === 'notifications/tasks/status' || method === 'notifications/tasks') {
				this.tasks.notified(params);
			} else if (method === 'notifications/message') {
				this.#logMessages.receive(params);
			}
		};
		client.setNotificationHandler('notifications/progress', ({ params }) => this.calls.progressed(params));
		client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
			this.#intake.completions.receive(params.elicitationId),
		);
		const protocolErrors = new ProtocolErrorLog((line) => this.#log.warn(line));
		client.onerror = (error) => protocolErrors.add(error.message);
		client.onclose = () => {
			this.#ended = true;
			this.events.closed();
		};
	}

	#newIntake(): IntakeContext {
		const completions = new Completions(
			this.id,
			this.context.registry,
			() => this.calls.running,
			() => this.#log.info('Ignored a completion notice for an unknown or finished elicitation.'),
		);
		return {
			definition: this.definition,
			connection: this.id,
			registry: this.context.registry,
			completions,
			revision: () => this.revision ?? '',
			closed: this.#closed.signal,
			callsInFlight: () => this.calls.inFlight,
			lacksSession: () => hasUrl(this.definition) && !this.usesSse && !this.hasSessionId,
			callOfTask: (taskId) => this.tasks.callOf(taskId),
			roots: this.#roots,
			allowInsecureUrls: () => this.context.allowInsecureUrls(),
			respond: (id, elicitation, signal) => this.#deliveries.expect(id, elicitation, signal),
			whyLost: (error) => this.#deliveries.whyLost(error),
			forget: (request, elicitation) => {
				this.#sdkShim.forget(request);
				this.#deliveries.forget(request.id, elicitation);
			},
		};
	}

	#newTasks(mode: TaskMode): SessionTasks {
		return new SessionTasks({
			intake: this.#intake,
			mode,
			client: this.#client,
			guard: (operation, waiting) => this.#guard(operation, waiting),
			deliver: (elicitation, signal, send) => {
				const id = randomUUID();
				this.#deliveries.expect(id, elicitation, signal);
				return this.#deliveries.deliver(id, async () => void (await send()));
			},
			waitAfter: (error) =>
				hasUrl(this.definition) && !this.#ended && (error instanceof ConnectionCut || isTransientError(error))
					? Math.min(1_000 * (retryAfterIn(error) ?? 0), LONGEST_TIMER)
					: undefined,
			isCalled: () => this.calls.running.length > 0,
			hasExpired: (error) => this.hasExpired(error),
			abandon: (taskId) => this.#tracing?.abandon(taskId),
			reports: (call, message) => this.calls.reported(call, message),
			created: (call, task) => this.calls.startedTask(call, task),
			responded: (call, response) => this.calls.responded(call, response),
			warn: (line) => this.#log.warn(line),
		});
	}

	/** True once the connection is closed. */
	get ended(): boolean {
		return this.#ended;
	}

	/**
	 * Why server messages can't be received at the moment. The server may still respond to requests, and the stream is
	 * reopened in the background.
	 */
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

	/** The name that the server reports, if it does. */
	get ownName(): string | undefined {
		const version = this.#client.getServerVersion();
		return version?.title || version?.name || undefined;
	}

	get initializeResult(): InitializeResult {
		return {
			serverInfo: this.#client.getServerVersion(),
			capabilities: this.#client.getServerCapabilities(),
			instructions: this.#client.getInstructions(),
		};
	}

	/** Why the connection was closed, if that was the server's fault. */
	get fault(): Error | undefined {
		return (this.transport as { readonly fault?: Error }).fault;
	}

	/** The id of the server's process, if it has one. */
	get pid(): number | undefined {
		return this.transport instanceof StdioTransport ? this.transport.pid : undefined;
	}

	/** True over the HTTP+SSE transport, which revision 2025-03-26 replaced. Servers of any revision still use it. */
	get usesSse(): boolean {
		return this.transport instanceof SSEClientTransport;
	}

	/** What the server's process has written to stdout instead of a message. */
	get otherOutput(): string {
		return this.transport instanceof StdioTransport ? this.transport.otherOutput : '';
	}

	/** True if requests belong to a session over HTTP. */
	get hasSessionId(): boolean {
		return this.transport.sessionId !== undefined;
	}

	/** How the server's process ended, if it exited by itself. */
	get exit(): Exit | undefined {
		return this.transport instanceof StdioTransport ? this.transport.exit : undefined;
	}

	/** Like `exit`, but waits briefly for the exit of a process whose pipe has just broken. */
	async exitSoon(): Promise<Exit | undefined> {
		return this.transport instanceof StdioTransport ? this.transport.exitSoon() : undefined;
	}

	/**
	 * True if an error means that the server no longer knows this session (HTTP with sessions), or that it has been replaced
	 * by one with older revisions alone (E05, E06).
	 */
	hasExpired(error: unknown): boolean {
		const { protocolVersion } = this.definition;
		// Not its causes: the error of a task has one, too, although its tool has run.
		const { endsSession = false, isOlder: seemsOlder } = error instanceof HttpError ? error.refusal : {};
		if (this.era !== 'modern') {
			return endsSession;
		}
		const isOlder = seemsOlder || own(error, 'code') === UNSUPPORTED_PROTOCOL_VERSION;
		return isOlder && protocolVersion === 'auto' && hasUrl(this.definition);
	}

	/**
	 * Initializes the session. Resolves to the era to begin the next one with (E05).
	 * @param known the era that the server belonged to before. An older server is not probed; a newer one gets more time to
	 * respond to the probe
	 * @param discovery its response to an earlier probe
	 */
	async connect(known: ProtocolEra | undefined, discovery?: DiscoverResult): Promise<ProtocolEra> {
		const isPinned = this.definition.protocolVersion !== 'auto';
		if (known === 'modern' && !isPinned) {
			this.#client.setVersionNegotiation(LONG_PROBE);
		}
		const prior: PriorDiscovery | undefined =
			known === 'legacy' ? { kind: 'legacy' } : discovery && { kind: 'modern', discover: discovery };
		this.#tracing = this.#tracingTransport();
		try {
			await this.#client.connect(this.#tracing, prior && !isPinned ? { prior } : {});
		} catch (error) {
			const { chosen } = this.#probe;
			const isOffered = isPinned
				? chosen === this.definition.protocolVersion
				: REVISIONS.some((revision) => revision === chosen && revision < STATELESS);
			throw typeof chosen === 'string' && !isOffered ? new UnsupportedRevision(chosen) : error;
		}
		this.#logMessages.start();
		this.#roots.start();
		if (this.era === 'modern') {
			await this.#subscription.open();
		}
		return this.era === 'modern' || this.#probe.late ? 'modern' : 'legacy';
	}

	/**
	 * How to reconnect after initialization failed with that error: with the late response to the probe, or with a new
	 * probe if the first one got no response or was skipped. Undefined if a retry wouldn't help.
	 */
	retryWith(error: unknown): { readonly discovery: DiscoverResult | undefined } | undefined {
		return this.definition.protocolVersion === 'auto' && this.#probe.isOpen(error)
			? { discovery: this.#probe.late }
			: undefined;
	}

	/** Runs an operation that may require a sign-in, or find out that the session has ended. */
	async #guard<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T> {
		try {
			return await this.#authorized(operation, waiting);
		} catch (error) {
			if (this.hasExpired(error)) {
				this.events.forgotten();
			}
			throw error;
		}
	}

	/** Runs an operation that may require a sign-in. Calls begin a new session themselves. */
	#authorized<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T> {
		return this.authorization ? this.authorization.guard(operation, waiting) : operation();
	}

	/** Withdraws pending elicitations and closes the connection with all its processes. Never rejects. */
	async close(reason: Sentence): Promise<void> {
		this.#closed.abort();
		this.context.registry.withdraw(({ origin }) => origin.connection === this.id, reason);
		this.context.registry.endDeliveries(this.id, reason);
		this.#clearing.dispose();
		this.#deliveries.close();
		this.tasks.close(reason);
		this.#roots.close();
		this.#logMessages.close();
		this.serverFeatures.dispose();
		this.#requests.dispose();
		this.#subscription.close();
		await this.#client.close().catch(() => {});
		this.tasks.interrupt();
		await this.transport.close().catch(() => {});
	}

	get #log(): ServerLog {
		return this.context.log(this.definition.name);
	}

	#tracingTransport(): TracingTransport {
		const { trace } = this.context;
		// Messages aren't recorded until the masking is set up.
		maskingOf(trace);
		return new TracingTransport(
			this.transport,
			(direction, message, call) => {
				this.#probe.see(direction, message);
				const server = this.definition.name;
				trace.add({ server, direction, call, message, conversation: this.#conversation });
			},
			this.#sdkShim,
			(call, response) => this.calls.settled(call, response),
			(id, send) => this.#deliveries.deliver(id, send),
			(response) => this.tasks.createdLate(response),
		);
	}

	/** The call in flight, unless there are several. */
	get #onlyCall(): Call | undefined {
		const { inFlight } = this.calls;
		return inFlight.length === 1 ? inFlight[0] : undefined;
	}

	/** Tells of a loss, and again when its reason changes: it may turn out that the user can end it. */
	#lose(error: unknown): void {
		const isScope = error instanceof InsufficientScopeError;
		const failure =
			this.authorization && (isScope || error instanceof UnauthorizedError)
				? new Failure(
						this.definition.name,
						localizable('The server requires another sign-in before it sends anything by itself.'),
						isScope ? localizable('Restart the server to sign in.') : localizable('Call a tool to sign in.'),
						{ cause: error },
					)
				: explainStart(this.definition, error, undefined);
		const lost = redactFailure(failure, this.context.trace);
		if (this.#closed.signal.aborted || lost.message === this.#lost?.message) {
			return;
		}
		if (isScope) {
			// The stream is opened with the new token then.
			this.authorization?.stepUp(error).catch((failure) => this.#log.warn(failure.message));
		}
		this.#lost = lost;
		this.#log.warn(`Lost the server's event stream; reconnecting. ${lost.message}`);
		this.events.changed();
	}

	#find(): void {
		if (this.#lost) {
			this.#lost = undefined;
			this.#log.info("The server's event stream is back.");
		}
		// Notifications such as `list_changed` may have been missed.
		void this.serverFeatures.refresh();
	}
}
