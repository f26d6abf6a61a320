// @ts-check
/**
 * A small authorization server, and an MCP server on the official SDK 2.x that requires its tokens. Common faults of such
 * servers can be switched on.
 *
 *   node authorization.mjs        both, on free ports; the authorization server shows a page with a button (see stdout)
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
	bearerAuthChallengeResponse,
	createMcpHandler,
	getOAuthProtectedResourceMetadataUrl,
	OAuthError,
	OAuthErrorCode,
	requireBearerAuth,
	Server,
} from '@modelcontextprotocol/server';
import { shown, tool } from './content.mjs';

/**
 * How the authorization server behaves. Can be changed while it is running.
 * @typedef {object} Behavior
 * @property {boolean} registration supports dynamic client registration
 * @property {boolean} cimd supports client ID metadata documents
 * @property {string[] | undefined} methods supported client authentication methods
 * @property {'right' | 'wrong' | 'none'} iss the `iss` parameter of its responses
 * @property {boolean} issAdvertised whether its metadata announces `iss`
 * @property {boolean} pkce whether its metadata announces PKCE
 * @property {string[]} scopes supported scopes; empty for no list
 * @property {boolean} refresh issues refresh tokens
 * @property {boolean} revocation supports revocation
 * @property {boolean} page shows a page with a button instead of approving at once
 * @property {string} pages origin of its pages, if different
 * @property {boolean} silent publishes no metadata
 * @property {number} metadataOutage the status of an error page in place of its metadata
 * @property {string} query the query in its authorization endpoint
 * @property {string} tokens URL of its token endpoint, if different
 * @property {string} registrations URL of its registration endpoint, if different
 * @property {string} revocations origin of its revocation endpoint, if different
 * @property {string} refusal the error for every sign-in
 * @property {string} tokenRefusal the error for every token request
 * @property {number} outage the status of an error page in place of every response to a token request
 * @property {Promise<unknown> | undefined} held what responses to token requests wait for
 * @property {string} echo the request parameter to repeat in the description of that error
 * @property {string} issuer the issuer in its metadata
 * @property {string} access the access token to issue instead of a valid one
 * @property {number} unregistered the status with which it refuses to register clients, if it does
 * @property {(to: string, request: object, reply: Reply) => Reply} edit what it replies instead
 */

/** @typedef {{ status: number, body: Record<string, any> }} Reply */

/** @typedef {{ client: string, scopes: string[], kind: 'access' | 'refresh', resource: string | undefined, expired?: boolean }} Grant */

/**
 * @param {Partial<Behavior>} [changes]
 */
