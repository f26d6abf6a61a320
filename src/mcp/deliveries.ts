import { setMaxListeners } from 'node:events';
import { ProtocolError } from '@modelcontextprotocol/client';
import { isProgram } from '../config/definition.ts';
import { delay, raceAbort } from '../elicitation/abort.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { english, localizable, render, type Sentence } from '../elicitation/sentence.ts';
import { explainDelivery } from './explain.ts';
import { isNotFound, isTransientError, isTransportError, retryAfterIn } from './explainHttp.ts';
import type { Session } from './rounds/session.ts';
import { Failure, Reason } from './wire/failure.ts';
import { ProtocolErrorLog } from './wire/protocolErrorLog.ts';
import type { SendResponse } from './wire/wire.ts';

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

/** Max responses of a session that are being sent at once. Each is a connection over HTTP. */
const MAX_SENDING = 16;

/**
 * Max responses of a session that are not sent yet, and max size of the requests that they belong to as JSON (characters).
 * Beyond that, nothing more is read from the server.
 */
const MAX_WAITING = 1_000;
const MAX_WAITING_SIZE = 16 * 1024 * 1024;

/** Max responses that wait for the user to send them again, and max size of their requests. The oldest ones are given up. */
const MAX_OFFERED = 50;
const MAX_OFFERED_SIZE = 16 * 1024 * 1024;

/** What it needs from its session. */
type DeliveringSession = Pick<Session, 'definition' | 'guard' | 'hasExpired' | 'hide' | 'warn'>;

/**
 * Delivers responses to a server's requests, or tells the user if that fails (D01). A failed response is resent verbatim
 * a few times; after that, the user decides.
 */
export class Deliveries {
	readonly #closing = new AbortController();
	/** Responses that are not sent yet, and the size of their requests. */
	#waiting = 0;
	#waitingSize = 0;
	#sending = 0;
	/** Responses that wait for others to be sent: those that somebody chose, which come first, and the rest. */
	readonly #turns: readonly [chosen: (() => void)[], others: (() => void)[]] = [[], []];
	/** Resolves when there is room for more responses. */
	#room: { readonly there: Promise<void>; readonly open: () => void } | undefined;
	/** The server has not taken the last response, however often it was sent. */
	#isRefusing = false;
	/** Those that wait for the user, oldest first. */
	readonly #offered = new Set<Elicitation>();

	readonly #problems: ProtocolErrorLog;

