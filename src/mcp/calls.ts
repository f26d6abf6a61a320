import { setMaxListeners } from 'node:events';
import { raceAbort } from '../elicitation/abort.ts';
import type { Call, CallRequest } from '../elicitation/call.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import type { ClientSession } from './clientSession.ts';
import type { ConnectionContext, RunOptions } from './connectionContext.ts';
import { HttpError } from './http/httpError.ts';
import { causes, Failure, redactFailure, releaseStackFrames } from './wire/failure.ts';

export interface CallOptions extends RunOptions {
	readonly signal?: AbortSignal;
	/** See `Call.via`. */
	readonly via?: Sentence;
	/** See `Call.startedByUserAt`. */
	readonly startedByUserAt?: number | undefined;
}

/** A call that has begun, and is to be sent at once. */
export interface BegunCall {
	readonly call: Call;
	/**
	 * Sends it. The server may elicit input meanwhile. Rejects with a Failure, or with the signal's reason if cancelled.
	 */
	send(options?: CallOptions): Promise<JsonObject>;
}

/** Progress notifications restart the timeout (D05), up to this many times the timeout in total. */
const MAX_EXTENSION_FACTOR = 10;

/** What calls need from their connection. */
interface Life {
	/** Rejects with a Failure. */
	start(): Promise<void>;
	/** Undefined unless the server is running. */
	session(): ClientSession | undefined;
	/** Opens a new session in place of one that the server has forgotten, for a call. */
	renew(expired: ClientSession, call: Call): Promise<ClientSession | undefined>;
	/** Opens a new session in place of one that the server has forgotten, for nobody in particular. */
	forgotten(expired: ClientSession): void;
	/** A call has ended: with its result, unless it failed. */
	ended(failure: Failure | undefined): void;
	/** Explains why a call in that session failed. */
	explain(call: Call, session: ClientSession | undefined, error: unknown): Promise<Failure>;
}

/** Runs the calls to one server and records them in the registry. */
export class Calls {
	constructor(
		private readonly server: string,
		private readonly context: ConnectionContext,
		private readonly life: Life,
	) {}

	/** See `Connection.begin`. */
	async begin(
		{ kind, name, args }: CallRequest,
		{ signal = new AbortController().signal, via, startedByUserAt }: CallOptions = {},
	): Promise<BegunCall> {
		signal.throwIfAborted();
		await raceAbort(this.life.start(), signal);
		const call = this.context.registry.beginCall(this.server, kind, name, args, via, startedByUserAt);
		return { call, send: (options = {}) => this.#send(call, options) };
	}

	async #send(call: Call, options: CallOptions): Promise<JsonObject> {
		const { registry } = this.context;
		const abort = new AbortController();
		// Every elicitation of the call adds a listener. That isn't a leak.
		setMaxListeners(0, abort.signal);
		const forward = () => abort.abort(options.signal?.reason);
		options.signal?.addEventListener('abort', forward, { once: true });
		if (options.signal?.aborted) {
			forward();
		}
		const seconds = this.context.callTimeout();
		const expire = () => abort.abort(this.#timedOut(call, seconds));
		call.clock.limit(seconds * 1000, expire, seconds * 1000 * MAX_EXTENSION_FACTOR);
		let session = this.life.session();
		try {
			const run = (renews: boolean) =>
				this.#running(session).calls.run(call, abort.signal, options, renews) as Promise<JsonObject>;
			const result = await run(true).catch(async (error) => {
				const expired = session;
				const isModern = expired?.era === 'modern';
				// The error of a task says nothing about the request: its tool has run.
				if (!expired?.hasExpired(error) || mayHaveRun(error) || (call.task && isModern)) {
					throw error;
				}
				// The server didn't process the request of a session that it has forgotten, so it is safe to send it again.
				session = await raceAbort(this.life.renew(expired, call), abort.signal);
				if (isModern && session?.era === 'modern') {
					// It was no older server that did not understand the request.
					throw error;
				}
				return run(false);
			});
			await options.keeper?.ends();
			this.life.ended(undefined);
			registry.endCall(call, 'succeeded', result);
			return result;
		} catch (error) {
			const cancelled = options.signal?.aborted === true;
			if (cancelled || abort.signal.aborted || !this.#isInterrupted(session, error)) {
				await options.keeper?.ends();
			}
			const { aborted } = abort.signal;
			const reason = cancelled
				? options.signal?.reason
				: this.#afterDelivery(
						call,
						aborted
							? redactFailure(abort.signal.reason, this.context.trace.privacy)
							: await this.life.explain(call, session, error),
					);
			releaseStackFrames(reason);
			if (!cancelled) {
				this.life.ended(reason);
			}
			if (mayHaveRun(error) && session?.hasExpired(error)) {
				this.life.forgotten(session);
			}
			registry.endCall(call, cancelled ? 'cancelled' : 'failed', reason, aborted);
			throw reason;
		} finally {
			options.signal?.removeEventListener('abort', forward);
		}
	}

