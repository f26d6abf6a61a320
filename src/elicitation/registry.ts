import { AutoResponders } from './autoResponders.ts';
import { Call, type CallKind, type RoundLimit } from './call.ts';
import type { Turn } from './clock.ts';
import { Elicitation, type ElicitationState, type Origin } from './elicitation.ts';
import { Emitter } from './emitter.ts';
import type { Validator, Verdict } from './form/validate.ts';
import type { Json, JsonObject } from './json.ts';
import { Policy } from './policy.ts';
import type { ElicitationRequest } from './request.ts';
import { localizable, type Sentence } from './sentence.ts';

/** How many ended calls and elicitations are remembered for the timeline. */
const REMEMBERED = 500;

const CANCELLED = localizable('The call was cancelled.');
const ENDED = localizable('The call that needed it has ended.');

export interface StateChange {
	readonly elicitation: Elicitation;
	readonly state: ElicitationState;
}

/** A request that was answered with an error, because it is malformed or of a kind that was not offered. */
export interface Refusal {
	readonly server: string;
	readonly reason: Sentence;
	readonly params: Json;
}

/** What waits for the user to decide on because a server asked too much. */
export interface HeldRequests {
	/** How many questions are held back. */
	readonly held: number;
	/** How many more were cancelled without being held. */
	readonly cancelled: number;
	/** All of them repeat what was declined a moment ago. */
	readonly repeated: boolean;
}

/** All calls and elicitations of this window, the live ones and the recent ones. Everything that happens to them starts here. */
export class Registry {
	readonly #elicitations = new Map<string, Elicitation>();
	/** Those that the user or the server may still act on, oldest first. */
	readonly #live = new Set<Elicitation>();
	/** Those whose response the server does not have yet, after an attempt that failed. */
	readonly #unsent = new Set<Elicitation>();
	readonly #calls = new Map<string, Call>();
	readonly #policy: Policy;
	/** Ids are never given twice in a window. */
	#lastId = 0;
	readonly #added = new Emitter<Elicitation>();
	readonly #asked = new Emitter<Elicitation>();
	readonly #changed = new Emitter<StateChange>();
	readonly #deliveryChanged = new Emitter<Elicitation>();
	readonly #callsChanged = new Emitter<Call>();
	readonly #forgotten = new Emitter<Elicitation>();
	readonly #callForgotten = new Emitter<Call>();
	readonly #refused = new Emitter<Refusal>();
	readonly #atRoundLimit = new Emitter<RoundLimit>();

	/** A request has come in and waits for the user; held back, perhaps. */
	readonly onDidAdd = this.#added.event;
	/** The user is to be asked now. */
	readonly onDidAsk = this.#asked.event;
	readonly onDidChange = this.#changed.event;
	/** An attempt to deliver a response failed; or what came of it after that. */
	readonly onDidChangeDelivery = this.#deliveryChanged.event;
	readonly onDidChangeCalls = this.#callsChanged.event;
	/** It has ended and is no longer remembered. */
	readonly onDidForget = this.#forgotten.event;
	readonly onDidForgetCall = this.#callForgotten.event;
	readonly onDidRefuse = this.#refused.event;
	/** A call goes on only if the user says so. */
	readonly onDidReachRoundLimit = this.#atRoundLimit.event;
	/** Whoever answers in the user's place. */
	readonly autoResponders: AutoResponders;

