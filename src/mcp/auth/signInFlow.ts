import { randomBytes } from 'node:crypto';
import {
	computeScopeUnion,
	exchangeAuthorization,
	type FetchLike,
	type OAuthTokens,
	startAuthorization,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import { shorten } from '../../elicitation/display.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type InsecureUrls, whyRefused } from '../../elicitation/url/urlSafety.ts';
import { Failure, Reason } from '../wire/failure.ts';
import type { Account, Credentials } from './credentials.ts';
import { discover, type Found } from './discovery.ts';
import { type Client, readClient, readError } from './documents.ts';
import {
	isOutage,
	isUnknownClient,
	MAX_ISSUER,
	NotSignedIn,
	Refused,
	refusal,
	Unregistered,
	WrongIssuer,
} from './explainSignIn.ts';
import { revoke } from './revocation.ts';
import type { AuthChallenge, SignIn, SignInRequest } from './signIn.ts';

export interface FlowContext {
	readonly definition: HttpDefinition;
	readonly credentials: Credentials;
	readonly signIn: SignIn;
	readonly fetch: FetchLike;
	allowInsecureUrls(): InsecureUrls;
	/** Writes a line to the server's log. */
	info(line: string): void;
}

/** Runs a whole sign-in, from discovery to storing the tokens. Resolves to the issuer and the requested scopes. */
export async function runSignIn(
	context: FlowContext,
	challenge: AuthChallenge,
	signal: AbortSignal,
): Promise<{ issuer: string; scope: string | undefined }> {
	const { definition, credentials, signIn } = context;
	const { generation } = credentials;
	const elsewhere = await signedInElsewhere(credentials, challenge);
	if (elsewhere) {
		return elsewhere;
	}
	const found = await raceAbort(discover(context, challenge.resourceMetadataUrl), signal);
	const { issuer } = found;
	requirePkce(definition, found);
	const { tokens: before } = await credentials.of(issuer);
	const scope = scopeFor(definition, challenge, found, before?.scope);
	const scopes = words(scope);
	const earlier = new Set(words(before?.scope));
	const newScopes = scopes.filter((word) => !earlier.has(word));
	// The new ones are shown once more, unless all are new.
	const shown = newScopes.length < scopes.length ? [...scopes, ...newScopes] : scopes;
	if (shown.join(', ').length > MAX_SCOPES) {
		throw new Reason(
			localizable(
				'It asks for {0} permissions, which are more than can be shown. Name those that you need in "oauth.scopes" of its definition.',
				scopes.length,
			),
		);
	}
	const request = {
		server: definition.name,
		serverUrl: definition.url,
		issuer,
		page: pageOf(context, found),
		...endpointsOf(context, found),
		scopes,
		newScopes,
	};
	const endpoints = consentedEndpoints(request);
	if (!(await raceAbort(signIn.consent(request), signal))) {
		throw new NotSignedIn('declined', issuer);
	}
	const authorization = authorize(context, found, scope, signal);
	try {
		const { tokens, client } = await raceAbort(authorization, signal);
		// If the response has no scope, the requested scopes were granted (RFC 6749, section 5.1).
		const granted = { ...(scope !== undefined && { scope }), ...tokens };
		if (!(await credentials.saveSignIn(issuer, { tokens: granted, client, endpoints }, generation))) {
			signal.throwIfAborted();
			// The user has signed out in another window.
			await revoke(context, issuer, { tokens, client, endpoints });
			throw new NotSignedIn('abandoned', issuer);
		}
		return { issuer, scope };
	} catch (error) {
		if (signal.aborted) {
			void authorization.then(
				(late) => {
					// Tokens that arrive now belong to nobody. Beside earlier ones that are kept, they are left to expire: some
					// authorization servers revoke both.
					return before && credentials.generation === generation
						? undefined
						: revoke(context, issuer, { ...late, endpoints });
				},
				() => {},
			);
		}
		if (isUnknownClient(error)) {
			// The next sign-in starts with a new registration.
			await (error instanceof NotSignedIn
				? credentials.saveClient(issuer, undefined, generation)
				: credentials.save(issuer, { client: undefined }, generation));
		}
		throw error;
	}
}

/** A sign-in in another window that has granted the scopes that the token lacks which this one has sent. */
async function signedInElsewhere(
	credentials: Credentials,
	{ scope, stepUp }: AuthChallenge,
): Promise<{ issuer: string; scope: string } | undefined> {
	const refused = await credentials.token();
	credentials.refresh();
	const { issuer, account } = (await credentials.signedIn()) ?? {};
	const granted = new Set(words(account?.tokens?.scope));
	const isGranted = stepUp && words(scope).every((word) => granted.has(word));
	return isGranted && scope !== undefined && issuer !== undefined && account?.tokens?.access_token !== refused
		? { issuer, scope }
		: undefined;
}

/** Sends the user to the authorization server and exchanges the returned code for tokens. */
async function authorize(
	context: FlowContext,
	found: Found,
	scope: string | undefined,
	signal: AbortSignal,
): Promise<Required<Omit<Account, 'endpoints'>>> {
	const visited = await visit(context, found, scope, signal).catch((error) => {
		// Without metadata, nothing says that there is an authorization server at all.
		if (!(error instanceof Unregistered && found.authorizationServerMetadata) || isOutage(error)) {
			throw error;
		}
		return visit(context, found, scope, signal, error);
	});
	const tokens = await exchangeAuthorization(found.authorizationServerUrl, { ...visited, fetchFn: context.fetch });
	return { tokens: sendable(tokens), client: visited.clientInformation };
}

type Exchange = Parameters<typeof exchangeAuthorization>[1] & { readonly clientInformation: Client };

/**
 * Sends the user to the authorization server. Resolves to what the returned code is exchanged with.
 * @param refused why this client was not registered, so that the user has to name one that is
 */
async function visit(
	context: FlowContext,
	found: Found,
	scope: string | undefined,
	signal: AbortSignal,
	refused?: Unregistered,
): Promise<Exchange> {
	const { definition, credentials, signIn } = context;
	const { issuer, authorizationServerUrl, authorizationServerMetadata: metadata, resource } = found;
	const { generation } = credentials;
	// The user may have signed in in another window by now.
	credentials.refresh();
	const { client: known } = await credentials.of(issuer);
	const isOwn = refused !== undefined || known?.entered === true || !isRegistrable(context, found);
	const redirect = await signIn.redirect(definition, issuer, known?.redirect_uris ?? [], isOwn);
	try {
		const clientInformation = await clientFor(context, found, redirect.url, scope, signal, refused);
		signal.throwIfAborted();
		await credentials.saveClient(issuer, clientInformation, generation);
		const common = { ...(metadata && { metadata }), ...(resource !== undefined && { resource }), clientInformation };
		const state = randomBytes(32).toString('base64url');
		const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
			...common,
			redirectUrl: redirect.url,
			state,
			...(scope !== undefined && { scope }),
		});
		signal.throwIfAborted();
		const page = { server: definition.name, url: authorizationUrl.href, state };
		const answer = await signIn.visit(page, redirect, signal);
		if (typeof answer === 'string') {
			throw new NotSignedIn(answer, issuer);
		}
		return { ...common, ...accepted(answer, state, found), codeVerifier, redirectUri: redirect.url };
	} finally {
		// Before the exchange: the next sign-in may need its port.
		redirect.dispose();
	}
}

