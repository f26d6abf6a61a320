import type { PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { orAborted } from '../elicitation/abort.ts';
import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import { Authorization } from './auth/auth.ts';
import { type CallOptions, Calls } from './calls.ts';
import { ClientSession, type ConnectionContext, type InitializeResult } from './clientSession.ts';
import { explainCall, explainStart } from './explain.ts';
import { negotiate } from './handshake.ts';
import { MAX_RESTARTS, Restarts } from './restarts.ts';
import { type FeatureLists, type ListName, NO_FEATURES } from './serverFeatures.ts';
import { Failure, Reason, redactFailure, releaseStackFrames } from './wire/failure.ts';

/**
 * What was asked for last, and how far it has come: `stopped` at once, though a process may take a moment to end.
 * `restarting`: it ran, ended by itself, and is started again after a pause.
 */
export type ServerState = 'stopped' | 'starting' | 'running' | 'restarting' | 'failed';

const CLOSED = localizable('The connection was closed.');
const EXPIRED = localizable('The session with the server has expired.');

/** One start, until the server is up, cannot be started, or is stopped. */
interface Attempt {
	readonly abort: AbortController;
	readonly done: Promise<void>;
}

/** One server and its life: stopped, starting, running, failed. Nobody above this room acts upon which era it speaks. */
export class Connection {
	readonly #changed = new Emitter<void>();
	#state: ServerState = 'stopped';
	#failure: Failure | undefined;
	#session: ClientSession | undefined;
	/** The start that is on its way. */
	#attempt: Attempt | undefined;
	/** Everything that was on its way or ran before, to its very end: the next start waits for it, so that stops and starts take turns. */
	#ended: Promise<unknown>;
	/** What the last handshake found out, so that the next start does not have to probe again (E05). */
	#prior: PriorDiscovery | undefined;
	/** Why sessions have ended by themselves, once that is known: what becomes of their calls. */
	readonly #losses = new WeakMap<ClientSession, Promise<Failure>>();
	/** Sessions that the server has forgotten: their calls find out one by one. */
	readonly #expired = new Set<ClientSession>();
	readonly #restarts = new Restarts(() => this.#restart());
	readonly #calls: Calls;

	/** Absent where there is nothing to sign in to. */
	readonly #authorization: Authorization | undefined;

	readonly onDidChange = this.#changed.event;

	/**
	 * @param signInOf the server whose sign-in it uses
	 * @param after what has to end before it starts for the first time
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
			renew: (expired) => this.#renew(expired),
			explain: (call, session, error) => this.#explainCall(call, session, error),
		});
	}

	get name(): string {
		return this.definition.name;
	}

	get state(): ServerState {
		return this.#state;
	}

	/** Why the last start or the connection failed; or, while it runs, why it could not tell what it offers. */
	get failure(): Failure | undefined {
		const { failure } = this.#session?.serverFeatures ?? {};
		return this.#failure ?? (failure && redactFailure(failure, this.context.trace));
	}

	/** Why the server is not heard just now, while it is tried again and again whether it can be. */
	get lost(): Failure | undefined {
		return this.#session?.lost;
	}

	/** The negotiated protocol revision. */
	get revision(): string | undefined {
		return this.#session?.revision;
	}

	get era(): 'legacy' | 'modern' | undefined {
		return this.#session?.era;
	}

	/** What the server calls itself: never shown alone (F01). */
	get ownName(): string | undefined {
		return this.#session?.ownName;
	}

	/** The authorization server at which the user is signed in for this server, as far as is known by now. */
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

	/** A list as the server sent it, entry by entry, with whatever this client makes nothing of. */
	listed(name: ListName): readonly Json[] {
		return this.#session?.serverFeatures.raw(name) ?? [];
	}

	/** How the server has presented itself; undefined unless it runs. */
	get initializeResult(): InitializeResult | undefined {
		return this.#session?.initializeResult;
	}

	/** Connects, unless it is connected or on the way; what is still ending ends first. Rejects with a Failure, at once when it is stopped. */
	start(): Promise<void> {
		if (this.#attempt) {
			return this.#attempt.done;
		}
		if (this.#state === 'running' && this.#session) {
			return Promise.resolve();
		}
		this.#restarts.reset();
		return this.#begin((failure) => this.#fail(failure));
	}

	/**
	 * Ends the connection, or the start that is on its way. Live elicitations are withdrawn. Resolves when every process has ended,
	 * also where the server has been started again meanwhile. Never rejects.
	 */
	async stop(): Promise<void> {
		const attempt = this.#attempt;
		this.#attempt = undefined;
		attempt?.abort.abort(
			new Failure(
				this.name,
				localizable('The server was stopped while it was starting.'),
				localizable('Start it again.'),
			),
		);
		this.#restarts.reset();
		this.#authorization?.abort();
		const ended = Promise.all([this.#ended, this.#disconnect()]);
		this.#ended = ended;
		this.#become('stopped');
		await ended;
	}

	/** Stops, and forgets who the user is to this server. */
	async signOut(): Promise<void> {
		await this.stop();
		await this.#authorization?.signOut();
	}

	/** Calls a tool; the server may ask in between. Rejects with a Failure, or with the signal's reason when cancelled. */
	callTool(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
		return this.#calls.run('tool', name, args, options);
	}

	/** Gets a prompt, in the same way. */
	getPrompt(name: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
		return this.#calls.run('prompt', name, args, options);
	}

	/** Reads a resource, in the same way. */
	readResource(uri: string, options?: CallOptions): Promise<JsonObject> {
		return this.#calls.run('resource', uri, {}, options);
	}

	/**
	 * Begins a new session in the place of one that the server has forgotten; calls that find out at the same time share it.
	 * Undefined when the server has been stopped since.
	 */
	async #renew(expired: ClientSession): Promise<ClientSession | undefined> {
		this.#setAside(expired);
		if (!this.#expired.has(expired)) {
			return undefined;
		}
		await this.start();
		return this.#session;
	}

	/** Keeps a session that the server has forgotten until its last call has ended. */
	#setAside(expired: ClientSession): void {
		if (expired === this.#session) {
			this.context.log(this.name).info('The server has forgotten the session; beginning a new one.');
			this.#session = undefined;
			this.#expired.add(expired);
			void expired.idle.then(() => {
				this.#expired.delete(expired);
				return expired.close(EXPIRED);
			});
		}
	}

	/** What the server offers; nothing unless it runs. */
	get #features(): FeatureLists {
		return this.#session?.serverFeatures.features ?? NO_FEATURES;
	}

	async #explainCall(call: Call, session: ClientSession | undefined, error: unknown): Promise<Failure> {
		if (session === this.#session || (session && this.#expired.has(session))) {
			return redactFailure(explainCall(this.definition, call.name, error), this.context.trace);
		}
		return (
			(session && (await this.#losses.get(session))) ??
			this.#failure ??
			new Failure(
				this.name,
				localizable('The server was stopped while "{0}" was running.', call.name),
				localizable('Start it, then try again.'),
			)
		);
	}

	#explainStart(error: unknown, exit: ClientSession['exit']): Failure {
		return redactFailure(explainStart(this.definition, error, exit), this.context.trace);
	}

	/** @param failed says what becomes of the server when it cannot be started */
	#begin(failed: (failure: Failure) => void): Promise<void> {
		const abort = new AbortController();
		const work = this.#ended.then(() => this.#start(abort.signal, failed));
		this.#ended = work.catch(() => {});
		const done = orAborted(work, abort.signal);
		this.#attempt = { abort, done };
		this.#failure = undefined;
		this.#become('starting');
		return done;
	}

	/** Nobody waits for this start: what comes of it is told by the state. */
	#restart(): void {
		this.#begin((failure) => this.#lose(failure)).catch(() => {});
	}

	/** @param stopped aborts when the server is stopped: from then on, nothing of this start concerns the state */
	async #start(stopped: AbortSignal, failed: (failure: Failure) => void): Promise<void> {
		try {
			await this.#connect(stopped);
			if (this.#session?.isStranger) {
				// What the last handshake found out no longer holds.
				this.#prior = undefined;
				await this.#disconnect();
				await this.#connect(stopped);
			}
			stopped.throwIfAborted();
			if (this.#session?.ended) {
				throw new Reason(CLOSED);
			}
		} catch (error) {
			const failure = this.#explainStart(this.#session?.fault ?? error, await this.#session?.exitSoon());
			await this.#disconnect();
			if (!stopped.aborted) {
				this.#prior = undefined;
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
				`Connected: protocol ${this.revision} (${this.era}); ${tools.length} tools, ${prompts.length} prompts, ` +
					`${resources.length} resources, ${resourceTemplates.length} resource templates.`,
			);
	}

	/** Shakes hands and reads what the server offers. */
	async #connect(stopped: AbortSignal): Promise<void> {
		const { definition, context } = this;
		this.#prior = await negotiate({
			definition,
			reaper: context.reaper,
			log: context.log(this.name),
			prior: this.#prior,
			authorization: this.#authorization,
			open: (transport) => {
				stopped.throwIfAborted();
				return this.#open(transport);
			},
		});
		await this.#session?.serverFeatures.refresh();
	}

	#open(transport: Transport): ClientSession {
		const session = new ClientSession(this.definition, this.context, transport, this.#authorization, {
			changed: () => this.#changed.fire(),
			closed: () => this.#onClosed(session),
			forgotten: () => this.#onForgotten(session),
		});
		this.#session = session;
		return session;
	}

	#onClosed(session: ClientSession): void {
		if (session !== this.#session || this.#state !== 'running') {
			return;
		}
		const losing = this.#disconnect().then(() => {
			const failure = this.#explainStart(session.fault ?? new Reason(CLOSED), session.exit);
			// Unless it has been stopped or started meanwhile.
			if (this.#state === 'running') {
				// What we ended for what it sent would send it again.
				session.fault ? this.#fail(failure) : this.#lose(failure);
			}
			return failure;
		});
		this.#losses.set(session, losing);
		this.#ended = Promise.all([this.#ended, losing]);
	}

	/** Its own stream tells that the server has forgotten the session, perhaps long before a call would. */
	#onForgotten(session: ClientSession): void {
		if (session === this.#session && this.#state === 'running') {
			this.#setAside(session);
			this.#lose(new Failure(this.name, EXPIRED, localizable('A new one is begun by itself.')));
		}
	}

	/** What has run once and ended by itself is started again, unless that has been in vain too often. */
	#lose(failure: Failure): void {
		if (this.#restarts.down()) {
			this.#fail(failure, 'restarting');
		} else {
			const { what, fix, cause } = failure;
			this.#fail(
				new Failure(
					this.name,
					localizable('It was restarted {0} times in a row, in vain. {1}', MAX_RESTARTS, what),
					fix,
					{
						cause,
					},
				),
			);
		}
	}

	async #disconnect(): Promise<void> {
		const sessions = [this.#session, ...this.#expired];
		this.#session = undefined;
		this.#expired.clear();
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
		this.#state = state;
		this.#changed.fire();
	}
}

/** Where the user has configured a token themselves, that is how they want to be known. */
function authorizationFor(
	definition: ServerDefinition,
	context: ConnectionContext,
	server: string,
	changed: () => void,
): Authorization | undefined {
	if (definition.type === 'stdio' || Object.keys(definition.headers).some((name) => /^authorization$/i.test(name))) {
		return undefined;
	}
	return new Authorization(definition, context, server, changed);
}
