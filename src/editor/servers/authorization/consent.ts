import { shorten, visibleOnOneLine } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { UrlOptions, UrlReport } from '../../../elicitation/url/urlSafety.ts';
import type { SignInRequest } from '../../../mcp/index.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showModal } from '../../common/notifications.ts';

/** Max length of the URL shown (characters). */
const MAX_URL_LENGTH = 500;

/**
 * Asks before the browser opens: which server, which authorization server, which scopes, and where the result is sent.
 * Dismissing the dialog declines.
 */
export async function askConsent(request: SignInRequest, options: UrlOptions): Promise<boolean> {
	// Loaded on demand, because its public suffix list is larger than everything else that runs at startup.
	const { inspectUrl } = await import('../../../elicitation/url/urlSafety.ts');
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
export function consentDetail(request: SignInRequest, page: UrlReport, inspect: (url: string) => UrlReport): string {
	const { serverUrl, issuer } = request;
	const others = [serverUrl, ...Object.values(endpointsOf(request))].flatMap((url) => inspect(url).alarms);
	const paragraphs = [
		[
			localize('Server: {0}', serverUrl),
			localize('Sign-in URL: {0}', page.href),
			localize('Authorization server: {0}', shorten(issuer, MAX_URL_LENGTH)),
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
		return [localize('Requested permissions: those that you have by default')];
	}
	const known = newScopes.length < scopes.length;
	return [
		localize('Requested permissions: {0}', scopes.join(', ')),
		...(known && newScopes.length > 0 ? [localize('New permissions: {0}', newScopes.join(', '))] : []),
	];
}

/** The endpoints that get something secret, by what they are called. */
function endpointsOf({ tokenEndpoint, registrationEndpoint, revocationEndpoint }: SignInRequest) {
	return {
		token: tokenEndpoint,
		...(registrationEndpoint !== undefined && { registration: registrationEndpoint }),
		...(revocationEndpoint !== undefined && { revocation: revocationEndpoint }),
	};
}

/** The endpoints, unless all are on the same domain. */
function endpoints(request: SignInRequest, inspect: (url: string) => UrlReport): string[] {
	const { serverUrl, issuer, page } = request;
	const named = endpointsOf(request);
	const domains = new Set([serverUrl, issuer, page, ...Object.values(named)].map((url) => inspect(url).domain));
	const texts = {
		token: localize('Token endpoint: {0}', shorten(named.token, MAX_URL_LENGTH)),
		registration: localize('Registration endpoint: {0}', shorten(named.registration ?? '', MAX_URL_LENGTH)),
		revocation: localize('Revocation endpoint: {0}', shorten(named.revocation ?? '', MAX_URL_LENGTH)),
	};
	return domains.size === 1 ? [] : ENDPOINTS.filter((kind) => kind in named).map((kind) => texts[kind]);
}

const ENDPOINTS = ['token', 'registration', 'revocation'] as const;

/** Endpoints on other domains than the sign-in page. They could hand the result to a third party. */
function foreignEndpoints(request: SignInRequest, page: UrlReport, inspect: (url: string) => UrlReport): string[] {
	const named = endpointsOf(request);
	return ENDPOINTS.flatMap((kind) => {
		const domain = inspect(named[kind] ?? request.page).domain;
		const texts = {
			token: localize('⚠ The token endpoint is on {0}, the URL on {1}.', domain, page.domain),
			registration: localize('⚠ The registration endpoint is on {0}, the URL on {1}.', domain, page.domain),
			revocation: localize('⚠ The revocation endpoint is on {0}, the URL on {1}.', domain, page.domain),
		};
		return domain === page.domain ? [] : [texts[kind]];
	});
}
