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
import { say } from '../../elicitation/sentence.ts';
import { Failure } from '../wire/failure.ts';
import { authFetch } from './authFetch.ts';
import { Credentials } from './credentials.ts';
import { explainSignIn } from './explainSignIn.ts';
import { renew, revoke } from './renewal.ts';
import { type Demand, type SignInContext, SignInNeeded } from './signIn.ts';
import { type FlowContext, runSignIn } from './signInFlow.ts';

/** One operation leads to no more sign-ins than this: first, and for more scopes. */
const MOST_SIGN_INS = 3;

/** What an operation lets happen to itself while the person signs in. */
export interface Waiting {
	readonly signal?: AbortSignal;
	/** Stopped meanwhile: the person, not the server, is expected to act (A04). */
	readonly clock?: Pick<Clock, 'pause' | 'resume'>;
}

/** One sign-in, and all operations that wait for it. */
interface Flow {
	readonly done: Promise<{ readonly scope: string | undefined }>;
	readonly abort: AbortController;
	waiting: number;
}

/**
 * The authorization of one HTTP server: shows its token with every request, renews it silently, and asks the person to sign in
 * where that is not enough. Never in the middle of a request, whose clock would run: the request fails, the person signs in, the
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
	#demand: Demand = {};

	/** For the SDK's transports. */
	readonly provider: AuthProvider = {
		token: () => this.#credentials.token(),
		onUnauthorized: ({ response }) => {
			const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
			this.#demand = { ...(scope !== undefined && { scope }), ...(resourceMetadataUrl && { resourceMetadataUrl }) };
			this.#renewal ??= renew(this.#flowContext, this.#demand).finally(() => {
				this.#renewal = undefined;
			});
			return this.#renewal;
		},
	};

	/**
	 * @param server whose sign-in it is
	 * @param changed told when the person is signed in or out
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

	/** The authorization server at which the person is signed in. */
	get issuer(): string | undefined {
		return this.#credentials.current;
	}

	/** Runs an operation; where the server demands a sign-in, or one for more, the person is asked and it is run again. */
	async guard<T>(operation: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
		const asked: (string | undefined)[] = [];
		const stops = this.#stops;
		for (;;) {
			const before = this.#signIns;
			try {
				return await operation();
			} catch (error) {
				const demand = this.#demandOf(error);
				if (!demand || this.#stops !== stops) {
					throw error;
				}
				if (this.#signIns === before) {
					this.#boundSignIns(asked, demand, error);
					asked.push(await this.#afterSignIn(demand, waiting));
				}
			}
		}
	}

	/** The server is stopped: ends a sign-in that is under way, and keeps what is on its way from beginning one. */
	abort(): void {
		this.#stops++;
		this.#end(
			new Failure(this.definition.name, say('The server was stopped while it was starting.'), say('Start it again.')),
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

	/** What the server wants, if the person can help. */
	#demandOf(error: unknown): Demand | undefined {
		if (error instanceof SignInNeeded) {
			return error.demand;
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
			? this.#demand
			: undefined;
	}

	/** A server that is not content with what it was given would not be so the next time. */
	#boundSignIns(asked: readonly (string | undefined)[], demand: Demand, error: unknown): void {
		const last = asked.at(-1);
		if (asked.length === 0 || (asked.length < MOST_SIGN_INS && isStrictScopeSuperset(demand.scope, last))) {
			return;
		}
		throw new Failure(
			this.definition.name,
			demand.stepUp
				? say('You signed in, but the server still says that you may not do this ({0}).', demand.scope ?? '')
				: say('You signed in, but the server does not accept it.'),
			say('Sign out, then start the server and sign in with another account; or ask whoever runs the server.'),
			{ cause: error },
		);
	}

	/** Waits for the one sign-in that is under way, or begins it. Resolves to the scopes that were asked for. */
	async #afterSignIn(demand: Demand, { signal, clock }: Waiting): Promise<string | undefined> {
		const flow = this.#flow ?? this.#begin(demand);
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

	#begin(demand: Demand): Flow {
		const abort = new AbortController();
		const done = runSignIn(this.#flowContext, demand, abort.signal)
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