	constructor(private readonly session: DeliveringSession) {
		this.#problems = new ProtocolErrorLog((line) => session.warn(line));
		// Every response that waits for a retry adds a listener.
		setMaxListeners(0, this.#closing.signal);
	}

	/**
	 * Delivers a response. Rejects with the last error only if there is no elicitation to report it on.
	 * @param elicitation whose response it is; undefined if nobody was asked
	 * @param cancelled aborts when the server cancels the request
	 */
	async deliver(
		elicitation: Elicitation | undefined,
		cancelled: AbortSignal | undefined,
		send: SendResponse,
	): Promise<void> {
		// Combined only for responses that have to wait, because that takes longer than to send one.
		const signal = () => (cancelled ? AbortSignal.any([cancelled, this.#closing.signal]) : this.#closing.signal);
		if (!elicitation) {
			const error = await this.#counted(0, () => this.#attempts(send, signal, false));
			if (error !== undefined) {
				throw error;
			}
			return;
		}
		const delivery = elicitation.send();
		const attempt: SendResponse = (given) => send(given).then(() => delivery.delivered());
		// Somebody chose it, who has to know.
		const isChosen = elicitation.unasked === undefined;
		for (;;) {
			const retry = (problem: Sentence) => delivery.retry(problem);
			const error = await this.#counted(elicitation.size, () => this.#attempts(attempt, signal, isChosen, retry));
			if (error === undefined || delivery.state === 'delivered') {
				return;
			}
			const problem = this.#problemOf(error);
			this.#problems.add(`A response could not be delivered. ${render(problem, english)}`);
			if (signal().aborted || elicitation.outlived || !isChosen) {
				delivery.end(problem);
				return;
			}
			// The process no longer reads. What it responded with an error, it has read.
			const isUnread = isProgram(this.session.definition) && !(error instanceof ProtocolError);
			if (isUnread) {
				// Most likely, it ends: that ends the delivery, too, and says more than the error.
				await delay(ENDING_TIME, signal());
			}
			if (isUnread || isNotFound(error) || this.session.hasExpired(error)) {
				delivery.fail(problem);
				return;
			}
			if (!(await this.#offer(elicitation, problem))) {
				return;
			}
		}
	}

	/** Stops sending. */
	close(): void {
		this.#closing.abort();
		this.#room?.open();
	}

	/** Resolves when there is room for the responses to more requests; undefined if there is. */
	ready(): Promise<void> | undefined {
		if (this.#closing.signal.aborted || (this.#waiting < MAX_WAITING && this.#waitingSize < MAX_WAITING_SIZE)) {
			return undefined;
		}
		if (!this.#room) {
			let open = () => {};
			const there = new Promise<void>((resolve) => {
				open = resolve;
			});
			this.#room = { there, open };
			this.#problems.add(
				`The server sends requests faster than it takes the responses: ${this.#waiting} wait. Nothing more is read until it has taken some.`,
			);
		}
		return this.#room.there;
	}

	/** Counts a response as waiting. */
	async #counted<T>(size: number, act: () => Promise<T>): Promise<T> {
		this.#waiting++;
		this.#waitingSize += size;
		try {
			return await act();
		} finally {
			this.#waiting--;
			this.#waitingSize -= size;
			if (this.#waiting <= MAX_WAITING / 2 && this.#waitingSize <= MAX_WAITING_SIZE / 2) {
				this.#room?.open();
				this.#room = undefined;
			}
		}
	}

	/** Has the user decide about a response. Resolves to true if it is to be sent again. */
	async #offer(elicitation: Elicitation, problem: Sentence): Promise<boolean> {
		this.#offered.add(elicitation);
		const again = elicitation.delivery?.offer(problem);
		for (const oldest of this.#offered) {
			const total = [...this.#offered].reduce((sum, { size }) => sum + size, 0);
			if (this.#offered.size <= MAX_OFFERED && (total <= MAX_OFFERED_SIZE || oldest === elicitation)) {
				break;
			}
			this.#problems.add('Too many responses could not be delivered: the oldest one is given up.');
			this.#offered.delete(oldest);
			oldest.delivery?.end();
		}
		return (await again?.finally(() => this.#offered.delete(elicitation))) ?? false;
	}

	/** Sends once it is its turn. */
	async #inTurn(isChosen: boolean, send: () => Promise<void>): Promise<void> {
		const [chosen, others] = this.#turns;
		if (this.#sending >= MAX_SENDING) {
			await new Promise<void>((resolve) => (isChosen ? chosen : others).push(resolve));
		} else {
			this.#sending++;
		}
		try {
			this.#closing.signal.throwIfAborted();
			await send();
		} finally {
			// Hands its place over.
			const next = chosen.shift() ?? others.shift();
			if (next) {
				next();
			} else {
				this.#sending--;
			}
		}
	}

	/**
	 * Resolves to the last error; `undefined` once delivered.
	 * @param isChosen whether somebody chose the response. Others are sent once only, as long as the server refuses all
	 */
	async #attempts(
		send: SendResponse,
		signal: () => AbortSignal,
		isChosen: boolean,
		failed: (problem: Sentence) => void = () => {},
	): Promise<unknown> {
		for (let attempt = 1; ; attempt++) {
			try {
				await this.session.guard(() => this.#inTurn(isChosen, () => confirmed(send)), {
					get signal() {
						return signal();
					},
				});
				this.#isRefusing = false;
				return undefined;
			} catch (error) {
				const pause = isProgram(this.session.definition) ? undefined : pauseAfter(error, attempt);
				if (pause === undefined || signal().aborted || (this.#isRefusing && !isChosen)) {
					this.#isRefusing = true;
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
		const isOwn = error instanceof Failure || error instanceof Reason || this.session.hasExpired(error);
		return isOwn || (!(error instanceof ProtocolError) && isTransportError(error)) ? this.#problemOf(error) : undefined;
	}

	/** Why a response wasn't delivered, as a whole sentence. */
	#problemOf(error: unknown): Sentence {
		return this.session.hasExpired(error)
			? localizable('The session with the server has expired.')
			: this.session.hide(explainDelivery(this.session.definition, error));
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

/** Gives up if the server doesn't confirm in time: the connection would stay open. */
function confirmed(send: SendResponse): Promise<void> {
	const silence = new AbortController();
	const timer = setTimeout(
		() =>
			silence.abort(
				new Reason(localizable('The server did not confirm within {0} s that it received it.', CONFIRM_TIMEOUT / 1000)),
			),
		CONFIRM_TIMEOUT,
	);
	return raceAbort(send(silence.signal), silence.signal).finally(() => clearTimeout(timer));
}
