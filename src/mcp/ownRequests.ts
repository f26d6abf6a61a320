import { raceAbort } from '../elicitation/abort.ts';
import { Clock } from '../elicitation/clock.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Disposable } from '../elicitation/emitter.ts';
import { localizable } from '../elicitation/sentence.ts';
import type { Session } from './rounds/session.ts';
import { isUrlRequired, UrlElicitationRequired } from './rounds/urlElicitationRequired.ts';
import { Failure } from './wire/failure.ts';

/** How much time of the server a request may take, or one page of a list (ms). */
const LIMIT = 30_000;

/** What a request is to be sent with. */
export interface SendOptions {
	readonly signal: AbortSignal;
	/** How much time of the server it has taken so far. */
	readonly clock: Clock;
}

/**
 * The requests of one session besides calls: lists and completions. As with calls, their time stands still while the user
 * is asked (A04), and a URL that they require (-32042) is shown before they are sent again.
 */
export class OwnRequests {
	/** The clocks of those that are running. */
	readonly #running = new Set<Clock>();
	/** Settles when the URLs that one of them requires are opened and completed, or refused. */
	#required: Promise<void> | undefined;
	readonly #subscriptions: readonly Disposable[];

	constructor(private readonly session: Session) {
		const { registry } = session;
		this.#subscriptions = [registry.onDidAdd, registry.onDidChange, registry.onDidChangeDelivery].map((on) =>
			on((event) => this.#follow('elicitation' in event ? event.elicitation : event)),
		);
	}

	/** Sends a request until it gets a result. Rejects with the error of the last attempt, or once the signal aborts. */
	run<T>(method: string, send: (options: SendOptions) => Promise<T>, signal = this.session.closed): Promise<T> {
		return raceAbort(this.#run(method, send, signal), signal);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) {
			subscription.dispose();
		}
	}

	async #run<T>(method: string, send: (options: SendOptions) => Promise<T>, signal: AbortSignal): Promise<T> {
		const { session } = this;
		const urls = new UrlElicitationRequired({ session, signal: session.closed, name: method });
		for (;;) {
			await this.#required;
			signal.throwIfAborted();
			try {
				return await session.guard(() => this.#send(method, send, signal));
			} catch (error) {
				if (!isUrlRequired(error)) {
					throw error;
				}
				// Several requests may require the same URL, which is shown once: the others are sent again after it.
				this.#required ??= urls.satisfy(error, session.client.era === 'modern').finally(() => {
					this.#required = undefined;
				});
				await this.#required;
			}
		}
	}

	async #send<T>(method: string, send: (options: SendOptions) => Promise<T>, signal: AbortSignal): Promise<T> {
		const { definition, registry } = this.session;
		const clock = new Clock();
		const timeout = new AbortController();
		clock.limit(LIMIT, () => timeout.abort('timed out'), Number.POSITIVE_INFINITY);
		this.#running.add(clock);
		for (const elicitation of [...registry.live, ...registry.unsent]) {
			this.#follow(elicitation);
		}
		try {
			return await send({ signal: AbortSignal.any([timeout.signal, signal]), clock });
		} catch (error) {
			throw timeout.signal.aborted
				? new Failure(
						definition.name,
						localizable('The server did not respond to "{0}" within {1} s.', method, LIMIT / 1000),
						localizable("See the server's log."),
						{ cause: error },
					)
				: error;
		} finally {
			clock.stop();
			this.#running.delete(clock);
		}
	}

	/** The server may wait for the response to an elicitation before it does anything else. */
	#follow(elicitation: Elicitation): void {
		const { origin, undecided, delivery } = elicitation;
		if (origin.connection !== this.session.id) {
			return;
		}
		for (const clock of this.#running) {
			if (undecided || delivery?.open) {
				clock.pause(elicitation);
			} else {
				clock.resume(elicitation);
			}
		}
	}
}
