import { UnauthorizedError } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import type { Secrets } from '../../trace/secrets.ts';

/** A secret that outlives the window. */
export interface Secret {
	read(): PromiseLike<string | undefined>;
	write(value: string): PromiseLike<void>;
	remove(): PromiseLike<void>;
}

/** A place to which the browser comes back from the authorization server, as long as it is open. */
export interface Redirect {
	/** Goes to the authorization server as it is. */
	readonly url: string;
	/** Resolves to the query with which the browser comes back, once it carries this state. Rejects when the signal aborts. */
	answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
	dispose(): void;
}

/** Who wants what from whom: what the user sees before anything is asked of the authorization server. */
export interface SignInRequest {
	/** The server's configured name. */
	readonly server: string;
	readonly serverUrl: string;
	/** The authorization server's name for itself, a URL. */
	readonly issuer: string;
	/** The page that will be opened, with its own query but without the parameters that we add. */
	readonly page: string;
	/** Where the answer is redeemed for tokens. */
	readonly tokenEndpoint: string;
	/** Where this client would register itself; absent where it does not. */
	readonly registrationEndpoint?: string;
	/** What is asked for; empty: whatever the authorization server gives by default. */
	readonly scopes: readonly string[];
	/** What of it was not granted by an earlier sign-in there. */
	readonly newScopes: readonly string[];
}

/** A page to open, byte for byte. */
export interface Visit {
	/** The server's configured name. */
	readonly server: string;
	readonly url: string;
	/** Comes back with the answer. */
	readonly state: string;
}

/** Why there is no answer: the user said no, the browser did not open, the user no longer waited, or nobody came back in time. */
export type NoAnswer = 'declined' | 'unopened' | 'abandoned' | 'late';

/** What a sign-in needs of the world around: the editor's part, or a test's. */
export interface SignIn {
	/** What is kept of the sign-ins to one server. */
	secret(server: string): Secret;
	consent(request: SignInRequest): Promise<boolean>;
	/**
	 * @param issuer whose place it is: what another authorization server sends there is not taken (RFC 9700, section 4.4.2)
	 * @param earlier where the browser came back to before: the same place again spares a registration
	 */
	redirect(definition: HttpDefinition, issuer: string, earlier: readonly string[]): Promise<Redirect>;
	/** Opens the page in the user's browser and waits for the answer. Rejects when the signal aborts. */
	visit(visit: Visit, redirect: Redirect, signal: AbortSignal): Promise<URLSearchParams | NoAnswer>;
	/** Asks for the secret of a client that the user registered themselves. Empty: it has none. Undefined: not told. */
	clientSecret(server: string, issuer: string, clientId: string): Promise<string | undefined>;
}

/** What the rest of the extension gives to sign-ins. */
export interface SignInContext {
	readonly signIn: SignIn;
	/** Its secrets are hidden wherever they might turn up. */
	readonly trace: { readonly secrets: Pick<Secrets, 'add'> };
	log(server: string): { info(line: string): void };
	/** Where `http:` pages may be opened. */
	allowInsecureUrls(): 'never' | 'loopback' | 'always';
}

/** What a server that refuses a request wants to see. */
export interface AuthChallenge {
	readonly scope?: string;
	readonly resourceMetadataUrl?: URL;
	/** The user is signed in, but not for this. */
	readonly stepUp?: boolean;
}

/** A request was refused, and only the user can help: thrown through the SDK, which hands it on as it is. */
export class SignInNeeded extends UnauthorizedError {
	constructor(readonly challenge: AuthChallenge) {
		super('The server demands a sign-in.');
	}
}
