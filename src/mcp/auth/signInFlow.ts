import { randomBytes } from 'node:crypto';
import {
	checkResourceAllowed,
	computeScopeUnion,
	discoverAuthorizationServerMetadata,
	discoverOAuthProtectedResourceMetadata,
	exchangeAuthorization,
	type FetchLike,
	type OAuthClientInformationMixed,
	type OAuthServerInfo,
	type OAuthTokens,
	registerClient,
	resourceUrlFromServerUrl,
	startAuthorization,
	validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import { shorten } from '../../elicitation/display.ts';
import { own } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type InsecureUrls, inspectUrl } from '../../elicitation/url/urlSafety.ts';
import { isPassing } from '../http/httpError.ts';
import { Reason } from '../wire/failure.ts';
import type { Account, Credentials } from './credentials.ts';
import { isUnknownClient, MAX_ISSUER, NotSignedIn, Refused, Undescribed, Unregistrable } from './explainSignIn.ts';
import { revoke } from './revocation.ts';
import type { AuthChallenge, Redirect, SignIn, SignInRequest } from './signIn.ts';

export interface FlowContext {
	readonly definition: HttpDefinition;
	readonly credentials: Credentials;
	readonly signIn: SignIn;
	readonly fetch: FetchLike;
	allowInsecureUrls(): InsecureUrls;
	/** Writes a line to the server's log. */
	info(line: string): void;
}

/** An authorization server as described by the MCP server and by its own metadata. */
export interface Found extends OAuthServerInfo {
	readonly issuer: string;
	/** The resource identifier of the server, which tokens are bound to. */
	readonly resource: string | undefined;
}

/** Discovers the authorization server. Not cached, because it may change (SEP-2352). */
export async function discover(
	{ definition, fetch }: Pick<FlowContext, 'definition' | 'fetch'>,
	resourceMetadataUrl: URL | undefined,
): Promise<Found> {
	const resourceMetadata = await describedResource(definition.url, resourceMetadataUrl, fetch);
	const [authorizationServerUrl = new URL('/', definition.url).href] = resourceMetadata?.authorization_servers ?? [];
	const authorizationServerMetadata = await metadataFrom(fetch, (fetchFn) =>
		discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn }),
	);
	const resource = resourceMetadata?.resource;
	if (
		resource !== undefined &&
		!checkResourceAllowed({
			requestedResource: resourceUrlFromServerUrl(definition.url),
			configuredResource: resource,
		})
	) {
		throw new Reason(
			localizable('The server says that it is {0}, which is another address.', shorten(resource, MAX_ISSUER)),
		);
	}
	return {
		authorizationServerUrl,
		...(authorizationServerMetadata && { authorizationServerMetadata }),
		...(resourceMetadata && { resourceMetadata }),
		issuer: authorizationServerMetadata?.issuer ?? authorizationServerUrl,
		resource,
	};
}

/** What the server says about itself, if it does. Servers that don't are their own authorization server. */
function describedResource(
	url: string,
	resourceMetadataUrl: URL | undefined,
	fetch: FetchLike,
): Promise<OAuthServerInfo['resourceMetadata']> {
	const options = resourceMetadataUrl && { resourceMetadataUrl };
	return metadataFrom(fetch, (watched) =>
		discoverOAuthProtectedResourceMetadata(url, options, watched).catch(() => undefined),
	);
}

/**
 * The metadata of a server, if it has any. One that can't be asked at the moment is not taken for one without: the user
 * would sign in somewhere else.
 */
async function metadataFrom<Metadata>(
	fetch: FetchLike,
	read: (fetch: FetchLike) => Promise<Metadata | undefined>,
): Promise<Metadata | undefined> {
	let failure: unknown;
	const watched: FetchLike = async (target, init) => {
		try {
			const response = await fetch(target, init);
			failure ??= isPassing(response.status) ? new Undescribed(String(target), response.status) : undefined;
			return response;
		} catch (error) {
			failure ??= error;
			throw error;
		}
	};
	const metadata = await read(watched).catch((error) => {
		throw failure ?? error;
	});
	if (metadata === undefined && failure !== undefined) {
		throw failure;
	}
	return metadata;
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
	requirePkce(found);
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
	const { definition, credentials, signIn, fetch } = context;
	const { issuer, authorizationServerUrl } = found;
	// The user may have signed in in another window by now.
	credentials.refresh();
	const redirect = await signIn.redirect(definition, issuer, redirectsOf((await credentials.of(issuer)).client));
	// Closed before the exchange: the next sign-in may need its port.
	const visited = await visit(context, found, scope, redirect, signal).finally(() => redirect.dispose());
	const tokens = await exchangeAuthorization(authorizationServerUrl, { ...visited, fetchFn: fetch });
	return { tokens: sendable(tokens), client: visited.clientInformation };
}

