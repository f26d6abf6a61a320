import { type AuthProvider, UnauthorizedError } from '@modelcontextprotocol/client';
import { parseUrl } from '../../elicitation/url/parseUrl.ts';
import { discard } from './body.ts';
import { HttpError, insufficientScope, readRefusal, type Sent } from './httpError.ts';
import { noTimeoutFetch } from './noTimeoutFetch.ts';

/** One HTTP request. */
export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	/** Those of the definition are added. */
	readonly headers: Readonly<Record<string, string>>;
	readonly accept?: readonly string[];
	readonly body?: string;
	readonly signal: AbortSignal;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Max redirects that are followed. */
const MAX_REDIRECTS = 5;

/** Everything before the first Bearer challenge. Commas in quotes separate nothing. */
const BEFORE_BEARER = /^(?!bearer\b)(?:[^"]|"(?:[^"\\]|\\.)*")*?,\s*(?=bearer(?:[\s,]|$))/i;

/** Sends HTTP requests to one server, with its headers and the token of the user. */
export class HttpClient {
	constructor(
		private readonly headers: Readonly<Record<string, string>>,
		readonly authProvider: AuthProvider | undefined,
		private readonly socketPath: string | undefined,
	) {}

	/**
	 * Resolves to a response with a status of success. Rejects with an `HttpError`, or with the error of the SDK that leads to
	 * a sign-in. The token is renewed once if the server refuses it.
	 */
	async send(request: HttpRequest, sent: Sent): Promise<Response> {
		const { authProvider } = this;
		let isRenewed = false;
		let isDoubted = false;
		for (;;) {
			const token = await authProvider?.token();
			const response = await this.fetch(request, token);
			if (response.ok) {
				return response;
			}
			const scopes = authProvider && insufficientScope(response);
			if (scopes) {
				discard(response);
				throw scopes;
			}
			const error = await readRefusal(response, sent);
			if (response.status !== 401 || !authProvider?.onUnauthorized) {
				throw error;
			}
			// Without a challenge, what has ended may be the session, unless a new token tells otherwise.
			const isDoubtful = error.refusal.endsSession === true;
			if (isDoubtful ? isDoubted || token === undefined : isRenewed) {
				throw error;
			}
			isDoubted ||= isDoubtful;
			isRenewed ||= !isDoubtful;
			await this.renew(request.url, response).catch((cause) => {
				throw isDoubtful && cause instanceof UnauthorizedError ? error : cause;
			});
		}
	}

	/** Renews the token that was refused with a response. Rejects if that isn't possible. */
	async renew(serverUrl: URL, response: Response): Promise<void> {
		await this.authProvider?.onUnauthorized?.({ response, serverUrl, fetchFn: fetch });
	}

	/** Sends a request once. Redirects are followed within the origin, with the same method. */
	async fetch(
		{ method, url, headers, accept = [], body, signal }: HttpRequest,
		token: string | undefined,
	): Promise<Response> {
		const all = new Headers(this.headers);
		for (const [name, value] of Object.entries(headers)) {
			all.set(name, value);
		}
		if (token !== undefined) {
			all.set('authorization', `Bearer ${token}`);
		}
		if (accept.length > 0) {
			const own = all.get('accept')?.split(',') ?? [];
			all.set('accept', [...new Set([...own.map((type) => type.trim().toLowerCase()), ...accept])].join(', '));
		}
		const init = { method, headers: all, signal, ...(body !== undefined && { body }) };
		for (let at = url, left = MAX_REDIRECTS; ; left--) {
			const response = await noTimeoutFetch(at, init, this.socketPath);
			const to = redirectOf(at, response);
			if (to === undefined) {
				return withBearerChallenge(response);
			}
			discard(response);
			if (left === 0 || !isFollowed(at, to, response.status, method)) {
				throw new HttpError(response.status, { redirect: shownRedirect(at, to) });
			}
			at = to;
		}
	}
}

/** Reduces several challenges (RFC 9110, section 11.6.1) to the one for tokens: the SDK reads only the first. */
function withBearerChallenge(response: Response): Response {
	const challenges = response.headers.get('www-authenticate');
	if (challenges !== null) {
		response.headers.set('www-authenticate', challenges.replace(BEFORE_BEARER, ''));
	}
	return response;
}

/** Where a response redirects to; undefined if it does not. */
export function redirectOf(url: URL, { status, headers }: Response): URL | undefined {
	const location = headers.get('location');
	return REDIRECTS.has(status) && location ? parseUrl(location, url) : undefined;
}

/** Within the origin, with the same method: the configuration of one server is not sent to another. */
function isFollowed(from: URL, to: URL, status: number, method: string): boolean {
	const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
	const isWithin = from.origin === to.origin || (isUpgrade && !from.port && !to.port);
	return (
		isWithin && (method === 'GET' || status >= 307) && to.username === from.username && to.password === from.password
	);
}

/** Where a redirect leads, without what may be secret in it; never from TLS to none. */
function shownRedirect(from: URL, to: URL): string {
	const shown = new URL(to.pathname, to);
	shown.username = '';
	shown.password = '';
	shown.protocol = from.protocol === 'https:' && to.protocol === 'http:' ? 'https:' : to.protocol;
	return shown.href;
}
