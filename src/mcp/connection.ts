import type { PriorDiscovery, Progress, Transport } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import type { Call } from '../elicitation/call.ts';
import { Emitter } from '../elicitation/emitter.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { say } from '../elicitation/sentence.ts';
import { explainCall, explainStart } from './explain.ts';
import { Failure, Reason } from './failure.ts';
import { shakeHands } from './handshake.ts';
import { type ConnectionContext, Session, type ToolInfo } from './session.ts';

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

export interface CallOptions {
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
	/** Told at once which call it has become, for surfaces that follow it. */
	readonly onCall?: (call: Call) => void;
}

/** One server and its life: stopped, starting, running, failed. Nobody above this room acts upon which era it speaks. */
export class Connection {
	readonly #changed = new Emitter<void>();
	#state: ServerState = 'stopped';
	#failure: Failure | undefined;
	#session: Session | undefined;
	#starting: Promise<void> | undefined;
	/** What the last handshake found out, so that the next start does not have to probe again (E05). */
	#prior: PriorDiscovery | undefined;
	/** Counts starts and stops: what an older one still brings to an end no longer matters. */
	#generation = 0;
	/** What has become of a session that ended by itself, once that is known. */
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

	/** Why the last start or the connection failed; or, while it runs, why its tools could not be listed. */
	get failure(): Failure | undefined {
		return this.#failure ?? this.#session?.toolsFailure;
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

	get tools(): readonly ToolInfo[] {
		return this.#session?.tools ?? [];
	}

	/** Connects, unless it is connected or on the way. Rejects with a Failure. */
	start(): Promise<void> {
		if (this.#starting) {
			return this.#starting;
		}
		if (this.#state === 'running' && this.#session) {
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
		const session = this.#session;
		try {
			if (!session) {
				throw new Failure(this.name, say('The server is not running.'), say('Start it, then call the tool again.'));
			}
			const result = (await session.run(call, abort.signal, options.onProgress)) as JsonObject;
			registry.endCall(call, 'succeeded', result);
			return result;
		} catch (error) {
			const cancelled = options.signal?.aborted === true;
			const reason = cancelled
				? options.signal?.reason
				: await this.#explainCall(call, session, abort.signal.aborted ? abort.signal.reason : error);
			registry.endCall(call, cancelled ? 'cancelled' : 'failed', reason);
			throw reason;
		} finally {
			options.signal?.removeEventListener('abort', forward);
		}
	}

	async #explainCall(call: Call, session: Session | undefined, error: unknown): Promise<Failure> {
		if (session !== this.#session) {
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
		const { definition, context } = this;
		const log = context.log(this.name);
		this.#failure = undefined;
		this.#become('starting');
		try {
			this.#prior = await shakeHands({
				definition,
				reaper: context.reaper,
				log,
				prior: this.#prior,
				open: (transport) => this.#open(transport),
			});
			await this.#session?.refreshTools();
			if (generation !== this.#generation) {
				throw new Failure(this.name, say('The server was stopped while it was starting.'), say('Start it again.'));
			}
			this.#become('running');
			log.info(`Connected: protocol ${this.revision} (${this.era}), ${this.tools.length} tools.`);
		} catch (error) {
			const failure = explainStart(definition, error, await this.#session?.exitSoon());
			await this.#disconnect();
			if (generation === this.#generation) {
				this.#fail(failure);
			}
			throw failure;
		}
	}

	#open(transport: Transport): Session {
		const session = new Session(this.definition, this.context, transport, {
			changed: () => this.#changed.fire(),
			closed: () => this.#onClosed(session),
		});
		this.#session = session;
		return session;
	}

	#onClosed(session: Session): void {
		if (session !== this.#session || this.#state !== 'running') {
			return;
		}
		const generation = this.#generation;
		this.#losing = this.#disconnect().then(() => {
			this.#losing = undefined;
			if (generation === this.#generation) {
				this.#fail(explainStart(this.definition, new Reason(say('The connection was closed.')), session.exit));
			}
		});
	}

	async #disconnect(): Promise<void> {
		const session = this.#session;
		this.#session = undefined;
		await session?.close(say('The connection to the server has ended.'));
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
