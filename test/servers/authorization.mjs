// @ts-check
/**
 * An authorization server of a few lines, and an MCP server on the official SDK 2.x that demands its tokens. Everything that
 * goes wrong with such servers can be switched on.
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
 * How the authorization server behaves; may be changed while it runs.
 * @typedef {object} Behaviour
 * @property {boolean} registration lets clients register by themselves
 * @property {boolean} cimd takes client id metadata documents
 * @property {string[] | undefined} methods how clients may authenticate
 * @property {'right' | 'wrong' | 'none'} iss what it says of itself in its answers
 * @property {boolean} issAdvertised says that it says so
 * @property {boolean} pkce says that it protects sign-ins
 * @property {string[]} scopes what it lists; without a list, nothing
 * @property {boolean} refresh gives refresh tokens
 * @property {boolean} revocation takes tokens back
 * @property {boolean} page shows a page with a button, instead of saying yes at once
 * @property {string} pages where its pages are, if not with the rest of it
 * @property {boolean} silent publishes no metadata
 * @property {string} query what its page has of a query of its own
 * @property {string} tokens where its token endpoint is, if not with the rest of it
 * @property {string} registrations where its registration endpoint is, if not with the rest of it
 * @property {string} refusal the error with which it answers every sign-in
 * @property {string} tokenRefusal the error with which it answers every request for a token
 * @property {string} echo what it repeats in the description of such an error: a parameter of the request
 * @property {string} issuer what its metadata say of itself
 * @property {string} access the access token that it gives, in the place of a good one
 */

/** @typedef {{ client: string, scopes: string[], kind: 'access' | 'refresh', resource: string | undefined, expired?: boolean }} Grant */

/**
 * @param {Partial<Behaviour>} [changes]
 */
export async function authorizationServer(changes = {}) {
	/** @type {Behaviour} */
	const behaviour = {
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
		query: '',
		tokens: '',
		registrations: '',
		refusal: '',
		tokenRefusal: '',
		echo: '',
		issuer: '',
		access: '',
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
		/** @param {number} status @param {object} body */
		const json = (status, body) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		let body = '';
		for await (const chunk of request) {
			body += chunk;
		}
		switch (`${request.method} ${url.pathname}`) {
			case 'GET /.well-known/oauth-authorization-server':
				return behaviour.silent ? json(404, { error: 'not_found' }) : json(200, metadata());
			case 'POST /register':
				return register(JSON.parse(body), json);
			case 'GET /authorize':
				return authorize(url, response);
			case 'POST /token':
				return token(Object.fromEntries(new URLSearchParams(body)), request.headers.authorization, json);
			case 'POST /revoke':
				seen.revoked.push(new URLSearchParams(body).get('token') ?? '');
				return json(200, {});
			default:
				return json(404, { error: 'not_found' });
		}
	});
	const issuer = await origin(server);

	const metadata = () => ({
		issuer: behaviour.issuer || issuer,
		authorization_endpoint: `${behaviour.pages || issuer}/authorize${behaviour.query}`,
		token_endpoint: `${behaviour.tokens || issuer}/token`,
		response_types_supported: ['code'],
		...(behaviour.registration && { registration_endpoint: `${behaviour.registrations || issuer}/register` }),
		...(behaviour.revocation && { revocation_endpoint: `${issuer}/revoke` }),
		...(behaviour.cimd && { client_id_metadata_document_supported: true }),
		...(behaviour.methods && { token_endpoint_auth_methods_supported: behaviour.methods }),
		...(behaviour.issAdvertised && { authorization_response_iss_parameter_supported: true }),
		...(behaviour.pkce && { code_challenge_methods_supported: ['S256'] }),
		...(behaviour.scopes.length > 0 && { scopes_supported: behaviour.scopes }),
	});

	/** @param {Record<string, any>} body @param {(status: number, body: object) => void} json */
	function register(body, json) {
		seen.registrations.push(body);
		const id = `client-${randomUUID()}`;
		const secret = body.token_endpoint_auth_method === 'none' ? undefined : `secret-${randomUUID()}`;
		clients.set(id, secret);
		json(201, { ...body, client_id: id, ...(secret && { client_secret: secret, client_secret_expires_at: 0 }) });
	}

	/** @param {URL} url @param {import('node:http').ServerResponse} response */
	function authorize(url, response) {
		const parameters = Object.fromEntries(url.searchParams);
		if (behaviour.page && parameters.consent === undefined) {
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
		if (behaviour.iss !== 'none') {
			back.searchParams.set('iss', behaviour.iss === 'right' ? issuer : 'https://somebody.else.example');
		}
		const refusal = parameters.consent === 'no' ? 'access_denied' : behaviour.refusal;
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
			json(400, { error, error_description: `No. ${body[behaviour.echo] ?? ''}` });
		if (behaviour.tokenRefusal) {
			return refuse(behaviour.tokenRefusal);
		}
		const basic = authorization && Buffer.from(authorization.slice(6), 'base64').toString().split(':');
		const [client = '', secret] = basic ? basic : [body.client_id, body.client_secret];
		if (clients.has(client) && clients.get(client) !== secret) {
			return refuse('invalid_client');
		}
		const grant = body.grant_type === 'refresh_token' ? refreshed(body) : redeemed(body);
		if (!grant || grant.client !== client) {
			return refuse('invalid_grant');
		}
		const access = remember({ ...grant, kind: 'access' });
		return json(200, {
			access_token: behaviour.access || access,
			token_type: 'Bearer',
			expires_in: 3600,
			...(grant.scopes.length > 0 && { scope: grant.scopes.join(' ') }),
			...(behaviour.refresh && { refresh_token: remember({ ...grant, kind: 'refresh' }) }),
		});
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
		behaviour,
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
	return { url, trust, requests, stop: () => stop(server) };
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