export async function authorizationServer(changes = {}) {
	/** @type {Behavior} */
	const behavior = {
		registration: true,
		cimd: false,
		methods: ['none', 'client_secret_basic', 'client_secret_post'],
		iss: 'right',
		issAdvertised: true,
		pkce: true,
		scopes: [],
		refresh: true,
		revocation: true,
		page: false,
		pages: '',
		silent: false,
		metadataOutage: 0,
		query: '',
		tokens: '',
		registrations: '',
		revocations: '',
		refusal: '',
		tokenRefusal: '',
		outage: 0,
		held: undefined,
		echo: '',
		issuer: '',
		access: '',
		unregistered: 0,
		edit: (_to, _request, reply) => reply,
		...changes,
	};
	/** Requests so far: parameters of pages and token requests, bodies of registrations. */
	const seen = {
		/** @type {Record<string, string>[]} */ pages: [],
		/** @type {(Record<string, string> & { authorization?: string })[]} */ tokens: [],
		/** @type {Record<string, any>[]} */ registrations: [],
		/** @type {string[]} */ revoked: [],
		/** @type {Record<string, string | undefined>[]} */ headers: [],
	};
	/** @type {Map<string, Grant>} */
	const grants = new Map();
	/** @type {Map<string, { challenge: string, client: string, redirect: string, scopes: string[], resource: string | undefined }>} */
	const codes = new Map();
	/** @type {Map<string, string | undefined>} secrets by client */
	const clients = new Map();

	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? '', issuer);
		seen.headers.push(/** @type {Record<string, string | undefined>} */ (request.headers));
		/** @param {number} status @param {object} usual */
		const json = (status, usual) => {
			const asked = Object.fromEntries(new URLSearchParams(body));
			const reply = behavior.edit(`${request.method} ${url.pathname}`, asked, { status, body: usual });
			return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
		};
		let body = '';
		for await (const chunk of request) {
			body += chunk;
		}
		switch (`${request.method} ${url.pathname}`) {
			case 'GET /.well-known/oauth-authorization-server':
				if (behavior.metadataOutage) {
					return response
						.writeHead(behavior.metadataOutage, { 'content-type': 'text/html' })
						.end('<h1>Out of order</h1>');
				}
				return behavior.silent ? json(404, { error: 'not_found' }) : json(200, metadata());
			case 'POST /register':
				return register(JSON.parse(body), json);
			case 'GET /authorize':
				return authorize(url, response);
			case 'POST /token':
				if (behavior.outage) {
					return response.writeHead(behavior.outage, { 'content-type': 'text/html' }).end('<h1>Out of order</h1>');
				}
				return token(Object.fromEntries(new URLSearchParams(body)), request.headers.authorization, (status, body) =>
					Promise.resolve(behavior.held).then(() => json(status, body)),
				);
			case 'POST /revoke':
				return revoke(Object.fromEntries(new URLSearchParams(body)), request.headers.authorization, json);
			default:
				return json(404, { error: 'not_found' });
		}
	});
	const issuer = await origin(server);

	const metadata = () => ({
		issuer: behavior.issuer || issuer,
		authorization_endpoint: `${behavior.pages || issuer}/authorize${behavior.query}`,
		token_endpoint: `${behavior.tokens || issuer}/token`,
		response_types_supported: ['code'],
		...(behavior.registration && { registration_endpoint: `${behavior.registrations || issuer}/register` }),
		...(behavior.revocation && { revocation_endpoint: `${behavior.revocations || issuer}/revoke` }),
		...(behavior.cimd && { client_id_metadata_document_supported: true }),
		...(behavior.methods && { token_endpoint_auth_methods_supported: behavior.methods }),
		...(behavior.issAdvertised && { authorization_response_iss_parameter_supported: true }),
		...(behavior.pkce && { code_challenge_methods_supported: ['S256'] }),
		...(behavior.scopes.length > 0 && { scopes_supported: behavior.scopes }),
	});

	/** @param {Record<string, any>} body @param {(status: number, body: object) => void} json */
	function register(body, json) {
		seen.registrations.push(body);
		if (behavior.unregistered) {
			return json(behavior.unregistered, { error: 'access_denied', error_description: 'Ask the administrator.' });
		}
		const id = `client-${randomUUID()}`;
		const secret = body.token_endpoint_auth_method === 'none' ? undefined : `secret-${randomUUID()}`;
		clients.set(id, secret);
		json(201, { ...body, client_id: id, ...(secret && { client_secret: secret, client_secret_expires_at: 0 }) });
	}

	/** @param {URL} url @param {import('node:http').ServerResponse} response */
	function authorize(url, response) {
		const parameters = Object.fromEntries(url.searchParams);
		if (behavior.page && parameters.consent === undefined) {
			const link = (/** @type {string} */ consent) => `${url.search.replaceAll('&', '&amp;')}&amp;consent=${consent}`;
			const page = `<!DOCTYPE html><title>Sign in</title><h1>Who are you?</h1>
				<p><a role="button" href="${link('yes')}">Allow</a> <a role="button" href="${link('no')}">Deny</a>`;
			response.writeHead(200, { 'content-type': 'text/html' }).end(page);
			return;
		}
		seen.pages.push(parameters);
		const { redirect_uri = '', state = '', client_id = '', code_challenge = '', scope = '', resource } = parameters;
		const back = new URL(redirect_uri);
		back.searchParams.set('state', state);
		if (behavior.iss !== 'none') {
			back.searchParams.set(
				'iss',
				behavior.iss === 'right' ? behavior.issuer || issuer : 'https://somebody.else.example',
			);
		}
		const refusal = parameters.consent === 'no' ? 'access_denied' : behavior.refusal;
		if (refusal) {
			back.searchParams.set('error', refusal);
			back.searchParams.set('error_description', 'Not you.');
		} else {
			const code = `code-${randomUUID()}`;
			const scopes = scope.split(' ').filter(Boolean);
			codes.set(code, { challenge: code_challenge, client: client_id, redirect: redirect_uri, scopes, resource });
			back.searchParams.set('code', code);
		}
		response.writeHead(302, { location: back.href }).end();
	}

	/**
	 * @param {Record<string, string>} body
	 * @param {string | undefined} authorization
	 * @param {(status: number, body: object) => void} json
	 */
	function token(body, authorization, json) {
		seen.tokens.push({ ...body, ...(authorization !== undefined && { authorization }) });
		const refuse = (/** @type {string} */ error) =>
			json(400, { error, error_description: `No. ${body[behavior.echo] ?? ''}` });
		if (behavior.tokenRefusal) {
			return refuse(behavior.tokenRefusal);
		}
		const client = authenticated(body, authorization);
		if (client === undefined) {
			return refuse('invalid_client');
		}
		const grant = body.grant_type === 'refresh_token' ? refreshed(body) : redeemed(body);
		if (!grant || grant.client !== client) {
			return refuse('invalid_grant');
		}
		const access = remember({ ...grant, kind: 'access' });
		return json(200, {
			access_token: behavior.access || access,
			token_type: 'Bearer',
			expires_in: 3600,
			...(grant.scopes.length > 0 && { scope: grant.scopes.join(' ') }),
			...(behavior.refresh && { refresh_token: remember({ ...grant, kind: 'refresh' }) }),
		});
	}

	/**
	 * Any token is taken from a client that authenticates itself, except for those of other clients (RFC 7009, section 2).
	 * @param {Record<string, string>} body
	 * @param {string | undefined} authorization
	 * @param {(status: number, body: object) => void} json
	 */
	function revoke(body, authorization, json) {
		const { token = '' } = body;
		const client = authenticated(body, authorization);
		if (client === undefined || (grants.get(token)?.client ?? client) !== client) {
			return json(401, { error: 'invalid_client' });
		}
		seen.revoked.push(token);
		return json(200, {});
	}

	/**
	 * The client that authenticates itself in a way that this server supports, if any does.
	 * @param {Record<string, string>} body
	 * @param {string | undefined} authorization
	 */
	function authenticated(body, authorization) {
		const basic = authorization && Buffer.from(authorization.slice(6), 'base64').toString().split(':');
		const [client = '', secret] = basic ? basic : [body.client_id, body.client_secret];
		const method = basic ? 'client_secret_basic' : secret === undefined ? 'none' : 'client_secret_post';
		const isRight = !clients.has(client) || clients.get(client) === secret;
		return isRight && (behavior.methods?.includes(method) ?? true) ? client : undefined;
	}

	/** @param {Grant} grant */
	function remember(grant) {
		const token = `${grant.kind}-${randomUUID()}`;
		grants.set(token, grant);
		return token;
	}

	/** @param {Record<string, string>} body */
	function redeemed({ code = '', code_verifier = '', redirect_uri }) {
		const found = codes.get(code);
		codes.delete(code);
		const challenge = createHash('sha256').update(code_verifier).digest('base64url');
		return found && found.challenge === challenge && found.redirect === redirect_uri ? found : undefined;
	}

	/**
	 * Refresh tokens are single-use.
	 * @param {Record<string, string>} body
	 */
	function refreshed({ refresh_token = '' }) {
		const found = grants.get(refresh_token);
		grants.delete(refresh_token);
		return found?.kind === 'refresh' && !found.expired ? found : undefined;
	}

	return {
		issuer,
		behavior,
		seen,
		clients,
		/** @type {import('@modelcontextprotocol/server').OAuthTokenVerifier} */
		verifier: {
			async verifyAccessToken(token) {
				const grant = grants.get(token);
				if (grant?.kind !== 'access' || grant.expired) {
					throw new OAuthError(OAuthErrorCode.InvalidToken, 'This token is not good.');
				}
				const { client: clientId, scopes } = grant;
				return { token, clientId, scopes, expiresAt: Math.floor(Date.now() / 1000) + 3600 };
			},
		},
		/**
		 * Expires all tokens of these kinds.
		 * @param {Grant['kind'][]} kinds
		 */
		expire(...kinds) {
			for (const grant of grants.values()) {
				grant.expired ||= kinds.includes(grant.kind);
			}
		},
		stop: () => stop(server),
	};
}

