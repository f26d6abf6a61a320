import type { FetchLike } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { parsedJson } from '../../elicitation/jsonText.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type HostKind, kindOfHost } from '../../elicitation/url/hosts.ts';
import { wholeText } from '../http/body.ts';
import { redirectOf } from '../http/httpClient.ts';
import { Reason } from '../wire/failure.ts';
import { readError, readTokens } from './documents.ts';
import { Refused, Unintelligible } from './explainSignIn.ts';

/** Request timeout (ms). */
const REQUEST_TIMEOUT = 30_000;

/** Request parameters to redact from error messages. */
const SECRET_PARAMETERS = ['code', 'code_verifier', 'client_secret', 'refresh_token', 'token'];

/** Max redirects that are followed. */
const MAX_REDIRECTS = 5;

/** Sends one request, without following a redirect. */
type Send = (to: URL, init: RequestInit) => Promise<Response>;

/**
 * Fetches from everything but the MCP endpoint itself: metadata documents and the authorization server. Their URLs come
 * from the server, so only safe ones are allowed, also where a redirect leads. Headers that the user configured are sent
 * to the server's own origin only.
 */
export function authFetch({ url, headers }: HttpDefinition): FetchLike {
	const send: Send = async (to, init) => {
		const server = new URL(url);
		if (!mayGo(server, to, init.method ?? 'GET')) {
			throw new Reason(localizable('The server names {0}, which is not a safe address for signing in.', to.origin));
		}
		const all = new Headers(to.origin === server.origin ? { ...headers } : {});
		new Headers(init.headers).forEach((value, name) => {
			all.set(name, value);
		});
		const signal = AbortSignal.timeout(REQUEST_TIMEOUT);
		// Looked up on each call, because the editor patches `fetch` to apply the user's proxy and certificates.
		return whole(await fetch(to, { ...init, redirect: init.redirect ?? 'manual', headers: all, signal }));
	};
	return async (target, init = {}) => {
		const to = new URL(target);
		const response = await (init.redirect ? send(to, init) : following(send, to, init));
		return init.body instanceof URLSearchParams && init.body.has('grant_type')
			? tokensIn(response, new Headers(init.headers), init.body)
			: response;
	};
}

/** Limits the size of a response (fault 13). */
async function whole(response: Response): Promise<Response> {
	const { status, statusText, headers } = response;
	return response.body ? new Response(await wholeText(response), { status, statusText, headers }) : response;
}

/** Follows redirects, which `fetch` would follow anywhere and with all headers. What is posted stays at its origin. */
async function following(send: Send, target: URL, init: RequestInit): Promise<Response> {
	let at = target;
	for (let left = MAX_REDIRECTS; ; left--) {
		const response = await send(at, init);
		const to = redirectOf(at, response);
		if (!to || left === 0) {
			return response;
		}
		const isSame = response.status > 303 && to.origin === at.origin;
		if ((init.method ?? 'GET') !== 'GET' && !isSame) {
			return response;
		}
		await response.body?.cancel();
		at = to;
	}
}

/** How far from this computer hosts are. An attacker gets to those that are as far as their server, or farther, anyway. */
const DISTANCES: Readonly<Record<HostKind, number>> = {
	...{ loopback: 0, unspecified: 0, metadata: 1, 'link-local': 1, private: 1, 'local-name': 1, public: 2 },
};

/** Nobody signs in there. */
const NEVER: readonly HostKind[] = ['unspecified', 'metadata', 'link-local'];

/** Where metadata is (RFC 8414, RFC 9728, OpenID Connect Discovery). */
const METADATA =
	/^(?:\/.+)?\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:\/|$)/;

/**
 * Allows the server's own origin, and hosts that are no nearer to this computer than the server: by HTTPS, and on this computer by
 * HTTP, too. Nobody has consented to what is read: that is metadata, which has its own paths.
 */
function mayGo(server: URL, to: URL, method: string): boolean {
	if (to.origin === server.origin) {
		return true;
	}
	const [from, kind] = [kindOfHost(server.hostname), kindOfHost(to.hostname)];
	const isSafe = to.protocol === 'https:' || (to.protocol === 'http:' && kind === 'loopback');
	const isNear = NEVER.includes(kind) || DISTANCES[kind] < DISTANCES[from];
	return isSafe && !isNear && (method !== 'GET' || (METADATA.test(to.pathname) && to.search === ''));
}

/**
 * The tokens in the response to a token request. Throws what the authorization server says otherwise, without the secrets
 * of the request: the SDK reads it more strictly, and copies its body into errors that are shown to the user.
 */
async function tokensIn(response: Response, headers: Headers, parameters: URLSearchParams): Promise<Response> {
	const text = await response.text();
	const tokens = response.ok && readTokens(parsedJson(text));
	if (tokens) {
		return Response.json(tokens);
	}
	const secrets = [...SECRET_PARAMETERS.map((name) => parameters.get(name)), basicSecret(headers)];
	const error = readError(
		parsedJson(secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '…') : rest), text)),
	);
	throw error ? new Refused(error, response.status) : new Unintelligible(response.status);
}

function basicSecret(headers: Headers): string | undefined {
	const [, credentials] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
	return credentials === undefined ? undefined : atob(credentials).split(':').slice(1).join(':');
}
