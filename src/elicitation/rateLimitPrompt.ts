import { Emitter } from './emitter.ts';
import type { Registry } from './registry.ts';

/** A storm has settled for now when nothing came for this long (milliseconds). */
const CALM = 250;

/** A storm that does not settle is told of all the same. */
const LONGEST = 2_000;

/** After the user has waved a storm aside, or has been told of it, the next one of that server waits this long to be told. */
const QUIET = 60_000;

interface Burst {
	readonly since: number;
	readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Says when the user is to be told that a server asks too much: with the numbers of the whole burst, once per storm (which
 * lasts until nothing is held back any more), and not by every storm of a server that makes one after another.
 */
export class RateLimitPolicy {
	readonly #bursts = new Map<string, Burst>();
	/** The servers whose present storm was told. */
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

	/** The user has answered what was told (`decided`), and wants to hear of what comes next; or has waved it aside. */
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
