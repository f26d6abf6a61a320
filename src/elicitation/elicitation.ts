import type { Call } from './call.ts';
import { Delivery, type DeliveryState } from './delivery.ts';
import type { Json, JsonObject } from './json.ts';
import type { ElicitationRequest } from './request.ts';
import type { ResponderInfo } from './responderInfo.ts';
import type { Sentence } from './sentence.ts';
import { jsonLength } from './truncate.ts';

/** A response that the protocol has. */
export type ProperResponse =
	/** `content` is only present in form mode (F13). */
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' }
	/** A JSON-RPC error. Sent by a script or a server author to test the server. */
	| { readonly action: 'error'; readonly code: number; readonly message: string };

/** What goes back to the server. */
export type ElicitationResponse =
	| ProperResponse
	/** A result that is no response to the request. Sent by a server author to test the server. */
	| { readonly action: 'malformed'; readonly result: JsonObject };

/** How an elicitation is decided: by a response, or by nothing because the request is gone. */
export type ElicitationOutcome = ElicitationResponse | { readonly action: 'withdrawn'; readonly reason: Sentence };

/**
 * Form mode: asking → accepted | declined | cancelled. URL mode: asking → declined | cancelled, or asking → opened →
 * completed | retried | givenUp.
 * - `completed` directly after asking: the server completed it before the user decided.
 * - `held` precedes asking if the server exceeds the rate limit. It can be declined, cancelled and completed like
 * asking.
 * - `failed`: an error, or what is no response, was sent on purpose.
 * - Every live state can become `withdrawn`.
 */
export type ElicitationState =
	| 'held'
	| 'asking'
	| 'accepted'
	| 'declined'
	| 'cancelled'
	| 'opened'
	| 'completed'
	| 'retried'
	| 'givenUp'
	| 'failed'
	| 'withdrawn';

/** A state of the elicitation or of its delivery, and when it was entered. */
export interface Step {
	readonly state: ElicitationState | DeliveryState;
	/** Milliseconds since the epoch. */
	readonly at: number;
}

/** Why it is not shown yet: too many are shown, the rate limit is exceeded, or the same request was just declined. */
export type HoldReason = 'crowd' | 'rate' | 'repeated';

/**
 * Why the user was not asked: a setting declines for this server, too many requests are held, or the user declined all
 * requests over the rate limit.
 */
export type Unasked = 'settings' | 'limit' | 'muted';

/** Elicitations that arrived together and are shown together: the entries of one round, or of one -32042 error. */
export interface ElicitationGroup {
	readonly call: Call;
	/** The round of the call in which they arrived, from 1. */
	readonly round: number;
	/** Number of elicitations in the group. */
	readonly size: number;
}

/** How the request arrived. Surfaces may show it but must not depend on it. */
export type Intake = 'request' | 'inputRequired' | 'urlRequired';

export interface Origin {
	/** The server's configured name (F01). */
	readonly server: string;
	/** Identifies one connection to the server. Completion notices of other connections do not apply. */
	readonly connection: string;
	readonly intake: Intake;
	/** The negotiated protocol revision; empty if a recording does not tell it. */
	readonly revision: string;
	/**
	 * The calls that may have caused it. Several if the protocol does not tell which; none if the server sent it
	 * unprompted.
	 */
	readonly calls: readonly Call[];
	/** The call on whose stream it arrived and with which it ends. Absent if it did not arrive on a call's stream. */
	readonly stream?: Call;
	/** Absent for a request of its own. */
	readonly group?: ElicitationGroup;
	/** Its key in `inputRequests`. Absent if it did not arrive there. */
	readonly key?: string;
	/** True if its source reports the delivery of the response. */
	readonly tellsDelivery?: boolean;
	/** True if the server sent it over HTTP without a session, which would tell it what a response belongs to. */
	readonly lacksSession?: boolean;
	/** The params exactly as the server sent them. */
	readonly params: Json;
}

const ignore = () => {};

/** A promise that is created when it is first asked for: for many elicitations, nobody does. */
class Once<T> {
	#value: T | undefined;
	#promise: Promise<T> | undefined;
	#resolve: ((value: T) => void) | undefined;

	get promise(): Promise<T> {
		this.#promise ??= new Promise((resolve) => {
			this.#resolve = resolve;
			if (this.#value !== undefined) {
				resolve(this.#value);
			}
		});
		return this.#promise;
	}

	resolve(value: T): void {
		this.#value ??= value;
		this.#resolve?.(value);
	}
}

