import {
	type AuthProvider,
	extractWWWAuthenticateParams,
	InsufficientScopeError,
	isStrictScopeSuperset,
	SdkErrorCode,
	SdkHttpError,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { orAborted } from '../../elicitation/abort.ts';
import type { Clock } from '../../elicitation/clock.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { Failure } from '../wire/failure.ts';
import { authFetch } from './authFetch.ts';
import { Credentials } from './credentials.ts';
import { explainSignIn } from './explainSignIn.ts';
import { renew, revoke } from './renewal.ts';
import { type AuthChallenge, type SignInContext, SignInNeeded } from './signIn.ts';
import { type FlowContext, runSignIn } from './signInFlow.ts';

/** One operation leads to no more sign-ins than this: first, and for more scopes. */
const MAX_SIGN_INS = 3;

/** What an operation lets happen to itself while the user signs in. */
export interface Waiting {
	readonly signal?: AbortSignal;
	/** Stopped meanwhile: the user, not the server, is expected to act (A04). */
	readonly clock?: Pick<Clock, 'pause' | 'resume'>;
}

/** One sign-in, and all operations that wait for it. */
interface Flow {
	readonly done: Promise<{ readonly scope: string | undefined }>;
	readonly abort: AbortController;
	waiting: number;
}

/**
 * The authorization of one HTTP server: shows its token with every request, renews it silently, and asks the user to sign in
 * where that is not enough. Never in the middle of a request, whose clock would run: the request fails, the user signs in, the
 * operation is run again.
 */
export class Authorization {
	readonly #credentials: Credentials;
	readonly #flowContext: FlowContext;
	/** Counts the sign-ins: an operation that was refused before the last one tries again before it asks. */
	#signIns = 0;
	/** Counts the stops of the server: what was on its way by then leads to no sign-in any more. */
	#stops = 0;
	#renewal: Promise<void> | undefined;
	#flow: Flow | undefined;
	/** What was demanded last, for refusals that do not tell. */
	#challenge: AuthChallenge = {};

	/** For the SDK's transports. */
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
	 * @param server whose sign-in it is
	 * @param changed told when the user is signed in or out
	 */
	constructor(
		private readonly definition: HttpDefinition,
		context: SignInContext,
		server: string,
		private readonly changed: () => void,
	) {
		const { signIn } = context;
		this.#credentials = new Credentials(definition, signIn.secret(server), context.trace.secrets);
		this.#flowContext = {
			definition,
			credentials: this.#credentials,
			signIn,
			fetch: authFetch(definition),
			allowInsecureUrls: () => context.allowInsecureUrls(),
			info: (line) => context.log(definition.name).info(line),
		};
	}

	/** The authorization server at which the user is signed in. */
	get issuer(): string | undefined {
		return this.#credentials.current;
	}

	/** Runs an operation; where the server demands a sign-in, or one for more, the user is asked and it is run again. */
	async guard<T>(operation: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
		const asked: (string | undefined)[] = [];
		const stops = this.#stops;
		for (;;) {
			const before = this.#signIns;
			try {
				return await operation();
			} catch (error) {
				const challenge = this.#challengeOf(error);
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

	/** The server is stopped: ends a sign-in that is under way, and keeps what is on its way from beginning one. */
	abort(): void {
		this.#stops++;
		this.#end(
			new Failure(
				this.definition.name,
				localizable('The server was stopped while it was starting.'),
				localizable('Start it again.'),
			),
		);
	}

	/** Forgets everything, and says so to the authorization server where it wants to know. Never rejects for its sake. */
	async signOut(): Promise<void> {
		this.abort();
		const before = await this.#credentials.signedIn();
		await this.#credentials.forget();
		this.changed();
		if (before) {
			await revoke(this.#flowContext, before.issuer, before.account);
		}
	}

	/** What the server wants, if the user can help. */
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
		// Renewed, and refused all the same.
		return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication
			? this.#challenge
			: undefined;
	}

	/** A server that is not content with what it was given would not be so the next time. */
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

	/** Waits for the one sign-in that is under way, or begins it. Resolves to the scopes that were asked for. */
	async #afterSignIn(challenge: AuthChallenge, { signal, clock }: Waiting): Promise<string | undefined> {
		const flow = this.#flow ?? this.#begin(challenge);
		flow.waiting++;
		const pause = {};
		clock?.pause(pause);
		try {
			return (await (signal ? orAborted(flow.done, signal) : flow.done)).scope;
		} finally {
			clock?.resume(pause);
			flow.waiting--;
			if (flow.waiting === 0 && flow === this.#flow) {
				this.#end(new DOMException('Nobody waits for the sign-in any more.', 'AbortError'));
			}
		}
	}

	/** Who wants to sign in from now on begins anew. */
	#end(reason: Error): void {
		this.#flow?.abort.abort(reason);
		this.#flow = undefined;
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
					this.#flow = undefined;
				}
			});
		const flow: Flow = { done, abort, waiting: 0 };
		this.#flow = flow;
		return flow;
	}
}
