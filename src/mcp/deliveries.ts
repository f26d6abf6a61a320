import { setMaxListeners } from 'node:events';
import { ProtocolError, type RequestId } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { delay } from '../elicitation/abort.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { english, localizable, render, type Sentence } from '../elicitation/sentence.ts';
import type { Waiting } from './auth/auth.ts';
import { explainDelivery } from './explain.ts';
import { isNotFound, isTransientError, isTransportError, retryAfterIn } from './explainHttp.ts';
import { Failure, Reason } from './wire/failure.ts';

/** Max automatic attempts to send a response before the user is told. */
const MAX_ATTEMPTS = 4;

/** Delay before the second attempt, doubled for each further one (ms). */
const FIRST_PAUSE = 500;

/** Max `Retry-After` that is honored automatically (s). Beyond it, the user decides. */
const MAX_WAIT = 30;

/** Max time for a process to end once it no longer reads (ms). */
const ENDING_TIME = 1_000;

/** Max time for a server to confirm a response (ms). */
const CONFIRM_TIMEOUT = 60_000;

export interface DeliveryContext {
	readonly definition: ServerDefinition;
	/** Runs an operation that may require a sign-in. */
	guard<T>(operation: () => Promise<T>, waiting: Waiting): Promise<T>;
	/** True if an error means that the server no longer knows the session. */
	hasExpired(error: unknown): boolean;
	/** Redacts the user's secrets. */
	hide(sentence: Sentence): Sentence;
	warn(line: string): void;
}

interface Expected {
	readonly elicitation: Elicitation;
	/** Aborts when the server cancels the request or the connection closes. */
	readonly signal: AbortSignal;
}

/**
 * Delivers responses to a server's requests, or tells the user if that fails (D01). A failed response is resent verbatim
 * a few times; after that, the user decides.
 */
export class Deliveries {
	readonly #expected = new Map<RequestId, Expected>();
	readonly #closing = new AbortController();

	constructor(private readonly context: DeliveryContext) {
		// Every response that waits for a retry adds a listener.
		setMaxListeners(0, this.#closing.signal);
	}

	/** Links an elicitation to the request that its response belongs to. */
	expect(id: RequestId, elicitation: Elicitation, signal: AbortSignal): void {
		this.#expected.set(id, { elicitation, signal });
	}

	/** The request won't get a response. A later one with the same id still does. */
	forget(id: RequestId, elicitation: Elicitation): void {
		if (this.#expected.get(id)?.elicitation === elicitation) {
			this.#expected.delete(id);
		}
	}

	/**
	 * Delivers a response. Rejects with the last error only if there is no elicitation to report it on.
	 * @param id undefined if another response to the same request is being sent
	 */
	async deliver(id: unknown, send: () => Promise<void>): Promise<void> {
		const expected = this.#expected.get(id as RequestId);
		this.#expected.delete(id as RequestId);
		if (!expected) {
			const error = await this.#attempts(send, () => this.#closing.signal);
			if (error !== undefined) {
				throw error;
			}
			return;
		}
		const { elicitation } = expected;
		const delivery = elicitation.send();
		// Combined only for responses that have to wait, because that takes longer than to send one.
		const signal = () => AbortSignal.any([expected.signal, this.#closing.signal]);
		const attempt = () => send().then(() => delivery.delivered());
		for (;;) {
			const error = await this.#attempts(attempt, signal, (problem) => delivery.retry(problem));
			if (error === undefined || delivery.state === 'delivered') {
				return;
			}
			const problem = this.#problemOf(error);
			this.context.warn(`A response could not be delivered. ${render(problem, english)}`);
			if (signal().aborted || elicitation.outlived) {
				delivery.end(problem);
				return;
			}
			// The process no longer reads. What it responded with an error, it has read.
			const isUnread = this.context.definition.type === 'stdio' && !(error instanceof ProtocolError);
			if (isUnread) {
				// Most likely, it ends: that ends the delivery, too, and says more than the error.
				await delay(ENDING_TIME, signal());
			}
			if (isUnread || isNotFound(error) || this.context.hasExpired(error)) {
				delivery.fail(problem);
				return;
			}
			if (!(await delivery.offer(problem))) {
				return;
			}
		}
	}

	/** Stops sending. */
	close(): void {
		this.#closing.abort();
	}

	/** Resolves to the last error; `undefined` once delivered. */
	async #attempts(
		send: () => Promise<void>,
		signal: () => AbortSignal,
		failed: (problem: Sentence) => void = () => {},
	): Promise<unknown> {
		for (let attempt = 1; ; attempt++) {
			try {
				await this.context.guard(() => confirmed(send()), {
					get signal() {
						return signal();
					},
				});
				return undefined;
			} catch (error) {
				const pause = this.context.definition.type === 'stdio' ? undefined : pauseAfter(error, attempt);
				if (pause === undefined || signal().aborted) {
					return error;
				}
				failed(this.#problemOf(error));
				if (!(await delay(pause, signal()))) {
					return error;
				}
			}
		}
	}

	/** Why a request didn't reach the server, as far as known; `undefined` if the error is the server's response. */
	whyLost(error: unknown): Sentence | undefined {
		const isOwn = error instanceof Failure || error instanceof Reason || this.context.hasExpired(error);
		return isOwn || (!(error instanceof ProtocolError) && isTransportError(error)) ? this.#problemOf(error) : undefined;
	}

	/** Why a response wasn't delivered, as a whole sentence. */
	#problemOf(error: unknown): Sentence {
		return this.context.hasExpired(error)
			? localizable('The session with the server has expired.')
			: this.context.hide(explainDelivery(this.context.definition, error));
	}
}

/** Delay before the next automatic attempt (ms); `undefined` if there is none. */
function pauseAfter(error: unknown, attempts: number): number | undefined {
	if (attempts >= MAX_ATTEMPTS || error instanceof Failure || !isTransientError(error)) {
		return undefined;
	}
	const wait = retryAfterIn(error);
	if (wait === undefined) {
		return FIRST_PAUSE * 2 ** (attempts - 1);
	}
	return wait <= MAX_WAIT ? wait * 1000 : undefined;
}

/** Rejects if the server doesn't confirm in time. */
function confirmed(sent: Promise<void>): Promise<void> {
	let timer: ReturnType<typeof setTimeout>;
	const silence = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() =>
				reject(
					new Reason(
						localizable('The server did not confirm within {0} s that it received it.', CONFIRM_TIMEOUT / 1000),
					),
				),
			CONFIRM_TIMEOUT,
		);
	});
	return Promise.race([sent, silence]).finally(() => clearTimeout(timer));
}
