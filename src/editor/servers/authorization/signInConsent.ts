import { shorten, visibleOnOneLine } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { inspectUrl, type UrlOptions, type UrlReport } from '../../../elicitation/url/urlSafety.ts';
import type { SignInRequest } from '../../../mcp/index.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showModal } from '../../common/notifications.ts';

type Inspect = (url: string) => UrlReport;

/** Max length of the URLs shown, except for the one that is opened (characters). */
const MAX_URL_LENGTH = 200;

/**
 * Asks before the browser opens: which server, which authorization server, which scopes, and where the result is sent.
 * Dismissing the dialog declines.
 */
export async function askConsent(request: SignInRequest, options: UrlOptions): Promise<boolean> {
	const page = inspectUrl(request.page, options);
	const inspect = (url: string) => inspectUrl(url, { ...options, insecure: 'always' });
	const signIn = localize('Sign In');
	const prompt = localizeNative('"{0}" wants you to sign in at {1}.', request.server, hostText(page));
	const choice = await showModal('information', prompt, consentDetail(request, page, inspect), signIn);
	return choice === signIn;
}

/** A host with its registrable domain. */
function hostText({ host, domain, port }: UrlReport): string {
	const whole = port === '' ? host : `${host}:${port}`;
	return domain === host ? whole : `${whole} (${domain})`;
}

/** The complete text, in paragraphs. The detail of a modal dialog is plain text. */
export function consentDetail(request: SignInRequest, page: UrlReport, inspect: Inspect): string {
	const { serverUrl, issuer } = request;
	const others = [serverUrl, issuer, ...endpointsOf(request).map(({ url }) => url)].flatMap(
		(url) => inspect(url).alarms,
	);
	const paragraphs = [
		[
			localize('Server: {0}', urlText(serverUrl, inspect)),
			localize('Sign-in URL: {0}', page.href),
			localize('Authorization server: {0}', urlText(issuer, inspect)),
			...endpoints(request, inspect),
			// Its address is known only after the consent.
			localize('Returns to: this editor'),
		],
		[
			...new Set([...page.alarms, ...page.warnings, ...others].map((warning) => `⚠ ${render(warning, localize)}`)),
			...foreignEndpoints(request, page, inspect),
		],
		permissions(request),
		[
			localize(
				'Your browser opens. The tokens that you get there are kept in the secret storage of the editor and sent only to this server and this authorization server. "Sign Out" deletes them.',
			),
		],
	];
	return paragraphs
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.map(visibleOnOneLine).join('\n'))
		.join('\n\n');
}

/** All permissions, and what of them is new if there was a sign-in before. */
function permissions({ scopes, newScopes }: SignInRequest): string[] {
	if (scopes.length === 0) {
		return [localize('Requested permissions: none are named, so the authorization server decides')];
	}
	const known = newScopes.length < scopes.length;
	return [
		localize('Requested permissions: {0}', scopes.join(', ')),
		...(known && newScopes.length > 0 ? [localize('New permissions: {0}', newScopes.join(', '))] : []),
	];
}

/** The endpoints that get something secret. */
const ENDPOINTS = {
	tokenEndpoint: {
		at: (url: string) => localize('Token endpoint: {0}', url),
		foreign: (place: string, page: string) => localize('⚠ The token endpoint is on {0}, the URL on {1}.', place, page),
	},
	registrationEndpoint: {
		at: (url: string) => localize('Registration endpoint: {0}', url),
		foreign: (place: string, page: string) =>
			localize('⚠ The registration endpoint is on {0}, the URL on {1}.', place, page),
	},
	revocationEndpoint: {
		at: (url: string) => localize('Revocation endpoint: {0}', url),
		foreign: (place: string, page: string) =>
			localize('⚠ The revocation endpoint is on {0}, the URL on {1}.', place, page),
	},
} as const;

/** The endpoints, with what says where they are. */
function endpointsOf(request: SignInRequest) {
	return (['tokenEndpoint', 'registrationEndpoint', 'revocationEndpoint'] as const).flatMap((kind) => {
		const url = request[kind];
		return url === undefined ? [] : [{ url, ...ENDPOINTS[kind] }];
	});
}

/** The endpoints, unless all are in the same place. */
function endpoints(request: SignInRequest, inspect: Inspect): string[] {
	const { serverUrl, issuer, page } = request;
	const named = endpointsOf(request);
	const places = new Set([serverUrl, issuer, page, ...named.map(({ url }) => url)].map((url) => placeOf(inspect(url))));
	return places.size === 1 ? [] : named.map(({ url, at }) => at(urlText(url, inspect)));
}

/** Endpoints in other places than the sign-in page. They could hand the result to a third party. */
function foreignEndpoints(request: SignInRequest, page: UrlReport, inspect: Inspect): string[] {
	return endpointsOf(request).flatMap(({ url, foreign }) => {
		const place = placeOf(inspect(url));
		return place === placeOf(page) ? [] : [foreign(place, placeOf(page))];
	});
}

/** The domain, and the port if it is not the usual one: on this computer, it is what tells servers apart. */
function placeOf({ domain, port }: UrlReport): string {
	return port === '' ? domain : `${domain}:${port}`;
}

/** A URL with the host to which it leads. */
function urlText(url: string, inspect: Inspect): string {
	return shorten(inspect(url).href || url, MAX_URL_LENGTH);
}