	/** True if the session ended before the call. */
	#isInterrupted(session: ClientSession | undefined, error: unknown): boolean {
		return (
			session === undefined ||
			session.ended ||
			session !== this.life.session() ||
			causes(error).some((each) => session.hasExpired(each))
		);
	}

	#running(session: ClientSession | undefined): ClientSession {
		if (!session) {
			throw new Failure(
				this.server,
				localizable('The server is not running.'),
				localizable('Start it, then try again.'),
			);
		}
		return session;
	}

	/** If the server didn't get the response that it waits for, the error says so instead of blaming the server (D01). */
	#afterDelivery(call: Call, failure: Failure): Failure {
		const { server, what, fix } = failure;
		return this.#lacksResponse(call)
			? new Failure(server, localizable('Your response to "{0}" could not be delivered. {1}', call.name, what), fix, {
					cause: failure,
				})
			: failure;
	}

	/** True if a response of this call is known not to have reached the server. */
	#lacksResponse(call: Call): boolean {
		return this.context.registry.elicitations.some(
			({ origin, delivery }) => origin.calls.includes(call) && delivery?.problem !== undefined,
		);
	}

	#timedOut(call: Call, seconds: number): Failure {
		const { name, clock } = call;
		const most = seconds * MAX_EXTENSION_FACTOR;
		if (!call.task && clock.serverTime >= most * 1000) {
			return this.#slow(
				call,
				localizable('"{0}" did not finish within {1} s, although it reported progress.', name, most),
			);
		}
		const answered = this.context.registry.elicitations.find(
			({ origin: { calls }, delivery }) =>
				calls.length === 1 && calls[0] === call && (delivery?.deliveredAt ?? 0) > clock.activeAt,
		);
		if (answered && !this.#lacksResponse(call)) {
			return new Failure(
				this.server,
				localizable(
					'Your response to "{0}" was delivered, but the server has been silent for {1} s since.',
					name,
					seconds,
				),
				answered.origin.lacksSession
					? localizable(
							"The server gave no session id, so it may be unable to match the response with the call. Report it to the server's author.",
						)
					: localizable("See the server's log. If it hangs, restart it, then call it again."),
				{ restart: !answered.origin.lacksSession },
			);
		}
		return this.#slow(
			call,
			clock.activeAt > 0
				? localizable('"{0}" has not reported any progress for {1} s.', name, seconds)
				: localizable('"{0}" did not finish within {1} s.', name, seconds),
		);
	}

	#slow(call: Call, what: Sentence): Failure {
		return new Failure(
			this.server,
			what,
			this.#lacksResponse(call)
				? localizable('Call it again to be asked again.')
				: localizable(
						'Increase "mcpElicitation.callTimeout" (in seconds) if it needs longer; the time spent waiting for you does not count.',
					),
		);
	}
}

/** True if the response that refused a call shows that the server has read it. */
function mayHaveRun(error: unknown): boolean {
	return error instanceof HttpError && error.refusal.namesMessage === true;
}