	/** @param perMinute how many questions a server may ask in a minute before the rest is held back (A01) */
	constructor(
		readonly validator: Validator,
		perMinute: () => number,
	) {
		this.#policy = new Policy(perMinute);
		this.autoResponders = new AutoResponders(validator);
		this.autoResponders.onDidConsult((elicitation) => this.#setClocks(elicitation));
	}

	/** Oldest first. */
	get elicitations(): readonly Elicitation[] {
		return [...this.#elicitations.values()];
	}

	/** Oldest first. */
	get live(): readonly Elicitation[] {
		return [...this.#live];
	}

	/** Decided, but their response could not be delivered yet: it is sent again, or the user says whether it is. */
	get unsent(): readonly Elicitation[] {
		return [...this.#unsent];
	}

	/** Oldest first. */
	get calls(): readonly Call[] {
		return [...this.#calls.values()];
	}

	get(id: string): Elicitation | undefined {
		return this.#elicitations.get(id);
	}

	/** A call begins; the caller ends it with `endCall`, whatever happens. */
	beginCall(
		server: string,
		kind: CallKind,
		name: string,
		args: unknown,
		via?: Sentence,
		startedByUserAt?: number,
	): Call {
		const call = new Call(this.#newId(), server, kind, name, args, via, startedByUserAt);
		this.#calls.set(call.id, call);
		this.#forgetCalls(REMEMBERED);
		this.#callsChanged.fire(call);
		return call;
	}

	/** Stops a call until the user has decided. Resolves to whether it goes on; a call that ends meanwhile does not. */
	async roundLimit(call: Call, reason: Sentence): Promise<boolean> {
		const roundLimit = call.roundLimit(reason);
		this.#callsChanged.fire(call);
		this.#atRoundLimit.fire(roundLimit);
		const goOn = await roundLimit.decided;
		this.#callsChanged.fire(call);
		return goOn;
	}

	/** @param takenBack whether it ends by our own doing, and the server was told so */
	endCall(
		call: Call,
		state: 'succeeded' | 'failed' | 'cancelled',
		outcome: unknown,
		takenBack = state === 'cancelled',
	): void {
		call.end(state, outcome, takenBack);
		const reason = state === 'cancelled' ? CANCELLED : ENDED;
		for (const elicitation of this.live) {
			if (isTakenBack(elicitation)) {
				elicitation.abandon(reason);
			} else if (
				// A JSON-RPC request outlives the call that seemed to cause it, until the server itself withdraws it.
				(elicitation.cause === call && elicitation.origin.intake !== 'request') ||
				isLeftOver(elicitation)
			) {
				elicitation.withdraw(reason);
			}
		}
		for (const { outlived, delivery } of this.unsent) {
			if (outlived && delivery?.canSendAgain) {
				delivery.end();
			}
		}
		this.#callsChanged.fire(call);
	}

	/**
	 * A request enters: from here on it is answered exactly once. With the policy `decline` nobody is asked: it is
	 * remembered as declined; with `complete` as a URL that the server has called complete before. What a server asks too
	 * much is held back, or answered at once.
	 */
	add(request: ElicitationRequest, origin: Origin, policy: 'ask' | 'decline' | 'complete' = 'ask'): Elicitation {
		const elicitation = new Elicitation(
			this.#newId(),
			request,
			origin,
			(changed) => this.#onChange(changed),
			(changed) => this.#onDelivery(changed),
		);
		const admission = isTakenBack(elicitation)
			? 'abandon'
			: policy === 'ask'
				? this.#policy.admit(elicitation, this.#ofServer(origin.server))
				: policy;
		this.#elicitations.set(elicitation.id, elicitation);
		switch (admission) {
			case 'abandon':
				elicitation.abandon(CANCELLED);
				break;
			case 'complete':
				elicitation.complete();
				break;
			case 'decline':
				elicitation.decline(policy === 'decline' ? 'settings' : 'muted');
				break;
			case 'cancel':
				elicitation.cancel('limit');
				break;
			case 'ask':
				this.#live.add(elicitation);
				this.#added.fire(elicitation);
				this.#ask(elicitation);
				break;
			default:
				elicitation.hold(admission.hold);
				this.#live.add(elicitation);
				this.#setClocks(elicitation);
				this.#added.fire(elicitation);
		}
		this.#forgetElicitations(REMEMBERED);
		return elicitation;
	}

	/** What a server asked too much and waits for the user to decide on; undefined when there is nothing of the kind. */
	heldRequests(server: string): HeldRequests | undefined {
		const held = this.#ofServer(server).filter(({ holdReason }) => holdReason === 'rate' || holdReason === 'repeated');
		return held.length === 0
			? undefined
			: {
					held: held.length,
					cancelled: this.#policy.cancelled(server),
					repeated: held.every(({ holdReason }) => holdReason === 'repeated'),
				};
	}

	/** The user wants to see what was held back: it is shown, as fast as there is room for it. */
	review(server: string): void {
		for (const elicitation of this.#ofServer(server)) {
			if (elicitation.state === 'held') {
				elicitation.hold('crowd');
			}
		}
		this.#policy.calm(server);
		this.#fill(server);
	}

	/** Declines what was held back, and what the server still asks too much. */
	declineHeld(server: string): void {
		this.#policy.mute(server);
		for (const elicitation of this.#ofServer(server)) {
			if (elicitation.state === 'held') {
				elicitation.decline();
			}
		}
	}

	/** A request that never became an elicitation: the server was told with -32602, the user is told why. */
	refuse(refusal: Refusal): void {
		this.#refused.fire(refusal);
	}

	/** Accepts a form with `content`, after the final validation against the raw schema (F05). Invalid: nothing is sent. */
	async accept(elicitation: Elicitation, content: JsonObject): Promise<Verdict> {
		if (elicitation.request.mode !== 'form') {
			throw new TypeError('Only a form is accepted with content.');
		}
		const verdict = await this.validator.validate(
			elicitation.request.requestedSchema,
			content,
			elicitation.origin.server,
		);
		if (verdict.status !== 'invalid') {
			elicitation.accept(content);
		}
		return verdict;
	}

	/** Forgets what has ended; what is live stays. */
	forgetEnded(): void {
		this.#forgetCalls(0);
		this.#forgetElicitations(0);
	}

	/** A completion notice. False, without any effect, for unknown, ended and foreign ids (U09). */
	complete(connection: string, elicitationId: string): boolean {
		let found = false;
		for (const elicitation of this.live) {
			const { request, origin } = elicitation;
			if (request.mode === 'url' && request.elicitationId === elicitationId && origin.connection === connection) {
				found = elicitation.complete() || found;
			}
		}
		return found;
	}

	/** Withdraws every live elicitation that matches (A02). */
	withdraw(matches: (elicitation: Elicitation) => boolean, reason: Sentence): void {
		for (const elicitation of this.live) {
			if (matches(elicitation)) {
				elicitation.withdraw(reason);
			}
		}
	}

	/** A connection is gone: what could not be delivered on it never will be. */
	endDeliveries(connection: string, reason: Sentence): void {
		for (const { origin, delivery } of new Set([...this.elicitations, ...this.unsent])) {
			if (origin.connection === connection) {
				delivery?.end(reason);
			}
		}
	}

	/** Asks whoever answers in the user's place, then the user. */
	#ask(elicitation: Elicitation): void {
		if (this.autoResponders.none) {
			this.#setClocks(elicitation);
			this.#asked.fire(elicitation);
			return;
		}
		void this.autoResponders.offer(elicitation).then((taken) => {
			if (!taken) {
				this.#asked.fire(elicitation);
			}
		});
	}

	#forgetCalls(remembered: number): void {
		for (const call of forget(this.#calls, remembered, ({ state }) => state !== 'running')) {
			this.#callForgotten.fire(call);
		}
	}

	#forgetElicitations(remembered: number): void {
		for (const elicitation of forget(
			this.#elicitations,
			remembered,
			({ live, delivery }) => !live && !delivery?.open,
		)) {
			this.#forgotten.fire(elicitation);
		}
	}

	#newId(): string {
		return String(++this.#lastId);
	}

	#onChange(elicitation: Elicitation): void {
		const { state, origin } = elicitation;
		this.#setClocks(elicitation);
		if (!elicitation.live) {
			// Not what was declined without the user having been asked: a script may well mean to answer the next one.
			if (this.#live.delete(elicitation) && state === 'declined' && !elicitation.responder) {
				this.#policy.declined(elicitation);
			}
		}
		this.#changed.fire({ elicitation, state });
		if (state === 'asking') {
			this.#ask(elicitation);
		} else {
			this.#fill(origin.server);
		}
		if (isLeftOver(elicitation)) {
			elicitation.withdraw(ENDED);
		}
	}

	/** Whom the calls wait for that it may have come from, now that it is in this state (A04). */
	#setClocks(elicitation: Elicitation): void {
		for (const { clock } of elicitation.origin.calls) {
			const waitedFor = waitedForBy(elicitation);
			if (waitedFor) {
				clock.pause(elicitation, waitedFor);
			} else {
				clock.resume(elicitation);
			}
		}
	}

	#onDelivery(elicitation: Elicitation): void {
		const { delivery } = elicitation;
		if (delivery?.open && delivery.problem) {
			this.#unsent.add(elicitation);
		} else {
			this.#unsent.delete(elicitation);
		}
		this.#setClocks(elicitation);
		this.#deliveryChanged.fire(elicitation);
	}

	/** Shows what was held back for want of room. */
	#fill(server: string): void {
		for (;;) {
			const mine = this.#ofServer(server);
			const next = mine.find(({ holdReason }) => holdReason === 'crowd');
			if (!next || this.#policy.room(mine) <= 0) {
				return;
			}
			next.release();
		}
	}

