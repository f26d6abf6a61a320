import type { FetchLike } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { kindOfHost } from '../../elicitation/url/hosts.ts';
import { limitedFetch } from '../http/limitedFetch.ts';
import { Reason } from '../wire/failure.ts';

/** Whoever takes longer than this to answer does not answer (milliseconds). */
const REQUEST_TIMEOUT = 30_000;

/** What of a request must not come back in the words of an error. */
const SECRET_PARAMETERS = ['code', 'code_verifier', 'client_secret', 'refresh_token', 'token'];

const limited = limitedFetch(() => {});

/**
 * The fetch for everything that is no request to the server itself: the metadata documents, the authorization server. Their
 * addresses come from the server, so it does not go everywhere; and what the user configured for the server goes to the
 * server's own origin alone.
 */
export function authFetch({ url, headers }: HttpDefinition): FetchLike {
	return async (target, init) => {
		const server = new URL(url);
		const to = new URL(target);
		if (!mayGo(server, to)) {
			throw new Reason(localizable('The server names {0}, which is no safe address for a sign-in.', to.origin));
		}
		const all = new Headers(to.origin === server.origin ? { ...headers } : {});
		new Headers(init?.headers).forEach((value, name) => {
			all.set(name, value);
		});
		const response = await limited(to, { ...init, headers: all, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
		return init?.body instanceof URLSearchParams ? withoutSecrets(response, all, init.body) : response;
	};
}

/** Encrypted; or at home with the server; or on this computer, if the server is, too. */
function mayGo(server: URL, to: URL): boolean {
	return (
		to.protocol === 'https:' ||
		to.origin === server.origin ||
		(to.protocol === 'http:' && kindOfHost(server.hostname) === 'loopback' && kindOfHost(to.hostname) === 'loopback')
	);
}

/** The SDK puts the words of a refusal into its errors, and the user gets to read them. */
async function withoutSecrets(response: Response, headers: Headers, parameters: URLSearchParams): Promise<Response> {
	const text = await response.text();
	const secrets = [...SECRET_PARAMETERS.map((name) => parameters.get(name)), basicSecret(headers)];
	const words =
		response.ok && text.includes('"access_token"')
			? text
			: secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '…') : rest), text);
	const { status, statusText } = response;
	return new Response(words === '' ? null : words, { status, statusText, headers: response.headers });
}

function basicSecret(headers: Headers): string | undefined {
	const [, credentials] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
	return credentials === undefined ? undefined : atob(credentials).split(':').slice(1).join(':');
}
