import type { FetchLike } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { own } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type HostKind, kindOfHost } from '../../elicitation/url/hosts.ts';
import { limitedFetch } from '../http/limitedFetch.ts';
import { Reason } from '../wire/failure.ts';
import { Unintelligible } from './explainSignIn.ts';

/** Request timeout (ms). */
const REQUEST_TIMEOUT = 30_000;

/** Request parameters to redact from error messages. */
const SECRET_PARAMETERS = ['code', 'code_verifier', 'client_secret', 'refresh_token', 'token'];

/** Max redirects that are followed. */
const MAX_REDIRECTS = 5;

const limited = limitedFetch(() => {});

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
		return limited(to, { ...init, redirect: init.redirect ?? 'manual', headers: all, signal });
	};
	return async (target, init = {}) => {
		const to = new URL(target);
		const response = await (init.redirect ? send(to, init) : following(send, to, init));
		return init.body instanceof URLSearchParams
			? withoutSecrets(response, new Headers(init.headers), init.body)
			: response;
	};
}

/** Follows redirects, which `fetch` would follow anywhere and with all headers. What is posted stays at its origin. */
async function following(send: Send, target: URL, init: RequestInit): Promise<Response> {
	let at = target;
	for (let left = MAX_REDIRECTS; ; left--) {
		const response = await send(at, init);
		const location = response.headers.get('location');
		const isRedirect = [301, 302, 303, 307, 308].includes(response.status) && location && URL.canParse(location, at);
		if (!isRedirect || left === 0) {
			return response;
		}
		const to = new URL(location, at);
		const isSame = response.status > 303 && to.origin === at.origin;
		if ((init.method ?? 'GET') !== 'GET' && !isSame) {
			return response;
		}
		await response.body?.cancel();
		at = to;
	}
}

/** How far away hosts are. A server leads to those that are as far as itself or farther, where an attacker gets anyway. */
const DISTANCES: Readonly<Record<HostKind, number>> = {
	...{ loopback: 0, private: 1, 'local-name': 1, public: 2 },
	// Nobody signs in there.
	...{ unspecified: -1, 'link-local': -1, metadata: -1 },
};

/**
 * Allows the server's own origin, and hosts that are no nearer to this computer than the server: by HTTPS, and on this computer by
 * HTTP, too. Nobody has consented to what is read: that is metadata, which has its own paths (RFC 8414, RFC 9728).
 */
function mayGo(server: URL, to: URL, method: string): boolean {
	if (to.origin === server.origin) {
		return true;
	}
	const kind = kindOfHost(to.hostname);
	const distance = DISTANCES[kind];
	const isSafe = to.protocol === 'https:' || (to.protocol === 'http:' && kind === 'loopback');
	const isMetadata = to.pathname.includes('/.well-known/') && to.search === '';
	return isSafe && distance >= 0 && distance >= DISTANCES[kindOfHost(server.hostname)] && (method !== 'GET' || isMetadata);
}

/**
 * Redacts secrets from the body, because the SDK copies it into errors that are shown to the user. Throws for what is no
 * response to a token request: the SDK would take it for an error of the authorization server.
 */
async function withoutSecrets(response: Response, headers: Headers, parameters: URLSearchParams): Promise<Response> {
	const text = await response.text();
	if (parameters.has('grant_type') && !isTokenResponse(text)) {
		throw new Unintelligible(response.status);
	}
	const secrets = [...SECRET_PARAMETERS.map((name) => parameters.get(name)), basicSecret(headers)];
	const words =
		response.ok && text.includes('"access_token"')
			? text
			: secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '…') : rest), text);
	const { status, statusText } = response;
	return new Response(words === '' ? null : words, { status, statusText, headers: response.headers });
}

/** True for tokens and for an OAuth error. */
function isTokenResponse(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof (own(value, 'access_token') ?? own(value, 'error')) === 'string';
	} catch {
		return false;
	}
}

function basicSecret(headers: Headers): string | undefined {
	const [, credentials] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
	return credentials === undefined ? undefined : atob(credentials).split(':').slice(1).join(':');
}
