import { setMaxListeners } from 'node:events';
import { ProtocolError, type RequestId } from '@modelcontextprotocol/client';
import type { ServerDefinition } from '../config/definition.ts';
import { passed } from '../elicitation/abort.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { english, localizable, render, type Sentence } from '../elicitation/sentence.ts';
import type { Waiting } from './auth/auth.ts';
import { explainDelivery } from './explain.ts';
import { isNotFound, isTransientError, isTransportError, retryAfterIn } from './explainHttp.ts';
import { Failure, Reason } from './wire/failure.ts';

/** So often a response is sent by itself before the user is told. */
const MAX_ATTEMPTS = 4;

/** The pause before the second attempt; each further one is twice as long (milliseconds). */
const FIRST_PAUSE = 500;

/** A server that wants to be left alone for longer than this (seconds) is left to the user. */
const MAX_WAIT = 30;

/** How long a server may take to confirm that it has a response (milliseconds). */
const CONFIRM_TIMEOUT = 60_000;

export interface DeliveryContext {
	readonly definition: ServerDefinition;
	/** Runs what may need a sign-in. */
	guard<T>(operation: () => Promise<T>, waiting: Waiting): Promise<T>;
	/** Whether an error means that the server no longer knows the session. */
	hasExpired(error: unknown): boolean;
	/** Without what the user keeps secret. */
	hide(sentence: Sentence): Sentence;
	warn(line: string): void;
}

interface Expected {
	readonly elicitation: Elicitation;
	/** Aborts when the request or the connection is gone. */
	readonly signal: AbortSignal;
}

/**
 * Gets the responses to a server's requests to it, or has the user told (D01). A response whose sending fails is sent again a
 * few times by itself, always the same bytes; then the user decides.
 */
export class Deliveries {
	readonly #expected = new Map<RequestId, Expected>();
	readonly #closing = new AbortController();

	constructor(private readonly context: DeliveryContext) {
		// Every response that waits for its next attempt listens.
		setMaxListeners(0, this.#closing.signal);
	}

	/** The next response to this request is that of the elicitation. */
	expect(id: RequestId, elicitation: Elicitation, signal: AbortSignal): void {
		this.#expected.set(id, { elicitation, signal });
	}

	/** The request gets no response. */
	forget(id: RequestId): void {
		this.#expected.delete(id);
	}

	/**
	 * Delivers a response. Rejects with the last error only where there is no elicitation to tell it by.
	 * @param id undefined where another response to the same request is on its way
	 */
	async deliver(id: unknown, send: () => Promise<void>): Promise<void> {
		const expected = this.#expected.get(id as RequestId);
		this.#expected.delete(id as RequestId);
		if (!expected) {
			const error = await this.#attempts(send, this.#closing.signal);
			if (error !== undefined) {
				throw error;
			}
			return;
		}
		const { elicitation } = expected;
		const delivery = elicitation.send();
		const signal = AbortSignal.any([expected.signal, this.#closing.signal]);
		const attempt = () => send().then(() => delivery.delivered());
		for (;;) {
			const error = await this.#attempts(attempt, signal, (problem) => delivery.retry(problem));
			if (error === undefined || delivery.state === 'delivered') {
				return;
			}
			const problem = this.#problemOf(error);
			this.context.warn(`A response could not be delivered. ${render(problem, english)}`);
			if (signal.aborted || elicitation.outlived || this.#isFinal(error)) {
				delivery.end(problem);
				return;
			}
			if (!(await delivery.offer(problem))) {
				return;
			}
		}
	}

	/** Nothing is sent any more. */
	close(): void {
		this.#closing.abort();
	}

	/** Resolves to the last error; undefined once it is delivered. */
	async #attempts(
		send: () => Promise<void>,
		signal: AbortSignal,
		failed: (problem: Sentence) => void = () => {},
	): Promise<unknown> {
		for (let attempt = 1; ; attempt++) {
			try {
				await this.context.guard(() => confirmed(send()), { signal });
				return undefined;
			} catch (error) {
				const pause = this.context.definition.type === 'stdio' ? undefined : pauseAfter(error, attempt);
				if (pause === undefined || signal.aborted) {
					return error;
				}
				failed(this.#problemOf(error));
				if (!(await passed(pause, signal))) {
					return error;
				}
			}
		}
	}

	/** Why a request did not reach the server, as far as that is known; undefined where its error is the word of the server. */
	whyLost(error: unknown): Sentence | undefined {
		const isOwn = error instanceof Failure || error instanceof Reason;
		return isOwn || (!(error instanceof ProtocolError) && isTransportError(error)) ? this.#problemOf(error) : undefined;
	}

	/** Why something was not delivered, a whole sentence. */
	#problemOf(error: unknown): Sentence {
		return this.context.hasExpired(error)
			? localizable('The session with the server has expired.')
			: this.context.hide(explainDelivery(this.context.definition, error));
	}

	/** Sending it again would fail again: the process no longer listens, or the session is gone. */
	#isFinal(error: unknown): boolean {
		return this.context.definition.type === 'stdio' || isNotFound(error) || this.context.hasExpired(error);
	}
}

/** How long to wait before the next attempt (milliseconds); undefined where there is none by itself. */
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

/** What comes of an attempt, unless the server says nothing to it. */
function confirmed(sent: Promise<void>): Promise<void> {
	let timer: ReturnType<typeof setTimeout>;
	const silence = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() =>
				reject(
					new Reason(localizable('The server did not confirm within {0} s that it has it.', CONFIRM_TIMEOUT / 1000)),
				),
			CONFIRM_TIMEOUT,
		);
	});
	return Promise.race([sent, silence]).finally(() => clearTimeout(timer));
}
