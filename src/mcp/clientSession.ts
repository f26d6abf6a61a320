import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { InsufficientScopeError, type ProtocolEra, UnauthorizedError } from '@modelcontextprotocol/client';
import { hasUrl, type ServerDefinition } from '../config/definition.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Call } from '../elicitation/call.ts';
import { LONGEST_TIMER } from '../elicitation/clock.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Disposable } from '../elicitation/emitter.ts';
import { UNSUPPORTED_PROTOCOL_VERSION } from '../elicitation/errorCodes.ts';
import { type JsonObject, own } from '../elicitation/json.ts';
import type { Registry } from '../elicitation/registry.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Edges, StateMachine } from '../elicitation/stateMachine.ts';
import type { InsecureUrls } from '../elicitation/url/urlSafety.ts';
import type { TraceEntry } from '../trace/log.ts';
import type { Authorization, Waiting } from './auth/auth.ts';
import { Client } from './client.ts';
import type { ConnectionContext } from './connectionContext.ts';
import { Deliveries } from './deliveries.ts';
import { explainStart } from './explain.ts';
import { isTransientError, retryAfterIn } from './explainHttp.ts';
import { HttpError } from './http/httpError.ts';
import { Sse } from './http/sse.ts';
import { StreamableHttp } from './http/streamableHttp.ts';
import { ListChangedSubscription } from './listChangedSubscription.ts';
import { LogMessages, type ServerLog } from './logMessages.ts';
import { OwnRequests } from './ownRequests.ts';
import { type Exit, StdioTransport } from './process/stdioTransport.ts';
import { Completions } from './rounds/completions.ts';
import { serveRequest } from './rounds/intake.ts';
import { Roots } from './rounds/roots.ts';
import { ServerFeatures } from './serverFeatures.ts';
import { type CallingSession, SessionCalls } from './sessionCalls.ts';
import { SessionTasks } from './tasks/sessionTasks.ts';
import { ConnectionCut, Failure, redactFailure, redactSentence } from './wire/failure.ts';
import { Peer } from './wire/peer.ts';
import { ProtocolErrorLog } from './wire/protocolErrorLog.ts';
import type { PeerHost, ServerRequest } from './wire/wire.ts';

/** What a session runs over. */
export type SessionWire = StdioTransport | StreamableHttp | Sse;

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
	readonly serverInfo: Client['serverInfo'];
	readonly capabilities: Client['capabilities'];
	readonly instructions: string | undefined;
}

/** `ended` is the connection's own end, `closed` is ours. */
const EDGES: Edges<'open' | 'ended' | 'closed'> = { open: ['ended', 'closed'], ended: ['closed'], closed: [] };

/** One live protocol session, from the start of its transport to its end, with its calls and elicitations. */
export class ClientSession implements CallingSession {
	readonly id = randomUUID();
	readonly serverFeatures: ServerFeatures;
	readonly tasks: SessionTasks;
	readonly calls: SessionCalls;
	readonly client: Client;
	readonly completions: Completions;
	readonly roots: Roots;
	readonly logMessages: LogMessages;
	readonly #peer: Peer;
	readonly #requests: OwnRequests;
	readonly #deliveries: Deliveries;
	readonly #subscription: ListChangedSubscription;
	readonly #conversation: Conversation<TraceEntry>;
	/** Nothing is known any more of what the user has cleared from the timeline. */
	readonly #clearing: Disposable;
	readonly #closed = new AbortController();
	readonly #machine = new StateMachine(EDGES, 'open');
	#lost: Failure | undefined;