/** @typedef {Awaited<ReturnType<typeof authorizationServer>>} AuthorizationServer */

/**
 * An MCP server that requires a token of the authorization server. Its tool `write` requires the scope `write`.
 * @param {AuthorizationServer} authorization
 * @param {{ requiredScopes?: string[], resource?: string }} [options]
 */
export async function protectedServer(authorization, { requiredScopes = [], resource } = {}) {
	/** Its authorization server; may be changed while it runs. */
	const trust = { authorization };
	/** The status with which it refuses to say so, if any. */
	const silence = { status: 0 };
	/** @type {Record<string, string>[]} headers of its requests */
	const requests = [];
	const handler = createMcpHandler(({ authInfo }) => {
		const server = new Server({ name: 'protected', version: '1.0.0' }, { capabilities: { tools: {} } });
		server.setRequestHandler('tools/list', () => ({
			tools: [tool('whoami', 'Who you are.'), tool('write', 'Writes.')],
		}));
		server.setRequestHandler('tools/call', ({ params }) =>
			shown({ tool: params.name, client: authInfo?.clientId, scopes: authInfo?.scopes, token: authInfo?.token }),
		);
		return server;
	});
	/** @param {Request} request @returns {Promise<Response>} */
	const fetch = async (request) => {
		const { pathname } = new URL(request.url);
		requests.push({ method: request.method, pathname, ...Object.fromEntries(request.headers) });
		if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
			if (silence.status) {
				return new Response('', { status: silence.status });
			}
			return Response.json({
				resource: resource ?? url,
				authorization_servers: [trust.authorization.issuer],
				...(requiredScopes.length > 0 && { scopes_supported: requiredScopes }),
			});
		}
		const { verifier } = trust.authorization;
		const challenge = { requiredScopes, resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(new URL(url)) };
		const auth = await requireBearerAuth({ verifier, ...challenge })(request);
		if (auth instanceof Response) {
			return auth;
		}
		const message = request.method === 'POST' ? await request.clone().json() : {};
		if (message.params?.name === 'write' && !auth.scopes.includes('write')) {
			return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, 'This takes more.'), {
				...challenge,
				requiredScopes: ['write'],
			});
		}
		return handler.fetch(request, { authInfo: auth });
	};
	const server = createServer(/** @type {any} */ (toNodeHandler({ fetch })));
	/** @type {string} */
	const url = `${await origin(server)}/mcp`;
	return { url, trust, silence, requests, stop: () => stop(server) };
}

/** @param {import('node:http').Server} server @returns {Promise<string>} */
function origin(server) {
	return new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => {
			resolve(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`);
		});
	});
}

/** @param {import('node:http').Server} server @returns {Promise<void>} */
function stop(server) {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const authorization = await authorizationServer({ page: true });
	const { url } = await protectedServer(authorization);
	console.log(`authorization ${authorization.issuer}`);
	console.log(`listening ${url}`);
}
