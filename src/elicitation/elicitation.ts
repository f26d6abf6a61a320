import type { ResponderInfo } from './autoResponder.ts';
import type { Call } from './call.ts';
import { Delivery, type DeliveryState } from './delivery.ts';
import type { Json, JsonObject } from './json.ts';
import type { ElicitationRequest } from './request.ts';
import type { Sentence } from './sentence.ts';

/** The user's answer, in the specification's words. `content` only with an accept in form mode (F13). */
export type Answer =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

/** An error in the place of an answer: what a script, or an author, sends to see what the server makes of it. */
export interface ErrorReply {
	readonly action: 'error';
	readonly code: number;
	readonly message: string;
}

/** What goes back to the server: an answer, an error, or nothing because the request is gone. */
export type Reply = Answer | ErrorReply | { readonly action: 'withdrawn'; readonly reason: Sentence };

/**
 * Form: asking → accepted | declined | cancelled. URL: asking → declined | cancelled, or asking → opened → completed |
 * retried | givenUp. `completed` straight from asking: the server said so before the user had decided.
 * `held` comes before asking where a server asks too much; it can be declined, cancelled and completed like asking.
 * `failed` is the end of a question that was answered with an error on purpose.
 * Every live state can become withdrawn.
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

/** A state that an elicitation, or its response on the way to the server, came into, and when. */
export interface Step {
	readonly state: ElicitationState | DeliveryState;
	/** Milliseconds since the epoch. */
	readonly at: number;
}

/** Why a question is not shown yet: too many are shown already, too many came, or it was declined a moment ago. */
export type HoldReason = 'crowd' | 'rate' | 'repeated';

/**
 * Why the user was not asked at all: the settings decline for this server, it asked more than can be held back, or the user
 * had its surplus declined.
 */
export type Unasked = 'settings' | 'limit' | 'muted';

/** Questions that came together and are shown together: the entries of one round, or of one -32042 error. */
export interface Group {
	readonly call: Call;
	/** The round of the call that brought them, from 1. */
	readonly round: number;
	/** How many questions the user is asked in it. */
	readonly size: number;
}

/** How the request reached us; a detail of the protocol that surfaces may show but must not act upon. */
export type Intake = 'request' | 'inputRequired' | 'urlRequired';

export interface Origin {
	/** The server's configured name (F01). */
	readonly server: string;
	/** Identifies one connection of that server: completion notices of another connection mean nothing. */
	readonly connection: string;
	readonly intake: Intake;
	/** The negotiated protocol revision. */
	readonly revision: string;
	/** The call that caused it. Several: the protocol does not tell which. None: the server asked by itself. */
	readonly calls: readonly Call[];
	/** The call on whose own stream it came, with which it is gone; absent where it came on none. */
	readonly stream?: Call;
	/** Absent for a server's own request, which comes alone. */
	readonly group?: Group;
	/** Whoever brought it tells what becomes of its response. */
	readonly tellsDelivery?: boolean;
	/** The params exactly as the server sent them. */
	readonly params: Json;
}

/** One question of a server to the user, answered exactly once. */
export class Elicitation {
	readonly receivedAt = Date.now();
	/** Resolves once, when it is known what the server is told. Never rejects. */
	readonly reply: Promise<Reply>;
	/** Resolves once, when nothing can happen to it any more. Never rejects. */
	readonly ended: Promise<ElicitationState>;
	#state: ElicitationState = 'asking';
	#history: Step[] = [{ state: 'asking', at: this.receivedAt }];
	#answer: Answer | ErrorReply | undefined;
	#delivery: Delivery | undefined;
	#withdrawal: Sentence | undefined;
	#hold: HoldReason | undefined;
	#unasked: Unasked | undefined;
	#responder: ResponderInfo | undefined;
	#schemaViolation: Sentence | undefined;
	#consulted: ResponderInfo | undefined;
	#consented = false;
	#reply!: (reply: Reply) => void;
	#end!: (state: ElicitationState) => void;
	readonly #changed: (elicitation: Elicitation) => void;
	readonly #deliveryChanged: (elicitation: Elicitation) => void;

	/** Created by the registry, which hears of every change of state through `changed`, and of those of its delivery. */
	constructor(
		readonly id: string,
		readonly request: ElicitationRequest,
		readonly origin: Origin,
		changed: (elicitation: Elicitation) => void,
		deliveryChanged: (elicitation: Elicitation) => void = () => {},
	) {
		this.#changed = changed;
		this.#deliveryChanged = deliveryChanged;
		this.reply = new Promise((resolve) => {
			this.#reply = resolve;
		});
		this.ended = new Promise((resolve) => {
			this.#end = resolve;
		});
	}

	get state(): ElicitationState {
		return this.#state;
	}

	/** The call that caused it, where that is certain; undefined where it may have been one of several, or none. */
	get cause(): Call | undefined {
		const { calls } = this.origin;
		return calls.length === 1 ? calls[0] : undefined;
	}

	/** True once every call that may have caused it has ended; never where none did. */
	get outlived(): boolean {
		const { calls } = this.origin;
		return calls.length > 0 && calls.every(({ state }) => state !== 'running');
	}

	/** All of its states so far, oldest first. */
	get history(): readonly Step[] {
		return this.#history;
	}

	/** True as long as the user or the server may still act on it. */
	get live(): boolean {
		return this.undecided || this.#state === 'opened';
	}

	/** True as long as nobody has answered it. */
	get undecided(): boolean {
		return this.#state === 'asking' || this.#state === 'held';
	}