/** A server's request for input. It gets exactly one response. */
export class Elicitation {
	readonly receivedAt: number;
	#state: ElicitationState = 'asking';
	#history: readonly Step[];
	#response: ElicitationResponse | undefined;
	#delivery: Delivery | undefined;
	#withdrawal: Sentence | undefined;
	#hold: HoldReason | undefined;
	#unasked: Unasked | undefined;
	#responder: ResponderInfo | undefined;
	#schemaViolation: Sentence | undefined;
	#consulted: ResponderInfo | undefined;
	#consented = false;
	#isUnfinished = false;
	#size: number | undefined;
	readonly #outcome = new Once<ElicitationOutcome>();
	readonly #ended = new Once<ElicitationState>();
	readonly #changed: (elicitation: Elicitation) => void;
	readonly #deliveryChanged: (elicitation: Elicitation) => void;

	/**
	 * Created by the registry.
	 * @param changed called after every change of state
	 * @param deliveryChanged called after every change of the delivery
	 * @param now the current time (ms since the epoch); of a recorded elicitation, that of the recording
	 */
	constructor(
		readonly id: string,
		readonly request: ElicitationRequest,
		readonly origin: Origin,
		changed: (elicitation: Elicitation) => void,
		deliveryChanged: (elicitation: Elicitation) => void = ignore,
		private readonly now: () => number = Date.now,
	) {
		this.receivedAt = now();
		this.#history = [{ state: 'asking', at: this.receivedAt }];
		this.#changed = changed;
		this.#deliveryChanged = deliveryChanged;
	}

	/** Resolves once the response is decided. Never rejects. */
	get outcome(): Promise<ElicitationOutcome> {
		return this.#outcome.promise;
	}

	/** Resolves once the elicitation reaches its final state. Never rejects. */
	get ended(): Promise<ElicitationState> {
		return this.#ended.promise;
	}

	/** Size of its params as JSON (characters). */
	get size(): number {
		this.#size ??= jsonLength(this.origin.params);
		return this.#size;
	}

	get state(): ElicitationState {
		return this.#state;
	}

	/** The call that caused it; undefined if it may have been one of several, or if there was none. */
	get cause(): Call | undefined {
		const { calls } = this.origin;
		return calls.length === 1 ? calls[0] : undefined;
	}

	/** True if it has calls and all of them have ended. */
	get outlived(): boolean {
		const { calls } = this.origin;
		return calls.length > 0 && calls.every(({ state }) => state !== 'running');
	}

	/** Its states so far, oldest first. */
	get history(): readonly Step[] {
		return this.#history;
	}

	/** True while the user or the server can still act on it. */
	get live(): boolean {
		return this.undecided || this.#state === 'opened';
	}

	/** True until there is a response. */
	get undecided(): boolean {
		return this.#state === 'asking' || this.#state === 'held';
	}

	/** Why it is held; undefined if it is not held. */
	get holdReason(): HoldReason | undefined {
		return this.#state === 'held' ? this.#hold : undefined;
	}

	/** Why the user was not asked; undefined if the user was. */
	get unasked(): Unasked | undefined {
		return this.#unasked;
	}

	/** The response or error; undefined while undecided or if withdrawn. */
	get response(): ElicitationResponse | undefined {
		return this.#response;
	}

	/** Delivery of the response; undefined if there is no response yet or its source does not report delivery. */
	get delivery(): Delivery | undefined {
		return this.#delivery;
	}

	/** Starts the delivery. For sources that do not set `tellsDelivery`. */
	send(): Delivery {
		this.#delivery ??= new Delivery(() => this.#onDelivery());
		return this.#delivery;
	}

	/** The auto-responder that responded; undefined if the user did or nobody has. */
	get responder(): ResponderInfo | undefined {
		return this.#responder;
	}

	/** How a forced response violates the schema, as a complete sentence. */
	get schemaViolation(): Sentence | undefined {
		return this.#schemaViolation;
	}

	/** The auto-responder that is being asked; undefined if none is. */
	get consulted(): ResponderInfo | undefined {
		return this.#state === 'asking' ? this.#consulted : undefined;
	}

	consult(responder: ResponderInfo | undefined): void {
		this.#consulted = responder;
	}

	/**
	 * Runs `act` as a response of an auto-responder.
	 * @param schemaViolation how the content violates the schema
	 */
	respondFor(responder: ResponderInfo, act: () => boolean, schemaViolation?: Sentence): boolean {
		const before = this.#responder;
		this.#responder = responder;
		this.#schemaViolation = schemaViolation;
		const acted = act();
		if (!acted) {
			this.#responder = before;
			this.#schemaViolation = undefined;
			return false;
		}
		if (this.cause) {
			this.cause.responder = responder;
		}
		return true;
	}

	/**
	 * True if its call ended, or the server completed it, before anybody responded. An opened URL that is withdrawn has its
	 * response.
	 */
	get endedFirst(): boolean {
		return this.#state === 'completed'
			? this.#response?.action === 'cancel'
			: this.#withdrawal !== undefined && (this.#state !== 'withdrawn' || !this.#response);
	}

