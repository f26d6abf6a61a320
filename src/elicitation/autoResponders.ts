import type { Elicitation, ElicitationResponse } from './elicitation.ts';
import { type Disposable, Emitter } from './emitter.ts';
import { type Validator, type Violation, violationText } from './form/validate.ts';
import type { ResponderInfo } from './responderInfo.ts';
import { localizable, type Sentence } from './sentence.ts';

/** Hands the elicitation over to the user because the auto-responder cannot respond. */
export interface Referral {
	readonly action: 'refer';
	/** Complete sentence shown to the user. */
	readonly reason: Sentence;
}

/** Responds to elicitations in the user's place. */
export interface AutoResponder {
	readonly responder: ResponderInfo;
	/**
	 * Returns the response, or undefined to pass the elicitation on to the next auto-responder and finally to the user.
	 * `signal` aborts when the elicitation ends, the user takes it over, or `released` aborts.
	 */
	respond(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationResponse | Referral | undefined>;
	/** Aborts when it may not respond any more to the elicitations that it is asked for now. */
	readonly released?: AbortSignal;
	/** Called when the response was sent, or is not going to be. */
	ended?(elicitation: Elicitation): void;
}

/** An auto-responder's response that was not sent. The user is asked instead. */
export interface RejectedResponse {
	readonly elicitation: Elicitation;
	readonly responder: ResponderInfo;
	/** Why it was not sent, as a complete sentence. */
	readonly reason: Sentence;
}

/** An elicitation that is currently offered to auto-responders. */
interface Offer {
	readonly abort: AbortController;
	/** Resolves to true if the user does not need to be asked. */
	readonly taken: Promise<boolean>;
}

/** Max number of schema violations in a message. */
const MAX_VIOLATIONS = 3;

/** Order in which auto-responders are asked, by kind. */
const RANKS = { forced: 0, script: 1, extension: 2 } as const satisfies Record<ResponderInfo['kind'], number>;

/** All auto-responders, ordered by kind and then by registration. */
export class AutoResponders {
	readonly #autoResponders: AutoResponder[] = [];
	readonly #offers = new Map<Elicitation, Offer>();
	readonly #consulted = new Emitter<Elicitation>();
	readonly #rejected = new Emitter<RejectedResponse>();

	/** Fires when an auto-responder is asked, and when none is asked any more. */
	readonly onDidConsult = this.#consulted.event;
	readonly onDidReject = this.#rejected.event;

	constructor(private readonly validator: Validator) {}

	get isEmpty(): boolean {
		return this.#autoResponders.length === 0;
	}

	add(autoResponder: AutoResponder): Disposable {
		const rank = RANKS[autoResponder.responder.kind];
		// From the end, because a file of a workspace may hold tens of thousands of scripts.
		const last = this.#autoResponders.findLastIndex(({ responder }) => RANKS[responder.kind] <= rank);
		this.#autoResponders.splice(last + 1, 0, autoResponder);
		return {
			dispose: () => {
				const at = this.#autoResponders.indexOf(autoResponder);
				if (at >= 0) {
					this.#autoResponders.splice(at, 1);
				}
			},
		};
	}

	/**
	 * Resolves to true if the user does not need to be asked: an auto-responder responded, or the elicitation ended.
	 * Sampling requests are always for the user.
	 */
	offer(elicitation: Elicitation): Promise<boolean> {
		return this.#begin(elicitation, elicitation.request.mode === 'sampling' ? [] : [...this.#autoResponders]);
	}

	/**
	 * Offers the elicitation to this auto-responder only, even if others were asked before. The user can take it over.
	 */
	async assign(elicitation: Elicitation, autoResponder: AutoResponder): Promise<void> {
		// Another one may be assigned at the same time: only the last one may respond.
		while (this.#offers.has(elicitation)) {
			await this.takeOver(elicitation);
		}
		if (elicitation.state === 'asking') {
			await this.#begin(elicitation, [autoResponder]);
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

	/** Hands the elicitation to the user. Late responses of auto-responders are ignored. */
	async takeOver(elicitation: Elicitation): Promise<void> {
		const offer = this.#offers.get(elicitation);
		offer?.abort.abort();
		await offer?.taken;
	}

	/**
	 * Responds in the user's place. Content that violates the schema is sent only if it is forced, and is marked as
	 * such. Resolves to the reason if the response was rejected.
	 * @param signal prevents sending once it has aborted
	 */
	async respond(
		elicitation: Elicitation,
		responder: ResponderInfo,
		decision: ElicitationResponse,
		signal?: AbortSignal,
	): Promise<Sentence | undefined> {
		const schemaViolation = await this.schemaViolationOf(elicitation, decision);
		if (signal?.aborted) {
			return undefined;
		}
		if (schemaViolation && responder.kind !== 'forced') {
			return schemaViolation;
		}
		elicitation.respondFor(responder, () => elicitation.respond(decision), schemaViolation);
		return undefined;
	}

	/** Describes the schema violations of a response as a complete sentence; undefined if there are none. */
	async schemaViolationOf(
		{ request, origin }: Elicitation,
		decision: ElicitationResponse,
	): Promise<Sentence | undefined> {
		if (decision.action === 'malformed') {
			return localizable('What was sent is no response to this request.');
		}
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
		for (const autoResponder of autoResponders) {
			this.#consult(elicitation, autoResponder.responder);
			const reason = await this.#try(autoResponder, elicitation, signal);
			if (elicitation.state !== 'asking') {
				return true;
			}
			if (reason) {
				this.#rejected.fire({ elicitation, responder: autoResponder.responder, reason });
				return false;
			}
			if (signal.aborted) {
				return false;
			}
		}
		return false;
	}

	/** Resolves to the reason if it failed. Resolves to undefined if it responded, passed, or is too late. */
	async #try(
		autoResponder: AutoResponder,
		elicitation: Elicitation,
		offered: AbortSignal,
	): Promise<Sentence | undefined> {
		const { released } = autoResponder;
		const signal = released ? AbortSignal.any([offered, released]) : offered;
		try {
			const decision = await unlessAborted(autoResponder.respond(elicitation, signal), signal);
			if (decision?.action === 'refer') {
				return decision.reason;
			}
			return decision && (await this.respond(elicitation, autoResponder.responder, decision, signal));
		} catch (error) {
			return localizable('It failed: {0}', textOfError(error));
		} finally {
			autoResponder.ended?.(elicitation);
		}
	}

	#consult(elicitation: Elicitation, responder: ResponderInfo | undefined): void {
		elicitation.consult(responder);
		this.#consulted.fire(elicitation);
	}
}

/** Resolves with the promise's value, or with undefined once the signal aborts. */
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

/** The error's message. Extensions can throw anything, even what cannot be converted to text. */
function textOfError(error: unknown): string {
	try {
		return String(error instanceof Error ? error.message : error);
	} catch {
		return typeof error;
	}
}

/** Describes the first violations as a complete sentence. */
function schemaViolationText(violations: readonly Violation[]): Sentence {
	const sentences = violations.slice(0, MAX_VIOLATIONS).map(violationText);
	return sentences.reduce(
		(all, each) => localizable('{0} {1}', all, each),
		localizable("Its response does not match the server's schema."),
	);
}