/** Max length of the permissions, all of which are shown before the user consents (characters). */
const MAX_SCOPES = 2_000;

/** Max length of a URL that can be shown in full (characters). */
const MAX_PAGE = 1_000;

/** The endpoints of a sign-in, which are fixed by the consent to it. */
type Endpoints = Pick<SignInRequest, 'tokenEndpoint' | 'registrationEndpoint' | 'revocationEndpoint'>;

export function consentedEndpoints({ tokenEndpoint, registrationEndpoint, revocationEndpoint }: Endpoints): string[] {
	return [tokenEndpoint, registrationEndpoint, revocationEndpoint].filter((endpoint) => endpoint !== undefined);
}

/** The endpoints for the remaining steps of a sign-in. Throws if one of its URLs must not be used. */
export function endpointsOf(context: Pick<FlowContext, 'definition'>, found: Found): Endpoints {
	const { issuer, authorizationServerUrl, authorizationServerMetadata: metadata } = found;
	const registration = registrationOf(found);
	const endpoints = {
		tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', authorizationServerUrl).href,
		...(registration !== undefined && isRegistrable(context, found) && { registrationEndpoint: registration }),
		...(metadata?.revocation_endpoint !== undefined && { revocationEndpoint: metadata.revocation_endpoint }),
	};
	for (const url of [authorizationServerUrl, issuer, ...consentedEndpoints(endpoints)]) {
		const reason = whyRefused(url, { insecure: 'always' });
		if (reason) {
			throw new Reason(localizable('A URL for signing in is refused: {0}', reason));
		}
	}
	return endpoints;
}

