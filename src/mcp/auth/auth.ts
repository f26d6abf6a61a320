import {
	type AuthProvider,
	extractWWWAuthenticateParams,
	InsufficientScopeError,
	isStrictScopeSuperset,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import type { Clock } from '../../elicitation/clock.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { HttpError, httpErrorIn } from '../http/httpError.ts';
import { Failure, stoppedWhileStarting } from '../wire/failure.ts';
import { authFetch } from './authFetch.ts';
import { Credentials } from './credentials.ts';
import { discover } from './discovery.ts';
import { explainSignIn } from './explainSignIn.ts';
import { renew } from './renewal.ts';
import { revoke } from './revocation.ts';
import { type AuthChallenge, type SignInContext, SignInNeeded } from './signIn.ts';
import { type FlowContext, runSignIn } from './signInFlow.ts';

/** Max sign-ins per operation: the first one and those for more scopes. */
const MAX_SIGN_INS = 3;

/** What happens to an operation while the user signs in. */
export interface Waiting {
	readonly signal?: AbortSignal;
	/** Paused during the sign-in, because the user has to act, not the server (A04). */
	readonly clock?: Pick<Clock, 'pause' | 'resume'>;
	/** Whether it is run again in a new session if the session has ended. */
	readonly renews?: boolean;
}

/** One sign-in and the operations that wait for it. */
interface Flow {
	readonly done: Promise<{ readonly scope: string | undefined }>;
	readonly abort: AbortController;
	waiting: number;
}

/**
 * The authorization of one HTTP server: sends its token with every request, refreshes it silently, and has the user sign
 * in if that isn't enough. Sign-ins never run within a request, whose timeout would expire: the request fails, the user
 * signs in, and the operation is retried.
 */
export class Authorization {
	readonly #credentials: Credentials;
	readonly #flowContext: FlowContext;
	/** Number of sign-ins. An operation that failed before the latest one is retried before prompting again. */
	#signIns = 0;
	/** Number of times the server was stopped. Operations from before the last stop no longer trigger a sign-in. */
	#stops = 0;
	/** That number when the user was last asked to sign in for a stream. */
	#steppedUp: number | undefined;
	#renewal: Promise<void> | undefined;
	#flow: Flow | undefined;
	/** The clocks of operations that wait for others, which may lead to a sign-in. */
	readonly #onlookers = new Set<NonNullable<Waiting['clock']>>();
	/** The latest challenge, for refusals that carry none. */
	#challenge: AuthChallenge = {};

	/** Passed to the connection. */
	readonly provider: AuthProvider = {
		token: () => this.#credentials.token(),
		onUnauthorized: ({ response }) => {
			const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
			this.#challenge = { ...(scope !== undefined && { scope }), ...(resourceMetadataUrl && { resourceMetadataUrl }) };
			this.#renewal ??= renew(this.#flowContext, this.#challenge).finally(() => {
				this.#renewal = undefined;
			});
			return this.#renewal;
		},
	};

	/**
	 * @param server the server that the sign-in belongs to
	 * @param changed called when the user has signed in or out
	 */
	constructor(
		private readonly definition: HttpDefinition,
		context: SignInContext,
		server: string,
		private readonly changed: () => void,
	) {
		const { signIn } = context;
		this.#credentials = new Credentials(definition, signIn.secret(server), context.trace.privacy.configured);
		this.#flowContext = {
			definition,
			credentials: this.#credentials,
			signIn,
			fetch: authFetch(definition),
			allowInsecureUrls: () => context.allowInsecureUrls(),
			info: (line) => context.log(definition.name).info(line),
		};
	}

	/** The authorization server where the user is signed in. */
	get issuer(): string | undefined {
		return this.#credentials.current;
	}

	/** Runs an operation. If the server requires a sign-in, or more scopes, the user signs in and the operation is retried. */
	async guard<T>(operation: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
		const asked: (string | undefined)[] = [];
		const stops = this.#stops;
		for (;;) {
			const before = this.#signIns;
			try {
				return await operation();
			} catch (error) {
				const challenge = this.#challengeOf(error) ?? (await this.#implied(error, waiting));
				if (!challenge || this.#stops !== stops) {
					throw error;
				}
				if (this.#signIns === before) {
					this.#boundSignIns(asked, challenge, error);
					asked.push(await this.#afterSignIn(challenge, waiting));
				}
			}
		}
	}

	/**
	 * Has the user sign in for the scopes that a stream takes. Only once until the server is stopped, because it could
	 * require that again and again. Rejects if the sign-in fails.
	 */
	async stepUp(error: InsufficientScopeError): Promise<void> {
		const challenge = this.#challengeOf(error);
		if (challenge && this.#steppedUp !== this.#stops) {
			this.#steppedUp = this.#stops;
			await this.#afterSignIn(challenge, {});
		}
	}

	/** Waits for work that may lead to a sign-in, which is the user's time and not that of the clock (A04). */
	async lookOn<T>(clock: NonNullable<Waiting['clock']>, work: Promise<T>): Promise<T> {
		this.#onlookers.add(clock);
		this.#tellOnlookers();
		try {
			return await work;
		} finally {
			this.#onlookers.delete(clock);
			clock.resume(this);
		}
	}

	/** Cancels a running sign-in and keeps pending operations from starting one. Called when the server is stopped. */
	abort(): void {
		this.#stops++;
		this.#end(stoppedWhileStarting(this.definition.name));
	}

	/**
	 * Deletes the credentials and revokes the tokens if the authorization server supports that. A failed revocation
	 * doesn't reject.
	 */
	async signOut(): Promise<void> {
		this.abort();
		const before = await this.#credentials.forget();
		this.changed();
		if (before) {
			await revoke(this.#flowContext, before.issuer, before.account);
		}
	}

	/** The challenge behind an error, if a sign-in can resolve it. */
	#challengeOf(error: unknown): AuthChallenge | undefined {
		if (error instanceof SignInNeeded) {
			return error.challenge;
		}
		if (error instanceof InsufficientScopeError) {
			const { requiredScope: scope, resourceMetadataUrl } = error;
			return {
				stepUp: true,
				...(scope !== undefined && { scope }),
				...(resourceMetadataUrl && { resourceMetadataUrl }),
			};
		}
		// The token was refreshed, and the server still refuses it.
		const isRefused = error instanceof HttpError && error.status === 401 && !error.refusal.endsSession;
		return isRefused ? this.#challenge : undefined;
	}

	/**
	 * A server that refuses a request of a session with status 401, and does not say why, has forgotten the session, or
	 * requires a sign-in. If a token was good enough to begin the session, a new one tells; otherwise, whether the server
	 * offers a sign-in.
	 */
	async #implied(error: unknown, { renews = false }: Waiting): Promise<AuthChallenge | undefined> {
		const { status, refusal } = httpErrorIn(error) ?? {};
		if (status !== 401 || !refusal?.endsSession || (renews && (await this.#credentials.token()) !== undefined)) {
			return undefined;
		}
		const found = await discover(this.#flowContext, undefined).catch(() => undefined);
		return found?.resourceMetadata || found?.authorizationServerMetadata ? {} : undefined;
	}

	/** Prevents loops: a server that rejects a fresh sign-in would reject the next one, too. */
	#boundSignIns(asked: readonly (string | undefined)[], challenge: AuthChallenge, error: unknown): void {
		const last = asked.at(-1);
		if (asked.length === 0 || (asked.length < MAX_SIGN_INS && isStrictScopeSuperset(challenge.scope, last))) {
			return;
		}
		throw new Failure(
			this.definition.name,
			challenge.stepUp
				? localizable('You signed in, but the server still says that you may not do this ({0}).', challenge.scope ?? '')
				: localizable('You signed in, but the server does not accept it.'),
			localizable('Sign out, then start the server and sign in with another account; or ask whoever runs the server.'),
			{ cause: error },
		);
	}

	/** Waits for the running sign-in, or starts one. Resolves to the requested scopes. */
	async #afterSignIn(challenge: AuthChallenge, { signal, clock }: Waiting): Promise<string | undefined> {
		const flow = this.#flow ?? this.#begin(challenge);
		flow.waiting++;
		const pause = {};
		clock?.pause(pause);
		try {
			return (await (signal ? raceAbort(flow.done, signal) : flow.done)).scope;
		} finally {
			clock?.resume(pause);
			flow.waiting--;
			if (flow.waiting === 0 && flow === this.#flow) {
				this.#end(new DOMException('Nobody waits for the sign-in any more.', 'AbortError'));
			}
		}
	}

	/** The next operation starts a new sign-in. */
	#end(reason: Error): void {
		this.#flow?.abort.abort(reason);
		this.#setFlow(undefined);
	}

	#setFlow(flow: Flow | undefined): void {
		this.#flow = flow;
		this.#tellOnlookers();
	}

	#tellOnlookers(): void {
		for (const clock of this.#onlookers) {
			this.#flow ? clock.pause(this) : clock.resume(this);
		}
	}

	#begin(challenge: AuthChallenge): Flow {
		const abort = new AbortController();
		const done = runSignIn(this.#flowContext, challenge, abort.signal)
			.then(
				({ issuer, scope }) => {
					this.#signIns++;
					this.#flowContext.info(`Signed in at ${issuer}.`);
					this.changed();
					return { scope };
				},
				(error) => {
					throw abort.signal.aborted ? abort.signal.reason : explainSignIn(this.definition, error);
				},
			)
			.finally(() => {
				if (this.#flow === flow) {
					this.#setFlow(undefined);
				}
			});
		const flow: Flow = { done, abort, waiting: 0 };
		this.#setFlow(flow);
		return flow;
	}
}
