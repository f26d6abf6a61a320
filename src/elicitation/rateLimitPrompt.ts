import { Emitter } from './emitter.ts';
import type { Registry } from './registry.ts';

/** A burst ends when no request arrives for this long (ms). */
const CALM = 250;

/** Max time before a continuing burst is reported (ms). */
const LONGEST = 2_000;

/** Min time between prompts for the same server, unless the user decided on the last one (ms). */
const QUIET = 60_000;

interface Burst {
	readonly since: number;
	readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Decides when to tell the user that a server exceeds the rate limit. Waits for the end of a burst so that the numbers
 * are final, and prompts once until nothing is held any more.
 */
export class RateLimitPolicy {
	readonly #bursts = new Map<string, Burst>();
	/** Servers whose held requests were reported. */
	readonly #told = new Set<string>();
	readonly #quietUntil = new Map<string, number>();
	readonly #heldRequests = new Emitter<string>();
	readonly #subscriptions: readonly { dispose(): void }[];

	/** Fires with the server's name. */
	readonly onDidExceed = this.#heldRequests.event;

	constructor(private readonly registry: Registry) {
		this.#subscriptions = [
			registry.onDidAdd(({ origin }) => this.#hear(origin.server)),
			registry.onDidChange(({ elicitation }) => this.#hear(elicitation.origin.server)),
		];
	}

	/**
	 * The user responded to the prompt.
	 * @param decided false if the user dismissed it; the next prompt is then delayed
	 */
	answered(server: string, decided: boolean): void {
		if (decided) {
			this.#told.delete(server);
			this.#quietUntil.delete(server);
		} else {
			this.#quietUntil.set(server, Date.now() + QUIET);
		}
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) {
			subscription.dispose();
		}
		for (const { timer } of this.#bursts.values()) {
			clearTimeout(timer);
		}
	}

	#hear(server: string): void {
		const { since, timer } = this.#bursts.get(server) ?? { since: Date.now(), timer: undefined };
		clearTimeout(timer);
		const wait = Math.max(0, Math.min(CALM, since + LONGEST - Date.now()));
		this.#bursts.set(server, { since, timer: setTimeout(() => this.#look(server), wait) });
	}

	#look(server: string): void {
		this.#bursts.delete(server);
		const now = Date.now();
		if (!this.registry.heldRequests(server)) {
			this.#told.delete(server);
		} else if (!this.#told.has(server) && now >= (this.#quietUntil.get(server) ?? 0)) {
			this.#told.add(server);
			this.#quietUntil.set(server, now + QUIET);
			this.#heldRequests.fire(server);
		}
	}
}
