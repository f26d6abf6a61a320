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
import { jsonLength } from './truncate.ts';
import { UrlIds } from './url/urlIds.ts';

/** Number of ended calls and elicitations that are remembered for the timeline. */
const MAX_REMEMBERED = 500;

/**
 * Max size of the params of remembered elicitations, and of the arguments of ended calls, as JSON (characters). Beyond it,
 * elicitations that have ended are forgotten, and arguments are shortened, oldest first.
 */
const MAX_REMEMBERED_SIZE = 32 * 1024 * 1024;

const CANCELLED = localizable('The call was cancelled.');
const ENDED = localizable('The call that needed it has ended.');

export interface StateChange {
	readonly elicitation: Elicitation;
	readonly state: ElicitationState;
}

/** A request that was answered with an error because it is malformed or its mode was not declared. */
export interface Refusal {
	readonly server: string;
	readonly reason: Sentence;
	readonly params: Json;
	/** The calls that may have caused it. */
	readonly calls: readonly Call[];
}

/** Requests of a server over the rate limit that wait for a decision of the user. */
export interface HeldRequests {
	/** Number of held requests, including those that only wait for room. */
	readonly held: number;
	/** Number of requests that were cancelled without being held. */
	readonly cancelled: number;
	/** True if all of them repeat requests that were just declined. */
	readonly repeated: boolean;
}

/** All live and recent calls and elicitations of this window. The source of all events about them. */
export class Registry {
	readonly #elicitations = new Map<string, Elicitation>();
	/** Size of their params as JSON (characters). */
	#size = 0;
	/** Live elicitations, oldest first. */
	readonly #live = new Set<Elicitation>();
	/** Elicitations whose response is undelivered after a failed attempt. */
	readonly #unsent = new Set<Elicitation>();
	readonly #calls = new Map<string, Call>();
	/** Sizes of the arguments of ended calls that are kept whole, each and together (characters). */
	readonly #argsSizes = new Map<Call, number>();
	#argsSize = 0;
	readonly #policy: Policy;
	/** The content of each form that was validated last, with the verdict on it. */
	readonly #validated = new WeakMap<Elicitation, { readonly content: Json; readonly verdict: Promise<Verdict> }>();
	/** Ids are unique within a window. */
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

	/** Fires when a request has arrived and waits for the user, or is held. */
	readonly onDidAdd = this.#added.event;
	/** Fires when the user is to be asked. */
	readonly onDidAsk = this.#asked.event;
	readonly onDidChange = this.#changed.event;
	/** Fires when a delivery fails, and when it changes afterwards. */
	readonly onDidChangeDelivery = this.#deliveryChanged.event;
	readonly onDidChangeCalls = this.#callsChanged.event;
	/** Fires when an ended elicitation is no longer remembered. */
	readonly onDidForget = this.#forgotten.event;
	readonly onDidForgetCall = this.#callForgotten.event;
	readonly onDidRefuse = this.#refused.event;
	/** Fires when a call continues only if the user agrees. */
	readonly onDidReachRoundLimit = this.#atRoundLimit.event;
	readonly autoResponders: AutoResponders;
	/** The ids of all URL elicitations that are remembered. */
	readonly urlIds = new UrlIds();