function registrationOf({ authorizationServerUrl, authorizationServerMetadata: metadata }: Found): string | undefined {
	return metadata ? metadata.registration_endpoint : new URL('/register', authorizationServerUrl).href;
}

/** The metadata document of this client, if the authorization server takes it. */
function documentOf({ oauth }: HttpDefinition, { authorizationServerMetadata: metadata }: Found): string | undefined {
	return metadata?.client_id_metadata_document_supported ? oauth?.clientMetadataUrl : undefined;
}

/** True if nothing says who this client is, and it can be registered. */
function isRegistrable({ definition }: Pick<FlowContext, 'definition'>, found: Found): boolean {
	const isKnown = definition.oauth?.clientId !== undefined || documentOf(definition, found) !== undefined;
	return !isKnown && registrationOf(found) !== undefined;
}

/** The authorization page without the parameters that we add. Throws if it must not be opened. */
function pageOf(
	{ allowInsecureUrls }: FlowContext,
	{ authorizationServerUrl, authorizationServerMetadata: metadata }: Found,
): string {
	const endpoint = metadata?.authorization_endpoint ?? new URL('/authorize', authorizationServerUrl).href;
	const reason = whyRefused(endpoint, { insecure: allowInsecureUrls() });
	if (reason) {
		throw new Reason(localizable('The sign-in URL is refused: {0}', reason));
	}
	const { href } = new URL(endpoint);
	if (href.length > MAX_PAGE) {
		throw new Reason(
			localizable('The sign-in URL is refused: {0}', localizable('The URL is longer than {0} characters.', MAX_PAGE)),
		);
	}
	return href;
}

/** An authorization server whose metadata doesn't list PKCE must not be used (MCP, Authorization Code Protection). */
function requirePkce({ name }: HttpDefinition, { authorizationServerMetadata: metadata, issuer }: Found): void {
	if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) {
		throw new Failure(
			name,
			localizable(
				'{0} does not say that it protects sign-ins with PKCE (S256). MCP allows none without.',
				shorten(issuer, MAX_ISSUER),
			),
			localizable('Tell whoever runs the server, or put a token into "headers" of its definition.'),
			{ definition: [] },
		);
	}
}

/**
 * The scopes to request: the configured ones, else those in the challenge, else those that the server lists. A further
 * sign-in keeps what was granted before.
 */
function scopeFor(
	{ oauth }: HttpDefinition,
	{ scope, stepUp }: AuthChallenge,
	{ resourceMetadata, authorizationServerMetadata }: Found,
	granted: string | undefined,
): string | undefined {
	const first = oauth?.scopes?.join(' ') ?? scope ?? resourceMetadata?.scopes_supported?.join(' ');
	const asked = stepUp ? computeScopeUnion(granted, oauth?.scopes?.join(' '), scope) : computeScopeUnion(first);
	// Some authorization servers issue a refresh token only for this scope (SEP-2207).
	return asked !== undefined && authorizationServerMetadata?.scopes_supported?.includes('offline_access')
		? computeScopeUnion(asked, 'offline_access')
		: asked;
}

/**
 * The client to use, in the order of the specification: the user's own registration, a metadata document, an earlier or a
 * new registration, or one that the user enters.
 * @param refused why this client was not registered
 */
async function clientFor(
	context: FlowContext,
	found: Found,
	redirectUrl: string,
	scope: string | undefined,
	signal: AbortSignal,
	refused: Unregistered | undefined,
): Promise<Client> {
	const { definition, credentials } = context;
	const { client: known } = await credentials.of(found.issuer);
	signal.throwIfAborted();
	const { clientId } = definition.oauth ?? {};
	if (clientId !== undefined) {
		const isPublic = found.authorizationServerMetadata?.token_endpoint_auth_methods_supported?.includes('none');
		return known?.client_id === clientId ? known : ownClient(context, found, clientId, isPublic === true, signal);
	}
	const document = documentOf(definition, found);
	if (document !== undefined) {
		return { client_id: document };
	}
	if (known && (known.entered || comesBackTo(known, redirectUrl))) {
		return known;
	}
	return refused || !isRegistrable(context, found)
		? enteredClient(context, found, redirectUrl, signal, refused)
		: register(context, found, redirectUrl, scope);
}