	/** Why it is held back; undefined when it is not. */
	get holdReason(): HoldReason | undefined {
		return this.#state === 'held' ? this.#hold : undefined;
	}

	/** Why it was answered without the user having been asked; undefined for all others. */
	get unasked(): Unasked | undefined {
		return this.#unasked;
	}

	/** What the server is told; undefined while asking and when withdrawn. */
	get answer(): Answer | ErrorReply | undefined {
		return this.#answer;
	}

	/** What becomes of the response on its way; undefined where there is none yet, or nobody tells. */
	get delivery(): Delivery | undefined {
		return this.#delivery;
	}

	/** Its response is on its way; for those who do not tell that it always is. */
	send(): Delivery {
		this.#delivery ??= new Delivery(() => this.#onDelivery());
		return this.#delivery;
	}

	/** Who answered it in the user's place; undefined when the user did, or nobody has. */
	get responder(): ResponderInfo | undefined {
		return this.#responder;
	}

	/** What its answer breaks of the schema, where that was sent on purpose: a whole sentence. */
	get schemaViolation(): Sentence | undefined {
		return this.#schemaViolation;
	}

	/** Who is being asked in the user's place now; undefined while the user is, and when it is over. */
	get consulted(): ResponderInfo | undefined {
		return this.#state === 'asking' ? this.#consulted : undefined;
	}

	consult(responder: ResponderInfo | undefined): void {
		this.#consulted = responder;
	}

	/**
	 * Answers with whatever `act` does, in the user's place.
	 * @param misfit what the answer breaks of the schema
	 */
	answerFor(responder: ResponderInfo, act: () => boolean, schemaViolation?: Sentence): boolean {
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

	/** Why it ended without anybody having decided. */
	get withdrawal(): Sentence | undefined {
		return this.#withdrawal;
	}

	/** Keeps it from the user for now. Only before anybody has heard of it, or to change the reason. */
	hold(reason: HoldReason): void {
		if (this.undecided) {
			this.#hold = reason;
			this.#state = 'held';
			this.#history = [{ state: 'held', at: this.receivedAt }];
		}
	}

	/** Shows it to the user after all. */
	release(): boolean {
		return this.#state === 'held' && this.#move('asking');
	}

	/** Sends a form's content. The registry has validated it. */
	accept(content: JsonObject): boolean {
		return this.request.mode === 'form' && this.#settle('accepted', { action: 'accept', content });
	}

	decline(unasked?: Unasked): boolean {
		return this.#settle('declined', { action: 'decline' }, unasked);
	}

	cancel(unasked?: Unasked): boolean {
		return this.#settle('cancelled', { action: 'cancel' }, unasked);
	}

	/** The page was accepted: the user consented and it was really handed to the browser (U08), or a auto-responder said so. */
	opened(): boolean {
		this.#consented ||= this.request.mode === 'url' && this.undecided && this.#responder === undefined;
		return this.request.mode === 'url' && this.#settle('opened', { action: 'accept' });
	}

	/** True once the user has consented to this very URL. What was accepted in their place is no consent to open it. */
	get consented(): boolean {
		return this.#consented;
	}

	/** The user consented to the page although it was accepted in their place. */
	consent(): void {
		this.#consented ||= this.#state === 'opened';
	}

	/** The server says that the interaction is over. Before a decision this closes the question: no consent is inferred. */
	complete(): boolean {
		if (this.request.mode !== 'url') {
			return false;
		}
		return this.#state === 'opened' ? this.#move('completed') : this.#settle('completed', { action: 'cancel' });
	}

	/** The user did not wait for the completion and had the call retried. */
	retried(): boolean {
		return this.#state === 'opened' && this.#move('retried');
	}

	/** The user no longer waits for the completion. */
	giveUp(): boolean {
		return this.#state === 'opened' && this.#move('givenUp');
	}

	/** Answers with a JSON-RPC error instead. */
	fail(code: number, message: string): boolean {
		return this.#settle('failed', { action: 'error', code, message });
	}

	/** The calls that may have caused it have been taken back: the server is told so, unless it has its response (D03). */
	abandon(reason: Sentence): boolean {
		if (!this.undecided) {
			return this.withdraw(reason);
		}
		this.#withdrawal = reason;
		return this.cancel();
	}

	/** The request is gone (A02): nothing is sent any more. */
	withdraw(reason: Sentence): boolean {
		if (!this.live) {
			return false;
		}
		this.#withdrawal = reason;
		this.#reply({ action: 'withdrawn', reason });
		return this.#move('withdrawn');
	}

	#settle(state: ElicitationState, answer: Answer | ErrorReply, unasked?: Unasked): boolean {
		if (!this.undecided) {
			return false;
		}
		this.#answer = answer;
		this.#unasked = unasked;
		if (this.origin.tellsDelivery) {
			this.send();
		}
		this.#reply(answer);
		return this.#move(state);
	}

	#move(state: ElicitationState): boolean {
		this.#state = state;
		this.#history.push({ state, at: Date.now() });
		if (!this.live) {
			this.#end(state);
		}
		this.#changed(this);
		return true;
	}

	/** Only what went wrong is worth a step, and what came after that. */
	#onDelivery(): void {
		const state = this.#delivery?.state;
		const last = this.#history.at(-1)?.state;
		if (
			state &&
			state !== last &&
			(state === 'undelivered' || this.#history.some((step) => step.state === 'undelivered'))
		) {
			this.#history.push({ state, at: Date.now() });
		}
		this.#deliveryChanged(this);
	}
}
