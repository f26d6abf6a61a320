import type { Registry } from '../../elicitation/registry.ts';

/** Max early notifications to keep. */
const MAX_EARLY = 100;

/** Max length of an id that is kept (characters). */
const MAX_ID = 1_000;

/**
 * The completion notifications of one connection (U09). A notification may arrive before its elicitation: error -32042
 * is processed after the notification that follows it, and over HTTP the two use different streams. So notifications for
 * unknown ids are kept while calls are running.
 */
export class Completions {
	readonly #early = new Set<string>();

	/**
	 * @param connection the connection that the elicitations belong to
	 * @param isCalled whether a call is running, whose elicitation may still arrive
	 * @param ignored called for a notification without an elicitation
	 */
	constructor(
		private readonly connection: string,
		private readonly registry: Registry,
		private readonly isCalled: () => boolean,
		private readonly ignored: () => void,
	) {}

	receive(elicitationId: string): void {
		if (this.registry.complete(this.connection, elicitationId)) {
			return;
		}
		const isKept = this.isCalled() && this.#early.size < MAX_EARLY && elicitationId.length <= MAX_ID;
		if (!isKept || this.#isKnown(elicitationId)) {
			this.ignored();
			return;
		}
		this.#early.add(elicitationId);
	}

	/** True if the completion notification arrived before the elicitation. */
	take(elicitationId: string | undefined): boolean {
		return elicitationId !== undefined && this.#early.delete(elicitationId);
	}

	/** A call has ended. Once none is running, early notifications have no elicitation. */
	callEnded(): void {
		if (!this.isCalled()) {
			for (const _ of this.#early) {
				this.ignored();
			}
			this.#early.clear();
		}
	}

	/** True if its elicitation has ended. After a retry by hand, the server may require the same one once more. */
	#isKnown(elicitationId: string): boolean {
		return this.registry.elicitations.some(
			({ request, origin, state }) =>
				request.mode === 'url' &&
				request.elicitationId === elicitationId &&
				origin.connection === this.connection &&
				state !== 'retried',
		);
	}
}
