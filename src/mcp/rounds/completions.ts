import type { Call } from '../../elicitation/call.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';

/** Max early notifications to keep. */
const MAX_EARLY = 100;

/** Max length of an id that is kept (characters). */
const MAX_ID = 1_000;

/** A notification that calls which were running when it arrived may still have an elicitation for. */
interface Early {
	readonly calls: Set<Call>;
	/** It has had an effect. */
	isUsed: boolean;
}

/**
 * The completion notifications of one connection (U09). A notification may arrive before its elicitation: error -32042
 * is processed after the notification that follows it, and over HTTP the two use different streams. So notifications are
 * kept for running calls that have not named their id: several calls may require the same URL.
 */
export class Completions {
	readonly #early = new Map<string, Early>();

	/**
	 * @param connection the connection that the elicitations belong to
	 * @param running the running calls, whose elicitations may still arrive
	 * @param ignored called for a notification without an elicitation
	 */
	constructor(
		private readonly connection: string,
		private readonly registry: Registry,
		private readonly running: () => readonly Call[],
		private readonly ignored: () => void,
	) {}

	/** Throws for a notification that names no elicitation. */
	receive({ elicitationId }: JsonObject): void {
		if (typeof elicitationId !== 'string') {
			throw new TypeError('A completion notice needs the id of an elicitation.');
		}
		const named = this.#callsThatNamed(elicitationId);
		const isUsed = this.registry.complete(this.connection, elicitationId);
		const calls = new Set(this.running().filter((call) => !named.has(call)));
		if (calls.size > 0 && this.#early.size < MAX_EARLY && elicitationId.length <= MAX_ID) {
			this.#early.set(elicitationId, { calls, isUsed });
		} else if (!isUsed) {
			this.ignored();
		}
	}

	/** True if the completion notification arrived before the elicitation of this call. */
	take(elicitationId: string | undefined, call: Call | undefined): boolean {
		const early = elicitationId === undefined ? undefined : this.#early.get(elicitationId);
		if (!early || !call || !early.calls.delete(call)) {
			return false;
		}
		early.isUsed = true;
		return true;
	}

	/** A call has ended. Notifications that only such calls could have had an elicitation for are forgotten. */
	callEnded(call: Call): void {
		for (const [elicitationId, { calls, isUsed }] of this.#early) {
			calls.delete(call);
			if (calls.size > 0) {
				continue;
			}
			this.#early.delete(elicitationId);
			if (!isUsed) {
				this.ignored();
			}
		}
	}

	/** The calls that have had an elicitation with this id. After a retry by hand, they may require the same one once more. */
	#callsThatNamed(elicitationId: string): ReadonlySet<Call> {
		const same = this.registry.elicitations.filter(
			({ request, origin, state }) =>
				request.mode === 'url' &&
				request.elicitationId === elicitationId &&
				origin.connection === this.connection &&
				state !== 'retried',
		);
		return new Set(same.flatMap(({ origin }) => origin.calls));
	}
}
