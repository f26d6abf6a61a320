import type { Elicitation, HoldReason } from './elicitation.ts';
import type { ElicitationRequest } from './request.ts';

/** Questions of one server that are shown at a time; more would only hide each other. */
const SHOWN = 20;

/** Requests of one server that wait to be shown; whatever comes on top of them is cancelled. */
const HELD = 50;

/** The span over which questions are counted, and in which a declined one is remembered (milliseconds). */
const MINUTE = 60_000;

/** Declined questions that are remembered per server. */
const DECLINES = 20;

/** What becomes of a request that has just come in. */
export type Admission = 'ask' | 'decline' | 'cancel' | { readonly hold: HoldReason };

interface Conduct {
	/** When it asked what was let through, within the last minute; oldest first. */
	readonly asked: number[];
	/** When it last asked too much, while the user wants the rest to be declined. */
	mutedAt: number | undefined;
	/** How many requests were cancelled since something was held back. */
	cancelled: number;
	/** What was declined, and when. */
	readonly declines: { readonly at: number; readonly question: string }[];
}

/** How much a server may ask (A01): so many questions a minute, so many at a time, none again right after it was declined. */
export class Policy {
	readonly #servers = new Map<string, Conduct>();

	constructor(private readonly perMinute: () => number) {}

	/** @param live the questions of the same server that are not over */
	admit({ request, origin }: Elicitation, live: readonly Elicitation[]): Admission {
		const now = Date.now();
		const conduct = this.#conduct(origin.server);
		forget(conduct, now - MINUTE);
		const held = live.filter(({ state }) => state === 'held').length;
		if (held === 0) {
			conduct.cancelled = 0;
		}
		// A call that the user has made since then may well ask the same again.
		const began = Math.max(...origin.calls.map(({ startedAt }) => startedAt));
		const question = conduct.declines.length > 0 ? questionOf(request) : '';
		const repeated = conduct.declines.some((decline) => decline.question === question && began <= decline.at);
		if (!repeated && conduct.asked.length < this.perMinute()) {
			conduct.asked.push(now);
			return this.room(live) > 0 ? 'ask' : { hold: 'crowd' };
		}
		if (conduct.mutedAt !== undefined && now - conduct.mutedAt < MINUTE) {
			conduct.mutedAt = now;
			return 'decline';
		}
		// What came in one message is bounded by it, and all of it has to be answered at once.
		if (held >= HELD && origin.intake === 'request') {
			conduct.cancelled++;
			return 'cancel';
		}
		return { hold: repeated ? 'repeated' : 'rate' };
	}

	/** How many more questions of a server may be shown now. */
	room(live: readonly Elicitation[]): number {
		return SHOWN - live.filter(({ state }) => state === 'asking').length;
	}

	/** How many requests of a server were cancelled since something of it was held back. */
	cancelled(server: string): number {
		return this.#servers.get(server)?.cancelled ?? 0;
	}

	declined({ request, origin }: Elicitation): void {
		const { declines } = this.#conduct(origin.server);
		declines.push({ at: Date.now(), question: questionOf(request) });
		declines.splice(0, Math.max(0, declines.length - DECLINES));
	}

	/** Declines what the server asks too much from now on, until it has kept to the limit for a minute. */
	mute(server: string): void {
		this.#conduct(server).mutedAt = Date.now();
	}

	/** The user wants to be asked again. */
	calm(server: string): void {
		this.#conduct(server).mutedAt = undefined;
	}

	#conduct(server: string): Conduct {
		const known = this.#servers.get(server);
		if (known) {
			return known;
		}
		const conduct: Conduct = { asked: [], mutedAt: undefined, cancelled: 0, declines: [] };
		this.#servers.set(server, conduct);
		return conduct;
	}
}

function forget({ asked, declines }: Conduct, before: number): void {
	while (asked[0] !== undefined && asked[0] <= before) {
		asked.shift();
	}
	while (declines[0] && declines[0].at <= before) {
		declines.shift();
	}
}

/** What makes two questions the same to a user. */
function questionOf(request: ElicitationRequest): string {
	return JSON.stringify([request.message, request.mode === 'form' ? request.requestedSchema : request.url]);
}
