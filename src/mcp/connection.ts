import type { ProtocolEra } from '@modelcontextprotocol/client';
import { TASKS_EXTENSION } from '../config/capabilities.ts';
import { hasUrl, isProgram, type ServerDefinition } from '../config/definition.ts';
import { Conversation } from '../conversation/conversation.ts';
import { raceAbort } from '../elicitation/abort.ts';
import type { Call, CallRequest } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import type { ListName } from '../elicitation/lists.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Edges, StateMachine } from '../elicitation/stateMachine.ts';
import type { TraceEntry } from '../trace/log.ts';
import { Authorization } from './auth/auth.ts';
import { type BegunCall, type CallOptions, Calls } from './calls.ts';
import { ClientSession, type InitializeResult, type SessionWire } from './clientSession.ts';
import type { ConnectionContext } from './connectionContext.ts';
import { explainCall, explainStart } from './explain.ts';
import { negotiate } from './handshake.ts';
import { MAX_RESTARTS, type Restarted, Restarts } from './restarts.ts';
import { type FeatureLists, NO_FEATURES, type ServerFeatures } from './serverFeatures.ts';
import { Failure, Reason, redactFailure, releaseStackFrames, stoppedWhileStarting } from './wire/failure.ts';

/**
 * The requested state and its progress. `stopped` is set at once, though a process may take a moment to exit.
 * `restarting`: the server exited unexpectedly and restarts after a pause.
 */
export type ServerState = 'stopped' | 'starting' | 'running' | 'restarting' | 'failed';

const CLOSED = localizable('The connection was closed.');
const START_AGAIN = localizable('Start it, then try again.');
const EXPIRED = localizable('The session with the server has expired.');

/** What may follow each state. While it runs, `starting` follows once the server has forgotten the session. */
const EDGES: Edges<ServerState> = {
	stopped: ['starting'],
	starting: ['running', 'restarting', 'failed', 'stopped'],
	running: ['starting', 'restarting', 'failed', 'stopped'],
	restarting: ['starting', 'stopped'],
	failed: ['starting', 'stopped'],
};

/** One attempt to start, until the server is running, has failed, or is stopped. */
interface Attempt {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/** One server and its lifecycle. Code above this layer may show which protocol era the server speaks, but behaves the same. */
export class Connection {
	readonly #changed = new Emitter<void>();
	readonly #machine = new StateMachine<ServerState>(EDGES, 'stopped');
	#failure: Failure | undefined;
	/** What users are told to do about calls that ended because the server was stopped. */
	#fixOfStop: Sentence = START_AGAIN;
	/** The failure of a call that shows that the running server has to be started again. */
	#trouble: Failure | undefined;
	#session: ClientSession | undefined;
	/** The running attempt. */
	#attempt: Attempt | undefined;
	/** Resolves when all earlier sessions and processes have ended. The next start waits for it. */
	#ended: Promise<unknown>;
	/** The era that the server was found to belong to at its last start (E05). What it can do is asked anew at each start. */
	#known: ProtocolEra | undefined;
	/** Why sessions closed unexpectedly. Their calls fail with this error. */
	readonly #losses = new WeakMap<ClientSession, Promise<Failure>>();
	/** Sessions that the server has forgotten and that still have calls. */
	readonly #expired = new Set<ClientSession>();
	/** Sessions that the server has forgotten since it was last stopped. Their errors say what happened to their calls. */
	#forgotten = new WeakSet<ClientSession>();
	readonly #conversation = new Conversation<TraceEntry>();
	readonly #restarts = new Restarts(() => this.#restart());
	readonly #calls: Calls;

	/** Absent if the server needs no sign-in. */
	readonly #authorization: Authorization | undefined;

	readonly onDidChange = this.#changed.event;

