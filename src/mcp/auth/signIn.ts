import { UnauthorizedError } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import type { InsecureUrls } from '../../elicitation/url/urlSafety.ts';
import type { Secrets } from '../../privacy/secrets.ts';

/** A secret that is stored across windows. */
export interface Secret {
	read(): PromiseLike<string | undefined>;
	write(value: string): PromiseLike<void>;
	remove(): PromiseLike<void>;
}

/** A redirect target for the authorization server, valid while it is open. */
export interface Redirect {
	/** Sent to the authorization server verbatim. */
	readonly url: string;
	/** Resolves to the query of the redirect that carries this state. Rejects when the signal aborts. */
	answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
	dispose(): void;
}

/** What the user sees before anything is requested from the authorization server. */
export interface SignInRequest {
	/** The configured name of the server. */
	readonly server: string;
	readonly serverUrl: string;
	/** The issuer identifier of the authorization server, a URL. */
	readonly issuer: string;
	/** The authorization page, with its own query but without the parameters that we add. */
	readonly page: string;
	/** Where the code is exchanged for tokens. */
	readonly tokenEndpoint: string;
	/** Where this client registers itself; absent if it doesn't. */
	readonly registrationEndpoint?: string;
	/** Where tokens are revoked when the user signs out; absent if they aren't. */
	readonly revocationEndpoint?: string;
	/** Requested scopes; empty for the authorization server's default. */
	readonly scopes: readonly string[];
	/** The requested scopes that no earlier sign-in there granted. */
	readonly newScopes: readonly string[];
}

/** A page to open verbatim. */
export interface Visit {
	/** The configured name of the server. */
	readonly server: string;
	readonly url: string;
	/** Returned with the redirect. */
	readonly state: string;
}

/** What the user needs to know to enter the id of a client that is registered at an authorization server. */
export interface ClientRequest {
	/** The configured name of the server. */
	readonly server: string;
	/** The issuer identifier of the authorization server, a URL. */
	readonly issuer: string;
	/** Where the client has to return to. */
	readonly redirectUrl: string;
	/** Why this client could not register itself, in the words of the authorization server; absent if it doesn't register any. */
	readonly refusal?: string;
}

/** Why there was no redirect: the user declined, the browser didn't open, the user stopped waiting, or the time ran out. */
export type NoAnswer = 'declined' | 'unopened' | 'abandoned' | 'late';

/** What a sign-in needs from its host, which is the editor or a test. */
export interface SignIn {
	/** The stored credentials of one server. */
	secret(server: string): Secret;
	consent(request: SignInRequest): Promise<boolean>;
	/**
	 * @param issuer the only authorization server whose redirects are accepted (RFC 9700, section 4.4.2)
	 * @param earlier earlier redirect URLs; reusing one saves a registration
	 * @param isOwn whether the client is one that the user has registered
	 */
	redirect(definition: HttpDefinition, issuer: string, earlier: readonly string[], isOwn: boolean): Promise<Redirect>;
	/** Opens the page in the user's browser and waits for the redirect. Rejects when the signal aborts. */
	visit(visit: Visit, redirect: Redirect, signal: AbortSignal): Promise<URLSearchParams | NoAnswer>;
	/**
	 * Prompts for the id of a client that the user has registered. `undefined` means that the user dismissed the prompt, or
	 * that the signal has aborted, which closes it.
	 */
	clientId(request: ClientRequest, signal: AbortSignal): Promise<string | undefined>;
	/**
	 * Prompts for the secret of a client that the user registered. An empty string means that it has none, `undefined`
	 * that the user dismissed the prompt, or that the signal has aborted, which closes it.
	 */
	clientSecret(server: string, issuer: string, clientId: string, signal: AbortSignal): Promise<string | undefined>;
}

/** What sign-ins need from the rest of the extension. */
export interface SignInContext {
	readonly signIn: SignIn;
	/** Secrets added here are redacted everywhere. */
	readonly trace: { readonly privacy: { readonly configured: Pick<Secrets, 'add'> } };
	log(server: string): { info(line: string): void };
	/** Which `http:` pages may be opened. */
	allowInsecureUrls(): InsecureUrls;
}

/** What a server that refuses a request requires. */
export interface AuthChallenge {
	readonly scope?: string;
	readonly resourceMetadataUrl?: URL;
	/** The user is signed in, but lacks scopes for this request. */
	readonly stepUp?: boolean;
}

/** A request was refused and only the user can resolve it. Thrown through the SDK, which passes it on unchanged. */
export class SignInNeeded extends UnauthorizedError {
	constructor(readonly challenge: AuthChallenge) {
		super('The server demands a sign-in.');
	}
}