	/**
	 * @param perMinute max requests per server and minute; further requests are held (A01)
	 * @param identify what tells a server from another one that has its name later (`Call.identity`)
	 */
	constructor(
		readonly validator: Validator,
		perMinute: () => number,
		private readonly identify: (server: string) => string | undefined = () => undefined,
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

	/** Decided elicitations whose response is undelivered. It is resent automatically or by the user. */
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

	/** Starts a call. The caller must end it with `endCall`. */
	beginCall(
		server: string,
		kind: CallKind,
		name: string,
		args: unknown,
		via?: Sentence,
		startedByUserAt?: number,
	): Call {
		const identity = this.identify(server);
		const call = new Call(this.#newId(), server, kind, name, args, via, startedByUserAt, undefined, identity);
		this.#calls.set(call.id, call);
		this.#forgetCalls(MAX_REMEMBERED);
		this.#callsChanged.fire(call);
		return call;
	}

	/**
	 * Pauses a call until the user decides. Resolves to true if it continues, to false if it is stopped or has ended.
	 */
	async roundLimit(call: Call, reason: Sentence): Promise<boolean> {
		const roundLimit = call.roundLimit(reason);
		this.#callsChanged.fire(call);
		this.#atRoundLimit.fire(roundLimit);
		const goOn = await roundLimit.decided;
		this.#callsChanged.fire(call);
		return goOn;
	}

	/** @param takenBack true if it ends on the client's side and the server was told to stop */
	endCall(
		call: Call,
		state: 'succeeded' | 'failed' | 'cancelled',
		outcome: unknown,
		takenBack = state === 'cancelled',
	): void {
		call.end(state, outcome, takenBack);
		this.#keepArgs(call);
		const reason = state === 'cancelled' ? CANCELLED : ENDED;
		for (const elicitation of this.live) {
			if (isTakenBack(elicitation)) {
				elicitation.abandon(reason);
			} else if (
				// A JSON-RPC request outlives the call that may have caused it, until the server withdraws it.
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
	 * Adds a request. From here on it gets exactly one response.
	 * @param policy `decline`: declined without asking the user. `complete`: the server has already completed this URL
	 * elicitation.
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
		this.#size += elicitation.size;
		this.urlIds.add(elicitation);
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
		this.#forgetElicitations(MAX_REMEMBERED);
		return elicitation;
	}

	/** The requests of a server that are held for the user to decide; undefined if there are none. */
	heldRequests(server: string): HeldRequests | undefined {
		const held = this.#ofServer(server).filter(({ state }) => state === 'held');
		const cancelled = this.#policy.cancelled(server);
		return held.some(({ holdReason }) => holdReason !== 'crowd') || (held.length > 0 && cancelled > 0)
			? {
					held: held.length,
					cancelled,
					repeated: held.every(({ holdReason }) => holdReason === 'repeated'),
				}
			: undefined;
	}

	/** Shows the held requests of a server as soon as there is room for them. */
	review(server: string): void {
		for (const elicitation of this.#ofServer(server)) {
			if (elicitation.state === 'held') {
				elicitation.hold('crowd');
			}
		}
		this.#policy.unmute(server);
		this.#fill(server);
	}

	/** Declines the held requests of a server and further requests over the rate limit. */
	declineHeld(server: string): void {
		this.#policy.mute(server);
		for (const elicitation of this.#ofServer(server)) {
			if (elicitation.state === 'held') {
				elicitation.decline();
			}
		}
	}

	/** Declines everything that a server asks, shown or held. If it exceeds the rate limit, further requests, too. */
	declineAll(server: string): void {
		if (this.heldRequests(server)) {
			// Held elicitations end first. Otherwise they would take the places of the shown ones.
			this.declineHeld(server);
		}
		for (const elicitation of this.#ofServer(server).reverse()) {
			elicitation.decline();
		}
	}

	/** Reports a request that was answered with -32602 and never became an elicitation. */
	refuse(refusal: Refusal): void {
		for (const call of refusal.calls) {
			call.refused(refusal.reason);
		}
		this.#refused.fire(refusal);
	}

	/**
	 * Validates what is entered into a form against the raw schema, whatever schema it is shown with. Its last verdict holds for
	 * `accept`.
	 */
	validatorOf(elicitation: Elicitation): Validator {
		return { validate: (_, content) => this.#validate(elicitation, content) };
	}

	/** Validates the same content once: JSON does not change. */
	#validate(elicitation: Elicitation, content: Json): Promise<Verdict> {
		const { request, origin } = elicitation;
		const last = this.#validated.get(elicitation);
		if (last?.content === content) {
			return last.verdict;
		}
		if (request.mode === 'url') {
			throw new TypeError('A URL elicitation is not accepted with content.');
		}
		const verdict = this.validator.validate(request.requestedSchema, content, origin.server);
		this.#validated.set(elicitation, { content, verdict });
		return verdict;
	}

	/**
	 * Accepts a form after validating `content` against the raw schema (F05). Sends nothing if it is invalid.
	 * @throws TypeError for a URL elicitation
	 */
	async accept(elicitation: Elicitation, content: JsonObject): Promise<Verdict> {
		const verdict = await this.#validate(elicitation, content);
		if (verdict.status !== 'invalid') {
			elicitation.accept(content);
		}
		return verdict;
	}

	/** Forgets ended calls and elicitations. */
	forgetEnded(): void {
		this.#forgetCalls(0);
		this.#forgetElicitations(0);
	}

	/** Handles a completion notice. Returns false, without any effect, for unknown, ended and foreign ids (U09). */
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

	/** Ends all deliveries on a closed connection. */
	endDeliveries(connection: string, reason: Sentence): void {
		for (const { origin, delivery } of new Set([...this.elicitations, ...this.unsent])) {
			if (origin.connection === connection) {
				delivery?.end(reason);
			}
		}
	}

	/** Asks the auto-responders, then the user. */
	#ask(elicitation: Elicitation): void {
		if (this.autoResponders.isEmpty) {
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
		const isOver = () => this.#calls.size > remembered;
		forget(
			this.#calls,
			isOver,
			({ state }) => state !== 'running',
			(call) => {
				this.#dropArgs(call);
				this.#callForgotten.fire(call);
			},
		);
	}

	#keepArgs(ended: Call): void {
		const size = jsonLength((ended.args ?? null) as Json);
		this.#argsSizes.set(ended, size);
		this.#argsSize += size;
		for (const call of this.#argsSizes.keys()) {
			if (this.#argsSize <= MAX_REMEMBERED_SIZE) {
				break;
			}
			call.shortenArgs();
			this.#dropArgs(call);
		}
	}

	#dropArgs(call: Call): void {
		this.#argsSize -= this.#argsSizes.get(call) ?? 0;
		this.#argsSizes.delete(call);
	}

	#forgetElicitations(remembered: number): void {
		const isOver = () => this.#elicitations.size > remembered || this.#size > MAX_REMEMBERED_SIZE;
		forget(
			this.#elicitations,
			isOver,
			({ live, delivery }) => !live && !delivery?.open,
			(elicitation) => {
				this.#size -= elicitation.size;
				this.urlIds.delete(elicitation);
				this.#forgotten.fire(elicitation);
			},
		);
	}

	#newId(): string {
		return String(++this.#lastId);
	}

	#onChange(elicitation: Elicitation): void {
		const { state, origin } = elicitation;
		this.#setClocks(elicitation);
		const ended = !elicitation.live && this.#live.delete(elicitation);
		// Ignores automatic declines: a script may respond differently to the next request.
		if (ended && state === 'declined' && !elicitation.responder) {
			this.#policy.declined(elicitation);
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

	/** Pauses or resumes the clocks of the calls that may have caused it (A04). */
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

	/** Shows elicitations that are held because too many are shown. */
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

/** All of its calls have ended, and at least one of them ended on the client's side (D03). */
function isTakenBack({ origin, outlived }: Elicitation): boolean {
	return origin.intake === 'request' && outlived && origin.calls.some(({ takenBack }) => takenBack);
}

/** An opened URL elicitation of calls that have all ended. */
function isLeftOver({ state, outlived }: Elicitation): boolean {
	return state === 'opened' && outlived;
}

/**
 * Whom the calls of an elicitation wait for. While it is undecided or its response is undelivered, none of its calls
 * may time out because of it. An opened URL elicitation only pauses a call that certainly caused it, because it may
 * stay open indefinitely.
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

/** Removes the oldest ended entries as long as there are too many. */
function forget<T>(
	map: Map<string, T>,
	isOver: () => boolean,
	ended: (value: T) => boolean,
	forgotten: (value: T) => void,
): void {
	if (!isOver()) {
		return;
	}
	for (const [key, value] of map) {
		if (ended(value)) {
			map.delete(key);
			forgotten(value);
		}
		if (!isOver()) {
			break;
		}
	}
}
