import { setMaxListeners } from 'node:events';
import { type JSONRPCMessage, type Progress, ProtocolError } from '@modelcontextprotocol/client';
import { hasUrl } from '../config/definition.ts';
import { raceAbort } from '../elicitation/abort.ts';
import type { Call } from '../elicitation/call.ts';
import type { Checkpoint } from '../elicitation/checkpoint.ts';
import { notifyListener } from '../elicitation/emitter.ts';
import { HEADER_MISMATCH } from '../elicitation/errorCodes.ts';
import { idKey, type JsonObject } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Waiting } from './auth/auth.ts';
import type { Client } from './client.ts';
import type { RunOptions } from './connectionContext.ts';
import { mirroredArguments, mirroredIn } from './http/mirroredHeaders.ts';
import type { LogMessages } from './logMessages.ts';
import type { ActiveCall } from './rounds/intake.ts';
import { type RoundInput, runRounds } from './rounds/rounds.ts';
import type { CallsOfSession, Session } from './rounds/session.ts';
import type { ServerFeatures } from './serverFeatures.ts';
import type { SessionTasks } from './tasks/sessionTasks.ts';
import type { TaskRequests } from './tasks/taskRequests.ts';
import { CreatedTask } from './tasks/taskState.ts';
import { Failure } from './wire/failure.ts';

/** What servers are told about a cancellation. What people read may name settings, and what they have configured. */
const CANCELLATIONS = {
	timedOut: 'timed out',
	byUser: 'cancelled by the user',
	byProgram: 'cancelled by the program that called',
} as const;

const METHODS = { tool: 'tools/call', prompt: 'prompts/get', resource: 'resources/read' } as const;

/** A session, as its calls see it. */
export interface CallingSession extends Session {
	readonly client: Client;
	readonly serverFeatures: ServerFeatures;
	readonly tasks: SessionTasks;
	readonly logMessages: LogMessages;
	/** Runs an operation that may require a sign-in. */
	authorized<T>(operation: () => Promise<T>, waiting?: Waiting): Promise<T>;
}

/** The running calls of one session. */
export class SessionCalls implements CallsOfSession {
	readonly #inFlight = new Set<Call>();
	readonly #options = new Map<Call, RunOptions>();
	/** The last progress of each running call. */
	readonly #progress = new Map<Call, Progress>();
	readonly #runs = new Set<Promise<unknown>>();

	constructor(private readonly session: CallingSession) {}

