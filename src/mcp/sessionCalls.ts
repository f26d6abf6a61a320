import { setMaxListeners } from 'node:events';
import {
	type Client,
	type JSONRPCMessage,
	type Progress,
	type ProgressToken,
	ProtocolError,
	type Tool,
} from '@modelcontextprotocol/client';
import { hasUrl } from '../config/definition.ts';
import { raceAbort } from '../elicitation/abort.ts';
import type { Call } from '../elicitation/call.ts';
import type { Checkpoint } from '../elicitation/checkpoint.ts';
import { LONGEST_TIMER } from '../elicitation/clock.ts';
import { notifyListener } from '../elicitation/emitter.ts';
import { HEADER_MISMATCH } from '../elicitation/errorCodes.ts';
import { idKey, type JsonObject } from '../elicitation/json.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Waiting } from './auth/auth.ts';
import type { RunOptions } from './connectionContext.ts';
import type { LogMessages } from './logMessages.ts';
import type { ActiveCall, IntakeContext } from './rounds/intake.ts';
import { type RoundInput, runRounds } from './rounds/rounds.ts';
import type { ServerFeatures } from './serverFeatures.ts';
import type { SessionTasks } from './tasks/sessionTasks.ts';
import type { TaskRequests } from './tasks/taskRequests.ts';
import { Failure } from './wire/failure.ts';
import { CANCELLATIONS, rawResult, resultOf } from './wire/sdkShim.ts';
import { callContext } from './wire/tracingTransport.ts';

/** The SDK's request timeout must not run while the user is prompted (A04). Calls have a timeout of their own. */
const NO_TIMEOUT = LONGEST_TIMER;

/** What calls need from their session. */
export interface SessionCallsContext {
	readonly intake: IntakeContext;
	readonly client: Client;
	readonly serverFeatures: ServerFeatures;
	readonly tasks: SessionTasks;
	readonly logMessages: LogMessages;
	/** Runs an operation that may require a sign-in. */
	guard<T>(operation: () => Promise<T>, waiting: Waiting): Promise<T>;
}

/** The running calls of one session. */
export class SessionCalls {
	readonly #inFlight = new Set<Call>();
	readonly #options = new Map<Call, RunOptions>();
	/** The last progress of each running call. */
	readonly #progress = new Map<Call, Progress>();
	readonly #runs = new Set<Promise<unknown>>();

	constructor(private readonly context: SessionCallsContext) {}

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
	run(call: Call, signal: AbortSignal, options: RunOptions, renews: boolean): Promise<unknown> {
		this.#options.set(call, options);
		const { keeper } = options;
		// The server is told this reason, not that for the user.
		const cancellation = new AbortController();
		// The SDK adds a listener for each round.
		setMaxListeners(0, cancellation.signal);
		signal.addEventListener('abort', () => cancellation.abort(cancellationOf(call, signal.reason)), { once: true });
		let from = keeper?.from;
		const send = async (input: RoundInput) => {
			if (from) {
				if (from.kind === 'round' && this.context.client.getProtocolEra() !== 'modern') {
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
				return callContext.run(call, () => this.#send(call, sent, cancellation.signal).then(rawResult));
			};
			const guarded = () => this.context.guard(attempt, { signal, clock: call.clock, renews });
			return guarded().catch(async (error) => {
				if (!this.#lacksHeaders(error)) {
					throw error;
				}
				// The tool may need other headers than when it was listed (2026-07-28, Streamable HTTP, client behavior).
				await raceAbort(this.context.serverFeatures.refresh(['tools']), signal);
				return guarded();
			});
		};
		const active: ActiveCall = { context: this.context.intake, call, signal, keeper };
		const follow = (result: unknown) => {
			this.#inFlight.add(call);
			return this.context.tasks.follow(active, result).finally(() => this.#inFlight.delete(call));
		};
		const run = runRounds(active, send, follow).finally(() => {
			this.#inFlight.delete(call);
			this.#options.delete(call);
			this.#progress.delete(call);
			this.context.intake.completions.callEnded(call);
			this.context.tasks.callEnded();
			this.#runs.delete(run);
		});
		this.#runs.add(run);
		return run;
	}

	/** True if the server refused a call because of its HTTP headers. Older revisions leave this code to servers. */
	#lacksHeaders(error: unknown): boolean {
		const { client, intake } = this.context;
		return (
			error instanceof ProtocolError &&
			error.code === HEADER_MISMATCH &&
			client.getProtocolEra() === 'modern' &&
			hasUrl(intake.definition)
		);
	}

	/** The server would ignore the responses, and run the call from its beginning. */
	#notResumable({ name }: Call): Failure {
		const { definition, revision } = this.context.intake;
		return new Failure(
			definition.name,
			localizable('The server now speaks protocol revision {0}, in which "{1}" cannot be resumed.', revision(), name),
			localizable('Call it again.'),
		);
	}

	/** Only the task of a resumed call is known, not its arguments. */
	#notCalledAgain({ name }: Call): Failure {
		return new Failure(
			this.context.intake.definition.name,
			localizable('The task of "{0}" has ended, and the server requires another call.', name),
			localizable('Call it again.'),
		);
	}

	/** Sends one round. Only these three requests may get an `input_required` result (R06). */
	#send(call: Call, input: RoundInput, signal: AbortSignal): Promise<unknown> {
		const options = { signal, timeout: NO_TIMEOUT, allowInputRequired: true };
		const args = call.args as Record<string, never>;
		// The SDK's own tokens don't outlive the response to the request, as those of tasks do.
		const more = { ...input, _meta: { progressToken: call.id, ...this.context.logMessages.meta } };
		switch (call.kind) {
			case 'tool': {
				const tool = this.context.serverFeatures.features.tools.find(({ name }) => name === call.name);
				const task = this.context.tasks.paramsOf(tool);
				const params = { name: call.name, arguments: args, ...more, ...task };
				const toolDefinition = tool && { toolDefinition: tool as Tool };
				if (task.task === undefined) {
					return this.context.client.callTool(params, { ...options, ...toolDefinition });
				}
				const creation = this.context.client.callTool(params, { timeout: NO_TIMEOUT, ...toolDefinition });
				return this.context.tasks.creating(call, signal, creation);
			}
			case 'prompt':
				return this.context.client.getPrompt({ name: call.name, arguments: args, ...more }, options);
			case 'resource':
				// The user expects the current contents.
				return this.context.client.readResource({ uri: call.name, ...more }, { ...options, cacheMode: 'bypass' });
		}
	}

	/** A progress notification has arrived. */
	progressed({ progressToken, ...progress }: Progress & { readonly progressToken: ProgressToken }): void {
		const call = [...this.#options.keys()].find(({ id }) => idKey(id) === idKey(progressToken));
		if (call) {
			this.#report(call, progress);
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
			this.context.intake.registry.withdraw(
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
function resultAt(at: Checkpoint): JsonObject {
	return at.kind === 'round'
		? at.result
		: resultOf({ taskId: at.taskId, status: 'working', pollInterval: 0, ...(at.ttl !== undefined && { ttl: at.ttl }) });
}