/** A client that the user has registered. */
async function ownClient(
	{ definition, signIn }: FlowContext,
	{ issuer }: Found,
	id: string,
	isPublic: boolean,
	signal: AbortSignal,
): Promise<Client> {
	const secret = isPublic ? '' : await signIn.clientSecret(definition.name, issuer, id, signal);
	if (secret === undefined) {
		throw new NotSignedIn('declined', issuer);
	}
	return { client_id: id, ...(secret !== '' && { client_secret: secret }) };
}

/** A client that the user has registered and enters now. It is kept for this authorization server. */
async function enteredClient(
	context: FlowContext,
	found: Found,
	redirectUrl: string,
	signal: AbortSignal,
	refused: Unregistered | undefined,
): Promise<Client> {
	const { definition, signIn } = context;
	const { issuer } = found;
	const id = await signIn.clientId(
		{ server: definition.name, issuer, redirectUrl, ...(refused && { refusal: refusal(refused) }) },
		signal,
	);
	signal.throwIfAborted();
	if (id === undefined) {
		throw new NotSignedIn('declined', issuer);
	}
	const client = await ownClient(context, found, id, false, signal);
	return { ...client, redirect_uris: [redirectUrl], entered: true };
}

/** Registers this client (RFC 7591). Throws an Unregistered if the authorization server doesn't want that. */
async function register(
	{ fetch }: FlowContext,
	found: Found,
	redirectUrl: string,
	scope: string | undefined,
): Promise<Client> {
	const methods = found.authorizationServerMetadata?.token_endpoint_auth_methods_supported;
	const response = await fetch(registrationOf(found) ?? '', {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify({
			client_name: 'MCP Elicitation',
			redirect_uris: [redirectUrl],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			application_type: 'native',
			// A native app can't keep a secret. If "none" isn't supported, the authorization server decides.
			...(methods?.includes('none') && { token_endpoint_auth_method: 'none' }),
			...(scope !== undefined && { scope }),
		}),
	});
	const document: unknown = await response.json().catch(() => undefined);
	const client = response.ok ? readClient(document) : undefined;
	if (client === undefined) {
		throw new Unregistered(response.status, readError(document));
	}
	// What was asked for, whatever is repeated of it.
	return { ...client, redirect_uris: [redirectUrl] };
}

/** True if a registration includes this redirect URL. */
function comesBackTo({ redirect_uris, client_secret_expires_at: expires }: Client, redirectUrl: string): boolean {
	return redirect_uris?.includes(redirectUrl) === true && (!expires || expires * 1000 > Date.now());
}

/** Checks that the redirect responds to our request and comes from the authorization server that we sent it to. */
function accepted(
	answer: URLSearchParams,
	state: string,
	{ authorizationServerUrl, authorizationServerMetadata: metadata }: Found,
): { authorizationCode: string; iss?: string } {
	if (answer.get('state') !== state) {
		throw new Reason(localizable('The browser returned the response to another request.'));
	}
	// Must come before anything else in the response is trusted (RFC 9207).
	const iss = answer.get('iss') ?? undefined;
	const { issuer = authorizationServerUrl, authorization_response_iss_parameter_supported: isNeeded } = metadata ?? {};
	// To the letter, unlike the issuers of documents (section 2.4).
	if (iss === undefined ? isNeeded : iss !== issuer) {
		throw new WrongIssuer('response', issuer, iss);
	}
	const code = answer.get('code');
	if (code === null) {
		throw new Refused({ code: answer.get('error') ?? '', description: answer.get('error_description') ?? '' });
	}
	return { authorizationCode: code, ...(iss !== undefined && { iss }) };
}

/** Checks that the token fits in a header. Otherwise every request would fail with an error that quotes it. */
export function sendable(tokens: OAuthTokens): OAuthTokens {
	if (!/^[\x21-\x7e]+$/.test(tokens.access_token)) {
		throw new Reason(localizable('The authorization server gave a token that cannot be sent.'));
	}
	return tokens;
}

function words(scope: string | undefined): string[] {
	return scope?.split(/\s+/).filter(Boolean) ?? [];
}