	/** Calls that wait for a response from the server. */
	get inFlight(): Call[] {
		return [...this.#inFlight];
	}

	/** The calls that are running, also while they wait for the user. */
	get running(): Call[] {
		return [...this.#options.keys()];
	}

	/** Resolves when no call is running. */
	get idle(): Promise<unknown> {
		return Promise.allSettled(this.#runs);
	}

	/**
	 * Runs a call through every round that the server requires. Rejects with the error of the last round.
	 * @param renews whether it is run again in a new session if this one has ended
	 */
	run(call: Call, signal: AbortSignal, options: RunOptions, renews: boolean): Promise<JsonObject> {
		this.#options.set(call, options);
		const { keeper } = options;
		// The server is told this reason, not that for the user.
		const cancellation = new AbortController();
		// Each round adds a listener.
		setMaxListeners(0, cancellation.signal);
		signal.addEventListener('abort', () => cancellation.abort(cancellationOf(call, signal.reason)), { once: true });
		let from = keeper?.from;
		const send = async (input: RoundInput): Promise<JsonObject | CreatedTask> => {
			if (from) {
				if (from.kind === 'round' && this.session.client.era !== 'modern') {
					throw this.#notResumable(call);
				}
				const result = resultAt(from);
				from = undefined;
				return result;
			}
			if (keeper?.from?.kind === 'task') {
				throw this.#notCalledAgain(call);
			}
			const attempt = () => {
				signal.throwIfAborted();
				this.#inFlight.add(call);
				const sent = options.tamper?.(input, call.rounds) ?? input;
				return this.#send(call, sent, cancellation.signal);
			};
			const guarded = () => this.session.authorized(attempt, { signal, clock: call.clock, renews });
			return guarded().catch(async (error) => {
				if (!this.#lacksHeaders(error)) {
					throw error;
				}
				// The tool may need other headers than when it was listed (2026-07-28, Streamable HTTP, client behavior).
				await raceAbort(this.session.serverFeatures.refresh(['tools']), signal);
				return guarded();
			});
		};
		const active: ActiveCall = { session: this.session, call, signal, keeper };
		const follow = (result: JsonObject | CreatedTask) => {
			this.#inFlight.add(call);
			return this.session.tasks.follow(active, result).finally(() => this.#inFlight.delete(call));
		};
		const run = runRounds(active, send, follow).finally(() => {
			this.#inFlight.delete(call);
			this.#options.delete(call);
			this.#progress.delete(call);
			this.session.completions.callEnded(call);
			this.session.tasks.callEnded();
			this.#runs.delete(run);
		});
		this.#runs.add(run);
		return run;
	}

	/** True if the server refused a call because of its HTTP headers. Older revisions leave this code to servers. */
	#lacksHeaders(error: unknown): boolean {
		const { client, definition } = this.session;
		return (
			error instanceof ProtocolError && error.code === HEADER_MISMATCH && client.era === 'modern' && hasUrl(definition)
		);
	}

	/** The server would ignore the responses, and run the call from its beginning. */
	#notResumable({ name }: Call): Failure {
		const { definition, revision } = this.session;
		return new Failure(
			definition.name,
			localizable('The server now speaks protocol revision {0}, in which "{1}" cannot be resumed.', revision, name),
			localizable('Call it again.'),
		);
	}

	/** Only the task of a resumed call is known, not its arguments. */
	#notCalledAgain({ name }: Call): Failure {
		return new Failure(
			this.session.definition.name,
			localizable('The task of "{0}" has ended, and the server requires another call.', name),
			localizable('Call it again.'),
		);
	}

	/** Sends one round. */
	async #send(call: Call, input: RoundInput, signal: AbortSignal): Promise<JsonObject | CreatedTask> {
		const { client, tasks, logMessages, serverFeatures } = this.session;
		const { kind, name } = call;
		const args = call.args as JsonObject;
		const _meta = { progressToken: call.id, ...logMessages.meta };
		const tool = kind === 'tool' ? serverFeatures.features.tools.find((each) => each.name === name) : undefined;
		const task = kind === 'tool' ? tasks.paramsOf(tool) : {};
		const about = kind === 'resource' ? { uri: name } : { name, arguments: args };
		const headers = tool && client.era === 'modern' ? mirroredArguments(mirroredIn(tool.inputSchema) ?? [], args) : {};
		const send = (options: { readonly signal?: AbortSignal }) =>
			client
				.request(METHODS[kind], { ...about, ...input, _meta, ...task } as JsonObject, { call, headers, ...options })
				.then((result) => tasks.read(result));
		return task.task === undefined ? send({ signal }) : tasks.creating(call, signal, send({}));
	}

	/** A progress notification has arrived. */
	progressed({ progressToken, progress, total, message }: JsonObject): void {
		if (typeof progress !== 'number') {
			throw new TypeError('Progress must be a number.');
		}
		const call = [...this.#options.keys()].find(({ id }) => idKey(id) === idKey(progressToken));
		if (call) {
			const known = { ...(typeof total === 'number' && { total }), ...(typeof message === 'string' && { message }) };
			this.#report(call, { progress, ...known });
		}
	}

	/** The server tells what the task of a call is doing. */
	reported(call: Call, message: string): void {
		this.#report(call, { progress: 0, ...this.#progress.get(call), message });
	}

	#report(call: Call, progress: Progress): void {
		this.#progress.set(call, progress);
		call.clock.restart();
		notifyListener(this.#options.get(call)?.onProgress, progress);
	}

	/** The server runs a call as a task. */
	startedTask(call: Call, task: TaskRequests): void {
		notifyListener(this.#options.get(call)?.onTask, task);
	}

	/** The response of a call is known. */
	responded(call: Call, response: JSONRPCMessage): void {
		notifyListener(this.#options.get(call)?.onResponse, response);
	}

	/** The request of a call has got its response, or won't get one any more. */
	settled(call: Call, response: JSONRPCMessage | undefined): void {
		this.#inFlight.delete(call);
		if (response) {
			this.responded(call, response);
		} else {
			// Requests from a closed stream can no longer be responded to (A02).
			this.session.registry.withdraw(
				({ origin }) => origin.stream === call,
				localizable('The connection to the server was lost.'),
			);
		}
	}
}

/** What the server is told about the cancellation of a call. */
function cancellationOf({ via }: Call, reason: unknown): string {
	return reason instanceof Failure
		? CANCELLATIONS.timedOut
		: via === undefined
			? CANCELLATIONS.byUser
			: CANCELLATIONS.byProgram;
}

/** The last result that a call got before it was interrupted. A task is polled at once. */
function resultAt(at: Checkpoint): JsonObject | CreatedTask {
	const { taskId, ttl } = at.kind === 'task' ? at : {};
	return at.kind === 'round'
		? at.result
		: new CreatedTask({ taskId: taskId ?? '', status: 'working', pollInterval: 0, ...(ttl !== undefined && { ttl }) });
}