/** Sends the user to the authorization server. Resolves to what the returned code is exchanged with. */
async function visit(
	context: FlowContext,
	found: Found,
	scope: string | undefined,
	redirect: Redirect,
	signal: AbortSignal,
): Promise<Parameters<typeof exchangeAuthorization>[1]> {
	const { definition, credentials, signIn } = context;
	const { issuer, authorizationServerUrl, authorizationServerMetadata: metadata, resource } = found;
	const { generation } = credentials;
	const clientInformation = await clientFor(context, found, redirect.url, scope, signal);
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
export function endpointsOf(
	{ definition: { oauth } }: Pick<FlowContext, 'definition'>,
	{ issuer, authorizationServerUrl, authorizationServerMetadata: metadata }: Found,
): Endpoints {
	const at = (path: string) => new URL(path, authorizationServerUrl).href;
	const documented = oauth?.clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true;
	const registration = metadata ? metadata.registration_endpoint : at('/register');
	const revocation = own(metadata, 'revocation_endpoint');
	const endpoints = {
		tokenEndpoint: metadata?.token_endpoint ?? at('/token'),
		...(registration !== undefined &&
			oauth?.clientId === undefined &&
			!documented && { registrationEndpoint: registration }),
		...(typeof revocation === 'string' && { revocationEndpoint: revocation }),
	};
	for (const url of [authorizationServerUrl, issuer, ...consentedEndpoints(endpoints)]) {
		const { reason } = inspectUrl(url, { insecure: 'always' });
		if (reason) {
			throw new Reason(localizable('A URL for signing in is refused: {0}', reason));
		}
	}
	return endpoints;
}

/** The authorization page without the parameters that we add. Throws if it must not be opened. */
function pageOf(
	{ allowInsecureUrls }: FlowContext,
	{ authorizationServerUrl, authorizationServerMetadata: metadata }: Found,
): string {
	const endpoint = metadata?.authorization_endpoint ?? new URL('/authorize', authorizationServerUrl).href;
	const { verdict, reason } = inspectUrl(endpoint, { insecure: allowInsecureUrls() });
	if (verdict === 'refuse') {
		throw new Reason(localizable('The sign-in URL is refused: {0}', reason ?? ''));
	}
	const { href } = new URL(endpoint);
	if (href.length > MAX_PAGE) {
		throw new Reason(
			localizable('The sign-in URL is refused: {0}', localizable('The URL is longer than {0} characters.', MAX_PAGE)),
		);
	}
	return href;
}

/** An authorization server whose metadata doesn't list PKCE must not be used. */
function requirePkce({ authorizationServerMetadata: metadata, issuer }: Found): void {
	if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) {
		throw new Reason(
			localizable('{0} does not say that it protects sign-ins with PKCE (S256).', shorten(issuer, MAX_ISSUER)),
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

/** The client to use: the user's own registration, a metadata document, an earlier registration, or a new one. */
async function clientFor(
	{ definition, credentials, signIn, fetch }: FlowContext,
	{ issuer, authorizationServerUrl, authorizationServerMetadata: metadata }: Found,
	redirectUrl: string,
	scope: string | undefined,
	signal: AbortSignal,
): Promise<OAuthClientInformationMixed> {
	const { clientId, clientMetadataUrl } = definition.oauth ?? {};
	const { client: known } = await credentials.of(issuer);
	signal.throwIfAborted();
	const methods = metadata?.token_endpoint_auth_methods_supported;
	if (clientId !== undefined) {
		if (known?.client_id === clientId) {
			return known;
		}
		const secret = methods?.includes('none')
			? ''
			: await signIn.clientSecret(definition.name, issuer, clientId, signal);
		if (secret === undefined) {
			throw new NotSignedIn('declined', issuer);
		}
		return { client_id: clientId, ...(secret !== '' && { client_secret: secret }) };
	}
	if (clientMetadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true) {
		return { client_id: clientMetadataUrl };
	}
	if (known && comesBackTo(known, redirectUrl)) {
		return known;
	}
	if (metadata && metadata.registration_endpoint === undefined) {
		throw new Unregistrable(issuer);
	}
	return registerClient(authorizationServerUrl, {
		...(metadata && { metadata }),
		clientMetadata: {
			client_name: 'MCP Elicitation',
			redirect_uris: [redirectUrl],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			application_type: 'native',
			// A native app can't keep a secret. If "none" isn't supported, the authorization server decides.
			...(methods?.includes('none') && { token_endpoint_auth_method: 'none' }),
		},
		...(scope !== undefined && { scope }),
		fetchFn: fetch,
	});
}

/** True if a registration includes this redirect URL. */
function comesBackTo(client: OAuthClientInformationMixed, redirectUrl: string): boolean {
	const expires = client.client_secret_expires_at;
	return redirectsOf(client).includes(redirectUrl) && (!expires || expires * 1000 > Date.now());
}

function redirectsOf(client: OAuthClientInformationMixed | undefined): readonly string[] {
	return client && 'redirect_uris' in client ? client.redirect_uris : [];
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
	const iss = answer.get('iss') ?? undefined;
	// Must come before anything else in the response is trusted (RFC 9207).
	validateAuthorizationResponseIssuer({
		iss,
		expectedIssuer: metadata?.issuer ?? (isSame(iss, authorizationServerUrl) ? iss : authorizationServerUrl),
		issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
	});
	const code = answer.get('code');
	if (code === null) {
		throw new Refused(answer.get('error') ?? '', answer.get('error_description') ?? '');
	}
	return { authorizationCode: code, ...(iss !== undefined && { iss }) };
}

/** True if both URLs are equivalent. */
function isSame(one: string | undefined, other: string): boolean {
	return one !== undefined && URL.canParse(one) && new URL(one).href === new URL(other).href;
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