	constructor(
		readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
		private readonly wire: SessionWire,
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
		this.#peer = new Peer(wire, this.#peerHost());
		const client = new Client(definition, this.#peer, context.clientVersion, taskMode);
		this.client = client;
		this.logMessages = new LogMessages(client, () => this.#log, context.trace.privacy);
		this.roots = new Roots(client, definition.roots, context.workspaceRoots, (line) => this.warn(line));
		this.completions = new Completions(
			this.id,
			context.registry,
			() => this.calls.running,
			() => this.#log.info('Ignored a completion notice for an unknown or finished elicitation.'),
		);
		this.#deliveries = new Deliveries(this);
		this.#requests = new OwnRequests(this);
		this.serverFeatures = new ServerFeatures(
			definition.name,
			client,
			(line) => this.warn(line),
			() => events.changed(),
			this.#requests,
			() => this.era === 'modern' && hasUrl(definition),
		);
		this.tasks = new SessionTasks(this, taskMode, (call, task) => this.calls.startedTask(call, task));
		this.calls = new SessionCalls(this);
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
		if (wire instanceof StreamableHttp) {
			wire.stream = stream;
		}
		wire.ready = () => this.#deliveries.ready();
	}

	/** What happens on the connection. */
	#peerHost(): PeerHost {
		const { definition, context } = this;
		const problems = new ProtocolErrorLog((line) => this.warn(line));
		return {
			record: (direction, message, call) =>
				context.trace.add({ server: definition.name, direction, call, message, conversation: this.#conversation }),
			serve: (request) => this.#serve(request),
			notified: (method, params) => this.#notified(method, params),
			deliver: (request, send) => this.#deliveries.deliver(request?.elicitation, request?.signal, send),
			refused: (params, reason) =>
				context.registry.refuse({ server: definition.name, reason, params, calls: this.calls.inFlight }),
			settled: (call, response) => this.calls.settled(call, response),
			late: (result) => this.tasks.createdLate(result),
			problem: (line) => problems.add(line),
			closed: () => {
				if (this.#machine.enter('ended')) {
					this.events.closed();
				}
			},
		};
	}

	/** Handles a request of the server. */
	async #serve(request: ServerRequest): Promise<JsonObject | undefined> {
		return request.method === 'ping' ? {} : (this.tasks.serve(request) ?? serveRequest(this, request));
	}

	/** Hears what the server sends unasked. */
	#notified(method: string, params: JsonObject): void {
		switch (method) {
			case 'notifications/progress':
				this.calls.progressed(params);
				break;
			case 'notifications/message':
				this.logMessages.receive(params);
				break;
			case 'notifications/tasks/status':
			case 'notifications/tasks':
				this.tasks.notified(params);
				break;
			case 'notifications/tools/list_changed':
				this.serverFeatures.refreshSoon(['tools']);
				break;
			case 'notifications/prompts/list_changed':
				this.serverFeatures.refreshSoon(['prompts']);
				break;
			case 'notifications/resources/list_changed':
				this.serverFeatures.refreshSoon(['resources', 'resourceTemplates']);
				break;
			case 'notifications/elicitation/complete':
				// Since 2026-07-28, the next round tells.
				if (this.era === 'legacy') {
					this.completions.receive(params);
				}
		}
	}

	/** True once the connection has ended, or is being closed. */
	get ended(): boolean {
		return this.#machine.state !== 'open';
	}

	/**
	 * Why server messages can't be received at the moment. The server may still respond to requests, and the stream is
	 * reopened in the background.
	 */
	get lost(): Failure | undefined {
		return this.#lost;
	}

	get revision(): string {
		return this.client.revision ?? '';
	}

	get era(): 'legacy' | 'modern' | undefined {
		return this.client.era;
	}

	/** The name that the server reports, if it does. */
	get ownName(): string | undefined {
		const { title, name } = this.client.serverInfo ?? {};
		return title || name || undefined;
	}

	get initializeResult(): InitializeResult {
		const { serverInfo, capabilities, instructions } = this.client;
		return { serverInfo, capabilities, instructions };
	}

	/** Why the connection was closed, if that was the server's fault. */
	get fault(): Error | undefined {
		return this.wire.fault;
	}

	/** The id of the server's process, if it has one. */
	get pid(): number | undefined {
		return this.wire instanceof StdioTransport ? this.wire.pid : undefined;
	}

	/** True over the HTTP+SSE transport, which revision 2025-03-26 replaced. Servers of any revision still use it. */
	get usesSse(): boolean {
		return this.wire instanceof Sse;
	}

	/** What the server's process has written to stdout instead of a message. */
	get otherOutput(): string {
		return this.wire instanceof StdioTransport ? this.wire.otherOutput : '';
	}

	/** True if requests belong to a session over HTTP. */
	get hasSessionId(): boolean {
		return this.wire instanceof StreamableHttp && this.wire.sessionId !== undefined;
	}

	/** How the server's process ended, if it exited by itself. */
	get exit(): Exit | undefined {
		return this.wire instanceof StdioTransport ? this.wire.exit : undefined;
	}

	/** Like `exit`, but waits briefly for the exit of a process whose pipe has just broken. */
	async exitSoon(): Promise<Exit | undefined> {
		return this.wire instanceof StdioTransport ? this.wire.exitSoon() : undefined;
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

	/** Initializes the session. See `Client.connect`. */
	async connect(known: ProtocolEra | undefined, discovery?: JsonObject): Promise<ProtocolEra> {
		const next = await this.client.connect(known, discovery);
		this.logMessages.start();
		this.roots.start();
		if (this.era === 'modern') {
			await this.#subscription.open();
		}
		return next;
	}

	/** See `Client.retryWith`. */
	retryWith(error: unknown): { readonly discovery: JsonObject | undefined } | undefined {
		return this.client.retryWith(error);
	}

	async guard<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T> {
		try {
			return await this.authorized(operation, waiting);
		} catch (error) {
			if (this.hasExpired(error)) {
				this.events.forgotten();
			}
			throw error;
		}
	}

	/** Runs an operation that may require a sign-in. Calls begin a new session themselves. */
	authorized<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T> {
		return this.authorization ? this.authorization.guard(operation, waiting) : operation();
	}

	/** Withdraws pending elicitations and closes the connection with all its processes. Never rejects. */
	async close(reason: Sentence): Promise<void> {
		this.#machine.enter('closed');
		this.#closed.abort();
		this.context.registry.withdraw(({ origin }) => origin.connection === this.id, reason);
		this.context.registry.endDeliveries(this.id, reason);
		this.#clearing.dispose();
		this.#deliveries.close();
		this.tasks.close(reason);
		this.roots.close();
		this.logMessages.close();
		this.serverFeatures.dispose();
		this.#requests.dispose();
		this.#subscription.close();
		await this.#peer.close().catch(() => {});
		this.tasks.interrupt();
	}

	get registry(): Registry {
		return this.context.registry;
	}

	get closed(): AbortSignal {
		return this.#closed.signal;
	}

	get lacksSession(): boolean {
		return hasUrl(this.definition) && !this.usesSse && !this.hasSessionId;
	}

	get insecureUrls(): InsecureUrls {
		return this.context.allowInsecureUrls();
	}

	callOfTask(taskId: unknown): Call | undefined {
		return this.tasks.callOf(taskId);
	}

	deliver(elicitation: Elicitation, signal: AbortSignal, send: () => Promise<unknown>): Promise<void> {
		return this.#deliveries.deliver(elicitation, signal, async () => void (await send()));
	}

	whyLost(error: unknown): Sentence | undefined {
		return this.#deliveries.whyLost(error);
	}

	waitAfter(error: unknown): number | undefined {
		return hasUrl(this.definition) && !this.ended && (error instanceof ConnectionCut || isTransientError(error))
			? Math.min(1_000 * (retryAfterIn(error) ?? 0), LONGEST_TIMER)
			: undefined;
	}

	abandon(taskId: string): void {
		this.#peer.abandon(taskId);
	}

	hide(sentence: Sentence): Sentence {
		return redactSentence(sentence, this.context.trace.privacy);
	}

	warn(line: string): void {
		this.#log.warn(line);
	}

	get #log(): ServerLog {
		return this.context.log(this.definition.name);
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
		const lost = redactFailure(failure, this.context.trace.privacy);
		if (this.#closed.signal.aborted || lost.message === this.#lost?.message) {
			return;
		}
		if (isScope) {
			// The stream is opened with the new token then.
			this.authorization?.stepUp(error).catch((failure) => this.warn(failure.message));
		}
		this.#lost = lost;
		this.warn(`Lost the server's event stream; reconnecting. ${lost.message}`);
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
