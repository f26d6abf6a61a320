import type { Call } from './call.ts';
import type { Json, JsonObject } from './json.ts';
import type { ElicitationRequest } from './request.ts';
import type { Sentence } from './sentence.ts';

/** The person's answer, in the specification's words. `content` only with an accept in form mode (F13). */
export type Answer =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

/** What goes back to the server: an answer, or nothing because the request is gone. */
export type Reply = Answer | { readonly action: 'withdrawn'; readonly reason: Sentence };

/**
 * Form: asking → accepted | declined | cancelled. URL: asking → declined | cancelled, or asking → opened → completed |
 * retried | givenUp. `completed` straight from asking: the server said so before the person had decided.
 * Every live state can become withdrawn.
 */
export type ElicitationState =
	| 'asking'
	| 'accepted'
	| 'declined'
	| 'cancelled'
	| 'opened'
	| 'completed'
	| 'retried'
	| 'givenUp'
	| 'withdrawn';

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
	/** The params exactly as the server sent them. */
	readonly params: Json;
}

/** One question of a server to the person, answered exactly once. */
export class Elicitation {
	readonly receivedAt = Date.now();
	/** Resolves once, when it is known what the server is told. Never rejects. */
	readonly reply: Promise<Reply>;
	/** Resolves once, when nothing can happen to it any more. Never rejects. */
	readonly ended: Promise<ElicitationState>;
	#state: ElicitationState = 'asking';
	#answer: Answer | undefined;
	#withdrawal: Sentence | undefined;
	#reply!: (reply: Reply) => void;
	#end!: (state: ElicitationState) => void;
	readonly #changed: (elicitation: Elicitation) => void;

	/** Created by the registry, which hears of every change of state through `changed`. */
	constructor(
		readonly id: string,
		readonly request: ElicitationRequest,
		readonly origin: Origin,
		changed: (elicitation: Elicitation) => void,
	) {
		this.#changed = changed;
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

	/** True as long as the person or the server may still act on it. */
	get live(): boolean {
		return this.#state === 'asking' || this.#state === 'opened';
	}

	/** What the server was told; undefined while asking and when withdrawn. */
	get answer(): Answer | undefined {
		return this.#answer;
	}

	/** Why it was withdrawn. */
	get withdrawal(): Sentence | undefined {
		return this.#withdrawal;
	}

	/** Sends a form's content. The registry has validated it. */
	accept(content: JsonObject): boolean {
		return this.request.mode === 'form' && this.#settle('accepted', { action: 'accept', content });
	}

	decline(): boolean {
		return this.#settle('declined', { action: 'decline' });
	}

	cancel(): boolean {
		return this.#settle('cancelled', { action: 'cancel' });
	}

	/** The person consented and the page was really handed to the browser (U08). */
	opened(): boolean {
		return this.request.mode === 'url' && this.#settle('opened', { action: 'accept' });
	}

	/** The server says that the interaction is over. Before a decision this closes the question: no consent is inferred. */
	complete(): boolean {
		if (this.request.mode !== 'url') {
			return false;
		}
		return this.#state === 'opened' ? this.#move('completed') : this.#settle('completed', { action: 'cancel' });
	}

	/** The person did not wait for the completion and had the call retried. */
	retried(): boolean {
		return this.#state === 'opened' && this.#move('retried');
	}

	/** The person no longer waits for the completion. */
	giveUp(): boolean {
		return this.#state === 'opened' && this.#move('givenUp');
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

	#settle(state: ElicitationState, answer: Answer): boolean {
		if (this.#state !== 'asking') {
			return false;
		}
		this.#answer = answer;
		this.#reply(answer);
		return this.#move(state);
	}

	#move(state: ElicitationState): boolean {
		this.#state = state;
		if (!this.live) {
			this.#end(state);
		}
		this.#changed(this);
		return true;
	}
}