	#ofServer(server: string): Elicitation[] {
		return this.live.filter(({ origin }) => origin.server === server);
	}
}

/** Nobody waits for it any more, and at least one of the calls that it may belong to ended by our own doing (D03). */
function isTakenBack({ origin, outlived }: Elicitation): boolean {
	return origin.intake === 'request' && outlived && origin.calls.some(({ takenBack }) => takenBack);
}

/** An open URL of calls that have all ended: nothing waits for it any more. */
function isLeftOver({ state, outlived }: Elicitation): boolean {
	return state === 'opened' && outlived;
}

/**
 * Who holds up the calls of an elicitation. As long as it is undecided, or its response is not delivered, each call that it may
 * have come from: none may time out because of it. An open URL only where its call is certain: it may stay open for any time.
 */
function waitedForBy({
	undecided,
	delivery,
	state,
	cause,
	consulted,
	responder,
}: Elicitation): Exclude<Turn, 'server'> | undefined {
	const holds = undecided || delivery?.open || (state === 'opened' && cause !== undefined);
	return holds ? (consulted || responder ? 'automatic' : 'person') : undefined;
}

/** Forgets the oldest ended ones, down to what is remembered. */
function forget<T>(map: Map<string, T>, remembered: number, ended: (value: T) => boolean): T[] {
	const forgotten: T[] = [];
	if (map.size <= remembered) {
		return forgotten;
	}
	for (const [key, value] of map) {
		if (map.size <= remembered) {
			break;
		}
		if (ended(value)) {
			map.delete(key);
			forgotten.push(value);
		}
	}
	return forgotten;
}
