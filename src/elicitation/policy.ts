import { nextMoment } from './clock.ts';
import type { Elicitation, HoldReason } from './elicitation.ts';
import { keyOf } from './json.ts';
import type { ElicitationRequest } from './request.ts';

/** Max elicitations per server that are shown at the same time. */
const MAX_SHOWN = 20;

/** Max held requests per server that exceed the rate limit. Further requests are cancelled. */
const MAX_HELD = 50;

/** Max size of the held requests of a server together (characters of their params). Further requests are cancelled. */
const MAX_HELD_SIZE = 16 * 1024 * 1024;

/** What each of them costs at least (characters). */
const MIN_HELD_SIZE = 4 * 1024;

/** Window of the rate limit, and how long declined requests are remembered (ms). */
const MINUTE = 60_000;

/** Max declined requests that are remembered per server. */
const MAX_DECLINES = 20;

/** What to do with a new request. */
export type Admission = 'ask' | 'decline' | 'cancel' | { readonly hold: HoldReason };

interface ServerActivity {
	/** Times of admitted requests within the last minute, oldest first. */
	readonly asked: number[];
	/** When it last exceeded the rate limit; undefined unless the user declines everything over the limit. */
	mutedAt: number | undefined;
	/** Number of requests cancelled since the first one was held. */
	cancelled: number;
	/** What the user declined: its key, when (monotonic, ms), and its place in the order of events. */
	readonly declines: { readonly at: number; readonly moment: number; readonly key: string }[];
}

/**
 * Limits what a server may ask (A01): requests per minute, requests shown at a time, and repetitions of declined
 * requests.
 */
export class Policy {
	readonly #servers = new Map<string, ServerActivity>();

	constructor(private readonly perMinute: () => number) {}

	/** @param live the live elicitations of the same server */
	admit(elicitation: Elicitation, live: readonly Elicitation[]): Admission {
		const { request, origin } = elicitation;
		const now = performance.now();
		const activity = this.#activity(origin.server);
		forget(activity, now - MINUTE);
		const held = live.filter(({ state }) => state === 'held');
		if (held.length === 0) {
			activity.cancelled = 0;
		}
		// A call that was started after the decline may repeat the request.
		const began = Math.max(...origin.calls.map((call) => call.began));
		const key = activity.declines.length > 0 ? requestKey(request) : '';
		const repeated = activity.declines.some((decline) => decline.key === key && began < decline.moment);
		const isWithinRate = !repeated && activity.asked.length < this.perMinute();
		if (isWithinRate) {
			activity.asked.push(now);
			if (this.room(live) > 0) {
				return 'ask';
			}
		} else if (activity.mutedAt !== undefined && now - activity.mutedAt < MINUTE) {
			activity.mutedAt = now;
			return 'decline';
		}
		const isFull = (!isWithinRate && held.length >= MAX_HELD) || heldSize([...held, elicitation]) > MAX_HELD_SIZE;
		// The entries of one message are bounded by its size and must all get a response.
		if (isFull && origin.intake === 'request') {
			activity.cancelled++;
			return 'cancel';
		}
		return { hold: isWithinRate ? 'crowd' : repeated ? 'repeated' : 'rate' };
	}

	/** How many more elicitations of a server can be shown. */
	room(live: readonly Elicitation[]): number {
		return MAX_SHOWN - live.filter(({ state }) => state === 'asking').length;
	}

	/** Number of requests of a server cancelled since the first one was held. */
	cancelled(server: string): number {
		return this.#servers.get(server)?.cancelled ?? 0;
	}

	declined({ request, origin }: Elicitation): void {
		const { declines } = this.#activity(origin.server);
		declines.push({ at: performance.now(), moment: nextMoment(), key: requestKey(request) });
		declines.splice(0, Math.max(0, declines.length - MAX_DECLINES));
	}

	/** Declines requests over the rate limit until the server has stayed below it for a minute. */
	mute(server: string): void {
		this.#activity(server).mutedAt = performance.now();
	}

	/** The user reviews what is held: stops declining requests over the rate limit, and counts cancelled ones anew. */
	unmute(server: string): void {
		const activity = this.#activity(server);
		activity.mutedAt = undefined;
		activity.cancelled = 0;
	}

	#activity(server: string): ServerActivity {
		const known = this.#servers.get(server);
		if (known) {
			return known;
		}
		const activity: ServerActivity = { asked: [], mutedAt: undefined, cancelled: 0, declines: [] };
		this.#servers.set(server, activity);
		return activity;
	}
}

function forget({ asked, declines }: ServerActivity, before: number): void {
	while (asked[0] !== undefined && asked[0] <= before) {
		asked.shift();
	}
	while (declines[0] && declines[0].at <= before) {
		declines.shift();
	}
}

function heldSize(held: readonly Elicitation[]): number {
	return held.reduce((sum, { size }) => sum + Math.max(size, MIN_HELD_SIZE), 0);
}

/** Requests with the same key look the same to the user. */
function requestKey(request: ElicitationRequest): string {
	return keyOf(request.message, request.mode === 'url' ? request.url : request.requestedSchema);
}