	/** Why it was withdrawn. */
	get withdrawal(): Sentence | undefined {
		return this.#withdrawal;
	}

	/** True if the recording that it is in does not contain its end. */
	get isUnfinished(): boolean {
		return this.#isUnfinished;
	}

	/** Holds it, or changes the reason. Must be called before it is announced. */
	hold(reason: HoldReason): void {
		if (this.undecided) {
			this.#hold = reason;
			this.#state = 'held';
			this.#history = [{ state: 'held', at: this.receivedAt }];
		}
	}

	/** Shows a held elicitation to the user. */
	release(): boolean {
		return this.#state === 'held' && this.#move('asking');
	}

	/** Accepts a form or a sampling request. The registry has validated `content`. */
	accept(content: JsonObject): boolean {
		return this.request.mode !== 'url' && this.#settle('accepted', { action: 'accept', content });
	}

	decline(unasked?: Unasked): boolean {
		return this.#settle('declined', { action: 'decline' }, unasked);
	}

	cancel(unasked?: Unasked): boolean {
		return this.#settle('cancelled', { action: 'cancel' }, unasked);
	}

	/**
	 * Accepts a URL elicitation: the user consented and the browser was opened (U08), or an auto-responder accepted.
	 */
	opened(): boolean {
		this.#consented ||= this.request.mode === 'url' && this.undecided && this.#responder === undefined;
		return this.request.mode === 'url' && this.#settle('opened', { action: 'accept' });
	}

	/** True once the user has consented to this URL. An auto-responder's accept is not consent. */
	get consented(): boolean {
		return this.#consented;
	}

	/** The user consents to the URL after an auto-responder accepted it. */
	consent(): void {
		this.#consented ||= this.#state === 'opened';
	}

	/**
	 * The server reports completion. If the user has not decided yet, the response is a cancel: completion implies no
	 * consent.
	 */
	complete(): boolean {
		if (this.request.mode !== 'url') {
			return false;
		}
		return this.#state === 'opened' ? this.#move('completed') : this.#settle('completed', { action: 'cancel' });
	}

	/** The user retried the call without waiting for the completion. */
	retried(): boolean {
		return this.#state === 'opened' && this.#move('retried');
	}

	/** The user stopped waiting for the completion. */
	giveUp(): boolean {
		return this.#state === 'opened' && this.#move('givenUp');
	}

	/** Gives a response. One that accepts a form was validated before, or is forced. */
	respond(response: ElicitationResponse): boolean {
		switch (response.action) {
			case 'accept':
				return this.request.mode === 'url' ? this.opened() : this.accept(response.content ?? {});
			case 'decline':
				return this.decline();
			case 'cancel':
				return this.cancel();
			case 'error':
			case 'malformed':
				return this.#settle('failed', response);
		}
	}

	/** Cancels it because its calls were cancelled. If it already has a response, it is withdrawn instead (D03). */
	abandon(reason: Sentence): boolean {
		if (!this.undecided) {
			return this.withdraw(reason);
		}
		this.#withdrawal = reason;
		return this.cancel();
	}

	/**
	 * The request is gone (A02). Nothing is sent any more.
	 * @param isUnfinished it may have gone on, but the recording that it is in ends
	 */
	withdraw(reason: Sentence, isUnfinished = false): boolean {
		if (!this.live) {
			return false;
		}
		this.#isUnfinished = isUnfinished;
		this.#withdrawal = reason;
		this.#outcome.resolve({ action: 'withdrawn', reason });
		return this.#move('withdrawn');
	}

	#settle(state: ElicitationState, response: ElicitationResponse, unasked?: Unasked): boolean {
		if (!this.undecided) {
			return false;
		}
		this.#response = response;
		this.#unasked = unasked;
		if (this.origin.tellsDelivery) {
			this.send();
		}
		this.#outcome.resolve(response);
		return this.#move(state);
	}

	#move(state: ElicitationState): boolean {
		this.#state = state;
		this.#enter(state);
		if (!this.live) {
			this.#ended.resolve(state);
		}
		this.#changed(this);
		return true;
	}

	/** Records failed deliveries and whatever follows them. */
	#onDelivery(): void {
		const state = this.#delivery?.state;
		const last = this.#history.at(-1)?.state;
		if (
			state &&
			state !== last &&
			(state === 'undelivered' || this.#history.some((step) => step.state === 'undelivered'))
		) {
			this.#enter(state);
		}
		this.#deliveryChanged(this);
	}

	#enter(state: Step['state']): void {
		// There are few steps and many elicitations: a list that grows in place reserves memory for more.
		this.#history = [...this.#history, { state, at: this.now() }];
	}
}
