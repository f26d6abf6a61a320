import type { ResponderInfo } from './autoResponder.ts';
import type { Elicitation } from './elicitation.ts';
import { type Disposable, Emitter } from './emitter.ts';
import type { Validator, Violation } from './form/validate.ts';
import type { JsonObject } from './json.ts';
import { localizable, type Sentence } from './sentence.ts';

/** What is answered in the user's place. An accept to a URL opens nothing. */
export type Decision =
	| { readonly action: 'accept'; readonly content?: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' }
	| { readonly action: 'error'; readonly code: number; readonly message: string };

/** Leaves a question to the user, who is told why: whoever should have answered it cannot. */
export interface Referral {
	readonly action: 'refer';
	/** A whole sentence. */
	readonly reason: Sentence;
}

/** Answers questions in the user's place. */
export interface AutoResponder {
	readonly responder: ResponderInfo;
	/**
	 * What to answer; undefined leaves the question to the next answerer, and in the end to the user. `signal` aborts when the
	 * question is over, or the user has taken it over.
	 */
	answer(elicitation: Elicitation, signal: AbortSignal): Promise<Decision | Referral | undefined>;
}

/** An answer in the user's place that was not sent; the user is asked instead. */
export interface RejectedResponse {
	readonly elicitation: Elicitation;
	readonly responder: ResponderInfo;
	/** Why not, a whole sentence. */
	readonly reason: Sentence;
}

/** A question that is being offered to those who answer in the user's place. */
interface Offer {
	readonly abort: AbortController;
	/** Resolves to whether the user need not be asked. */
	readonly taken: Promise<boolean>;
}

/** How much of what does not fit is told. */
const TOLD = 3;

/** The order in which they are asked. */
const RANKS = { forced: 0, script: 1, extension: 2 } as const satisfies Record<ResponderInfo['kind'], number>;

/** All who answer in the user's place, in the order in which they are asked: by their kind, then by when they came. */
export class AutoResponders {
	readonly #autoResponders: AutoResponder[] = [];
	readonly #offers = new Map<Elicitation, Offer>();
	readonly #consulted = new Emitter<Elicitation>();
	readonly #rejected = new Emitter<RejectedResponse>();

	/** Somebody is being asked, or nobody any more. */
	readonly onDidConsult = this.#consulted.event;
	readonly onDidReject = this.#rejected.event;

	constructor(private readonly validator: Validator) {}

	get none(): boolean {
		return this.#autoResponders.length === 0;
	}

	add(answerer: AutoResponder): Disposable {
		const rank = RANKS[answerer.responder.kind];
		const before = this.#autoResponders.filter(({ responder }) => RANKS[responder.kind] <= rank).length;
		this.#autoResponders.splice(before, 0, answerer);
		return {
			dispose: () => {
				const at = this.#autoResponders.indexOf(answerer);
				if (at >= 0) {
					this.#autoResponders.splice(at, 1);
				}
			},
		};
	}

	/** Resolves to whether the user need not be asked: somebody has answered, or the question is over. */
	offer(elicitation: Elicitation): Promise<boolean> {
		return this.#begin(elicitation, [...this.#autoResponders]);
	}

	/** Leaves a question to this answerer alone, whoever was asked before. The user gets it back by taking it over. */
	async assign(elicitation: Elicitation, answerer: AutoResponder): Promise<void> {
		await this.takeOver(elicitation);
		if (elicitation.state === 'asking') {
			await this.#begin(elicitation, [answerer]);
		}
	}

	#begin(elicitation: Elicitation, autoResponders: readonly AutoResponder[]): Promise<boolean> {
		const abort = new AbortController();
		void elicitation.ended.then(() => abort.abort());
		const taken = this.#offer(elicitation, autoResponders, abort.signal).finally(() => {
			this.#offers.delete(elicitation);
			this.#consult(elicitation, undefined);
		});
		this.#offers.set(elicitation, { abort, taken });
		return taken;
	}

	/** The user answers it, whoever is being asked in their place: what those say comes too late. */
	async takeOver(elicitation: Elicitation): Promise<void> {
		const offer = this.#offers.get(elicitation);
		offer?.abort.abort();
		await offer?.taken;
	}

	/**
	 * Answers in the user's place. An accept that the schema does not allow is sent only when it is forced, and marked. Resolves
	 * to why nothing was sent, if that was wrong.
	 * @param signal keeps it from being sent once it has aborted
	 */
	async answer(
		elicitation: Elicitation,
		responder: ResponderInfo,
		decision: Decision,
		signal?: AbortSignal,
	): Promise<Sentence | undefined> {
		const schemaViolation = await this.schemaViolationOf(elicitation, decision);
		if (schemaViolation && responder.kind !== 'forced') {
			return schemaViolation;
		}
		if (!signal?.aborted) {
			elicitation.answerFor(responder, () => apply(elicitation, decision), schemaViolation);
		}
		return undefined;
	}

	/** What of a decision the schema does not allow, a whole sentence; undefined where nothing is wrong with it. */
	async schemaViolationOf({ request, origin }: Elicitation, decision: Decision): Promise<Sentence | undefined> {
		if (decision.action !== 'accept' || request.mode !== 'form') {
			return undefined;
		}
		const verdict = await this.validator.validate(request.requestedSchema, decision.content ?? {}, origin.server);
		return verdict.status === 'invalid' ? schemaViolationText(verdict.violations) : undefined;
	}

	async #offer(
		elicitation: Elicitation,
		autoResponders: readonly AutoResponder[],
		signal: AbortSignal,
	): Promise<boolean> {
		for (const answerer of autoResponders) {
			this.#consult(elicitation, answerer.responder);
			const reason = await this.#try(answerer, elicitation, signal);
			if (elicitation.state !== 'asking') {
				return true;
			}
			if (reason) {
				this.#rejected.fire({ elicitation, responder: answerer.responder, reason });
				return false;
			}
			if (signal.aborted) {
				return false;
			}
		}
		return false;
	}

	/** Resolves to what went wrong; nothing did where it has answered, leaves the question to others, or comes too late. */
	async #try(answerer: AutoResponder, elicitation: Elicitation, signal: AbortSignal): Promise<Sentence | undefined> {
		try {
			const decision = await unlessAborted(answerer.answer(elicitation, signal), signal);
			if (decision?.action === 'refer') {
				return decision.reason;
			}
			return decision && (await this.answer(elicitation, answerer.responder, decision, signal));
		} catch (error) {
			return localizable('It failed: {0}', error instanceof Error ? error.message : String(error));
		}
	}

	#consult(elicitation: Elicitation, responder: ResponderInfo | undefined): void {
		elicitation.consult(responder);
		this.#consulted.fire(elicitation);
	}
}

/** What the promise brings; undefined once the signal has aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	return new Promise((resolve, reject) => {
		const abort = () => resolve(undefined);
		signal.addEventListener('abort', abort, { once: true });
		promise
			.then((value) => resolve(signal.aborted ? undefined : value), reject)
			.finally(() => {
				signal.removeEventListener('abort', abort);
			});
	});
}

/** What does not fit, as far as that is told: a whole sentence. */
function schemaViolationText(violations: readonly Violation[]): Sentence {
	const told = violations
		.slice(0, TOLD)
		.map(({ path, message }) => (path === '' ? message : localizable('{0}: {1}', path, message)));
	return told.reduce(
		(all, each) => localizable('{0} {1}', all, each),
		localizable('Its answer does not fit what the server asks for.'),
	);
}

function apply(elicitation: Elicitation, decision: Decision): boolean {
	switch (decision.action) {
		case 'accept':
			return elicitation.request.mode === 'form' ? elicitation.accept(decision.content ?? {}) : elicitation.opened();
		case 'decline':
			return elicitation.decline();
		case 'cancel':
			return elicitation.cancel();
		case 'error':
			return elicitation.fail(decision.code, decision.message);
	}
}
