import { Emitter } from './emitter.ts';
import type { Registry } from './registry.ts';

/** A burst ends when no request arrives for this long (ms). */
const BURST_PAUSE = 250;

/** Max time before a continuing burst is reported (ms). */
const MAX_BURST = 4_000;

/** Min time between prompts for the same server, unless the user decided on the last one (ms). */
const MIN_INTERVAL = 60_000;

interface Burst {
	readonly since: number;
	readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Decides when to tell the user that a server exceeds the rate limit. Waits for the end of a burst so that the numbers
 * are final, and prompts once until nothing is held any more.
 */
export class RateLimitMonitor {
	readonly #bursts = new Map<string, Burst>();
	/** Servers whose held requests were reported. */
	readonly #reported = new Set<string>();
	readonly #nextPromptAt = new Map<string, number>();
	readonly #exceeded = new Emitter<string>();
	readonly #subscriptions: readonly { dispose(): void }[];

	/** Fires with the server's name. */
	readonly onDidExceed = this.#exceeded.event;

	constructor(private readonly registry: Registry) {
		this.#subscriptions = [
			registry.onDidAdd(({ origin }) => this.#onActivity(origin.server)),
			registry.onDidChange(({ elicitation }) => this.#onActivity(elicitation.origin.server)),
		];
	}

	/** The user has decided what becomes of the requests that are held back. */
	decided(server: string): void {
		this.#reported.delete(server);
		this.#nextPromptAt.delete(server);
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) {
			subscription.dispose();
		}
		for (const { timer } of this.#bursts.values()) {
			clearTimeout(timer);
		}
	}

	#onActivity(server: string): void {
		const { since, timer } = this.#bursts.get(server) ?? { since: performance.now(), timer: undefined };
		const left = since + MAX_BURST - performance.now();
		if (timer !== undefined && left <= 0) {
			return;
		}
		clearTimeout(timer);
		const wait = Math.min(BURST_PAUSE, left);
		this.#bursts.set(server, { since, timer: setTimeout(() => this.#onPause(server, since), wait) });
	}

	/** If the process was busy all the time, what has arrived meanwhile is read in this turn of the event loop. */
	#onPause(server: string, since: number): void {
		this.#bursts.set(server, { since, timer: setTimeout(() => this.#onBurstEnd(server), 0) });
	}

	#onBurstEnd(server: string): void {
		this.#bursts.delete(server);
		const now = performance.now();
		if (!this.registry.heldRequests(server)) {
			this.#reported.delete(server);
		} else if (!this.#reported.has(server) && now >= (this.#nextPromptAt.get(server) ?? 0)) {
			this.#reported.add(server);
			this.#nextPromptAt.set(server, now + MIN_INTERVAL);
			this.#exceeded.fire(server);
		}
	}
}