	/**
	 * @param signInOf the server whose credentials it uses
	 * @param after what has to end before the first start
	 */
	constructor(
		readonly definition: ServerDefinition,
		private readonly context: ConnectionContext,
		signInOf = definition.name,
		after: Promise<unknown> = Promise.resolve(),
	) {
		this.#ended = after;
		this.#authorization = authorizationFor(definition, context, signInOf, () => this.#changed.fire());
		this.#calls = new Calls(definition.name, context, {
			start: () => this.start(),
			session: () => this.#session,
			renew: (expired, call) => this.#renew(expired, call),
			forgotten: (expired) => this.#onForgotten(expired),
			ended: (failure) => this.#look(failure),
			explain: (call, session, error) => this.#explainCall(call, session, error),
		});
	}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.#machine.state;
	}

	/**
	 * Why the last start or the connection failed; while the server is running, why it has to be started again, or why its
	 * features couldn't be listed.
	 */
	get failure(): Failure | undefined {
		const { failure } = this.#session?.serverFeatures ?? {};
		return this.#failure ?? this.#trouble ?? (failure && redactFailure(failure, this.context.trace.privacy));
	}

	/** Why server messages can't be received at the moment; the stream is reopened in the background. */
	get lost(): Failure | undefined {
		return this.#session?.lost;
	}

	/** How often it was restarted without the user, who may not have seen it; undefined if it was not. */
	get restarted(): Restarted | undefined {
		return this.#restarts.restarted;
	}

	/** The negotiated protocol revision. */
	get revision(): string | undefined {
		return this.#session?.revision || undefined;
	}

	get era(): 'legacy' | 'modern' | undefined {
		return this.#session?.era;
	}

	/** Ids of the extensions that the server declares and that this client does not support. */
	get unsupportedExtensions(): readonly string[] {
		const extensions = own(this.initializeResult?.capabilities, 'extensions');
		return Object.keys(isObject(extensions) ? extensions : {}).filter((id) => id !== TASKS_EXTENSION);
	}

	/** The id of the server's process; `undefined` for HTTP servers and unless it is running. */
	get pid(): number | undefined {
		return this.#session?.pid;
	}

	/** True if the server is connected over the HTTP+SSE transport of revision 2024-11-05. */
	get usesSse(): boolean {
		return this.#session?.usesSse === true;
	}

	/** The name that the server reports. Never shown alone (F01). */
	get ownName(): string | undefined {
		return this.#session?.ownName;
	}

	/** The authorization server where the user is signed in for this server, as far as known. */
	get signedInAt(): string | undefined {
		return this.#authorization?.issuer;
	}

	get tools(): FeatureLists['tools'] {
		return this.#features.tools;
	}

	get prompts(): FeatureLists['prompts'] {
		return this.#features.prompts;
	}

	get resources(): FeatureLists['resources'] {
		return this.#features.resources;
	}

	get resourceTemplates(): FeatureLists['resourceTemplates'] {
		return this.#features.resourceTemplates;
	}

	/** A list exactly as the server sent it. */
	listed(name: ListName): readonly Json[] {
		return this.#session?.serverFeatures.raw(name) ?? [];
	}

	/** See `ServerFeatures.suggest`. No suggestions unless the server is running. */
	suggest: ServerFeatures['suggest'] = async (...of) => (await this.#session?.serverFeatures.suggest(...of)) ?? [];

	/** The initialize result; `undefined` unless the server is running. */
	get initializeResult(): InitializeResult | undefined {
		return this.#session?.initializeResult;
	}

	/** True if the server is running and calls of its tools may run as tasks. */
	get runsTasks(): boolean {
		return this.#session?.tasks.supported ?? false;
	}

	/**
	 * Connects unless connected or connecting. Waits for earlier sessions to end first. Rejects with a Failure, at once if
	 * stopped.
	 */
	start(): Promise<void> {
		if (this.#attempt) {
			return this.#attempt.done;
		}
		if (this.state === 'running' && this.#session) {
			return Promise.resolve();
		}
		this.state === 'restarting' ? this.#restarts.hurry() : this.#restarts.reset();
		return this.#begin((failure) => this.#fail(failure));
	}

	/**
	 * Closes the connection or cancels the start, and withdraws pending elicitations. Resolves when every process has
	 * exited, even if the server has been restarted since. Never rejects.
	 * @param fix what users are told to do about calls that end with it
	 */
	async stop(fix: Sentence = START_AGAIN): Promise<void> {
		this.#fixOfStop = fix;
		const attempt = this.#attempt;
		this.#attempt = undefined;
		attempt?.abort.abort(stoppedWhileStarting(this.name));
		this.#restarts.reset();
		this.#authorization?.abort();
		const ended = Promise.all([this.#ended, this.#disconnect()]);
		this.#ended = ended;
		this.#become('stopped');
		await ended;
	}

	/** Stops the server and deletes its credentials. */
	async signOut(): Promise<void> {
		await this.stop();
		await this.#authorization?.signOut();
	}

	/**
	 * Begins a call, after starting the server unless it is running. Rejects with a Failure, or at once with the signal's reason
	 * if cancelled: a server that is still starting continues to start, because other calls may wait for it.
	 */
	begin(request: CallRequest, options?: CallOptions): Promise<BegunCall> {
		return this.#calls.begin(request, options);
	}

	/** Begins a call, and sends it. Rejects like both. */
	async call(request: CallRequest, options?: CallOptions): Promise<JsonObject> {
		return (await this.begin(request, options)).send(options);
	}

	/** Calls a tool. */
	callTool(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
		return this.call({ kind: 'tool', name, args }, options);
	}

	/** Gets a prompt. */
	getPrompt(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
		return this.call({ kind: 'prompt', name, args }, options);
	}

	/** Reads a resource. */
	readResource(uri: string, options?: CallOptions): Promise<JsonObject> {
		return this.call({ kind: 'resource', name: uri, args: {} }, options);
	}

	/** Cancels a task of an earlier session, if the server is running. It may have ended already, so that errors mean nothing. */
	cancelTask(taskId: string): void {
		if (this.state === 'running') {
			this.#session?.tasks.cancel(taskId);
		}
	}

	/**
	 * Opens a new session in place of one that the server has forgotten. Calls that notice at the same time share it.
	 * Undefined if the server has been stopped since.
	 */
	async #renew(expired: ClientSession, { clock }: Call): Promise<ClientSession | undefined> {
		this.#setAside(expired);
		if (!this.#expired.has(expired)) {
			return undefined;
		}
		const start = this.start();
		await (this.#authorization?.lookOn(clock, start) ?? start);
		return this.#session;
	}

	/** Keeps a forgotten session until its last call has ended. */
	#setAside(expired: ClientSession): void {
		if (expired === this.#session) {
			this.context.log(this.name).info('The server has forgotten the session; beginning a new one.');
			this.#session = undefined;
			this.#expired.add(expired);
			this.#forgotten.add(expired);
			void expired.calls.idle.then(() => {
				this.#expired.delete(expired);
				return expired.close(EXPIRED);
			});
		}
	}

	/** The server features; empty unless the server is running. */
	get #features(): FeatureLists {
		return this.#session?.serverFeatures.features ?? NO_FEATURES;
	}

	async #explainCall(call: Call, session: ClientSession | undefined, error: unknown): Promise<Failure> {
		if (session === this.#session || (session && this.#forgotten.has(session))) {
			const inSession = session?.hasSessionId === true;
			const known = { taskMode: this.context.taskMode(), inSession };
			return redactFailure(explainCall(this.definition, call.name, error, known), this.context.trace.privacy);
		}
		return (
			(session && (await this.#losses.get(session))) ??
			this.#failure ??
			new Failure(this.name, localizable('The server was stopped while "{0}" was running.', call.name), this.#fixOfStop)
		);
	}

	/** Learns from the end of a call whether the server works. */
	#look(failure: Failure | undefined): void {
		const trouble = failure?.restart && this.state === 'running' ? failure : undefined;
		if (trouble !== this.#trouble && (trouble || !failure)) {
			this.#trouble = trouble;
			this.#changed.fire();
		}
	}

	#explainStart(error: unknown, exit: ClientSession['exit'], otherOutput?: string): Failure {
		return redactFailure(explainStart(this.definition, error, exit, otherOutput), this.context.trace.privacy);
	}

	/** @param failed decides what happens if the start fails */
	#begin(failed: (failure: Failure) => void): Promise<void> {
		const abort = new AbortController();
		const work = this.#ended.then(() => this.#start(abort.signal, failed));
		this.#ended = work.catch(() => {});
		const done = raceAbort(work, abort.signal);
		this.#attempt = { abort, done };
		this.#failure = undefined;
		this.#become('starting');
		return done;
	}

	/** The result is reported through the state, so nobody awaits it. */
	#restart(): void {
		this.#begin((failure) => this.#lose(failure)).catch(() => {});
	}

	/** @param stopped aborts when the server is stopped; from then on, this attempt must not change the state */
	async #start(stopped: AbortSignal, failed: (failure: Failure) => void): Promise<void> {
		try {
			await this.#connect(stopped);
			stopped.throwIfAborted();
			if (this.#session?.ended) {
				throw new Reason(CLOSED);
			}
		} catch (error) {
			const session = this.#session;
			const failure = this.#explainStart(session?.fault ?? error, await session?.exitSoon(), session?.otherOutput);
			await this.#disconnect();
			if (!stopped.aborted) {
				this.#known = undefined;
				this.#attempt = undefined;
				failed(failure);
			}
			throw failure;
		}
		this.#attempt = undefined;
		this.#restarts.up();
		this.#become('running');
		const { tools, prompts, resources, resourceTemplates } = this;
		this.context
			.log(this.name)
			.info(
				`Connected: protocol ${this.revision} (${this.era}); tools: ${tools.length}, prompts: ${prompts.length}, ` +
					`resources: ${resources.length}, resource templates: ${resourceTemplates.length}.`,
			);
	}

	/** Initializes a session and lists the server features. */
	async #connect(stopped: AbortSignal): Promise<void> {
		const { definition, context } = this;
		this.#known = await negotiate({
			definition,
			reaper: context.reaper,
			log: context.log(this.name),
			known: this.#known,
			authorization: this.#authorization,
			open: (wire) => {
				stopped.throwIfAborted();
				return this.#open(wire);
			},
		});
		await this.#session?.serverFeatures.refresh();
	}

	#open(wire: SessionWire): ClientSession {
		const session = new ClientSession(
			this.definition,
			this.context,
			wire,
			this.#authorization,
			{
				changed: () => this.#changed.fire(),
				closed: () => this.#onClosed(session),
				forgotten: () => this.#onForgotten(session),
			},
			this.#conversation,
		);
		this.#session = session;
		this.#trouble = undefined;
		return session;
	}

	#onClosed(session: ClientSession): void {
		if (session !== this.#session || this.state !== 'running') {
			return;
		}
		const losing = this.#disconnect().then(() => {
			const failure = this.#explainStart(session.fault ?? new Reason(CLOSED), session.exit);
			// Unless it has been stopped or restarted since.
			if (this.state === 'running') {
				// We closed it because of what it sent. After a restart, it would send that again.
				session.fault ? this.#fail(failure) : this.#lose(failure);
			}
			return failure;
		});
		this.#losses.set(session, losing);
		this.#ended = Promise.all([this.#ended, losing]);
	}

	/** Other requests may find out long before a call does. No other server can take the place of a process. */
	#onForgotten(session: ClientSession): void {
		if (session === this.#session && this.state === 'running' && hasUrl(this.definition)) {
			this.#setAside(session);
			this.#lose(new Failure(this.name, EXPIRED, localizable('A new one starts automatically.')));
		}
	}

	/** Restarts a server that exited unexpectedly, up to a limit. */
	#lose(failure: Failure): void {
		if (this.#restarts.down()) {
			this.#fail(failure, 'restarting');
		} else {
			const { what, fix, cause, signIn, definition } = failure;
			const inVain = localizable('It was restarted {0} times in a row without success. {1}', MAX_RESTARTS, what);
			this.#fail(new Failure(this.name, inVain, fix, { cause, signIn, definition }));
		}
	}

	async #disconnect(): Promise<void> {
		const sessions = [this.#session, ...this.#expired];
		this.#trouble = undefined;
		this.#session = undefined;
		this.#expired.clear();
		this.#forgotten = new WeakSet();
		await Promise.all(
			sessions.map((session) => session?.close(localizable('The connection to the server has ended.'))),
		);
	}

	#fail(failure: Failure, state: 'failed' | 'restarting' = 'failed'): void {
		releaseStackFrames(failure);
		this.#failure = failure;
		this.context.log(this.name).error(failure.message);
		this.#become(state);
	}

	#become(state: ServerState): void {
		this.#machine.enter(state);
		this.#changed.fire();
	}
}

/** A token that the user configured takes precedence over signing in. */
function authorizationFor(
	definition: ServerDefinition,
	context: ConnectionContext,
	server: string,
	changed: () => void,
): Authorization | undefined {
	if (isProgram(definition) || Object.keys(definition.headers).some((name) => /^authorization$/i.test(name))) {
		return undefined;
	}
	return new Authorization(definition, context, server, changed);
}
