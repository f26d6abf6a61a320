import { shorten, visibleOnOneLine } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { UrlOptions, UrlReport } from '../../../elicitation/url/urlSafety.ts';
import type { SignInRequest } from '../../../mcp/index.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { showModal } from '../../common/notifications.ts';

/** Max number and max length of the scopes shown. They are server text. */
const MAX_SCOPES = 20;
const MAX_SCOPE_LENGTH = 100;
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
	const domain = (url: string) => inspectUrl(url, options).domain;
	const signIn = localize('Sign In');
	const prompt = localizeNative('"{0}" wants you to sign in at {1}.', request.server, hostText(page));
	const choice = await showModal('information', prompt, consentDetail(request, page, domain), signIn);
	return choice === signIn;
}

/** A host with its registrable domain. */
function hostText({ host, domain, port }: UrlReport): string {
	const whole = port === '' ? host : `${host}:${port}`;
	return domain === host ? whole : `${whole} (${domain})`;
}

/** The complete text, in paragraphs. The detail of a modal dialog is plain text. */
export function consentDetail(request: SignInRequest, page: UrlReport, domainOf: (url: string) => string): string {
	const { serverUrl, issuer } = request;
	const paragraphs = [
		[
			localize('Server: {0}', serverUrl),
			localize('Sign-in URL: {0}', page.href),
			localize('Authorization server: {0}', shorten(issuer, MAX_URL_LENGTH)),
			...endpoints(request, domainOf),
			// Its address is known only after the consent.
			localize('Returns to: this editor'),
		],
		[
			...[...page.alarms, ...page.warnings].map((warning) => `⚠ ${render(warning, localize)}`),
			...foreignEndpoints(request, page, domainOf),
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

/** What is requested, and what of it is new if there was a sign-in before. */
function permissions({ scopes, newScopes }: SignInRequest): string[] {
	if (scopes.length === 0) {
		return [localize('Requested permissions: those that you have by default')];
	}
	const known = newScopes.length < scopes.length;
	return [
		localize('Requested permissions: {0}', listOf(scopes)),
		...(known && newScopes.length > 0 ? [localize('New permissions: {0}', listOf(newScopes))] : []),
	];
}

/** Hosts of the other endpoints, unless all are on the same domain. */
function endpoints(request: SignInRequest, domainOf: (url: string) => string): string[] {
	const { serverUrl, issuer, page, tokenEndpoint, registrationEndpoint } = request;
	const all = [serverUrl, issuer, page, tokenEndpoint, ...(registrationEndpoint ? [registrationEndpoint] : [])];
	return new Set(all.map(domainOf)).size === 1
		? []
		: [
				localize('Token endpoint: {0}', shorten(tokenEndpoint, MAX_URL_LENGTH)),
				...(registrationEndpoint
					? [localize('Registration endpoint: {0}', shorten(registrationEndpoint, MAX_URL_LENGTH))]
					: []),
			];
}

/** Endpoints on other domains than the sign-in page. They could hand the result to a third party. */
function foreignEndpoints(
	{ tokenEndpoint, registrationEndpoint }: SignInRequest,
	page: UrlReport,
	domainOf: (url: string) => string,
): string[] {
	const warnings: string[] = [];
	if (domainOf(tokenEndpoint) !== page.domain) {
		warnings.push(localize('⚠ The token endpoint is on {0}, the URL on {1}.', domainOf(tokenEndpoint), page.domain));
	}
	if (registrationEndpoint && domainOf(registrationEndpoint) !== page.domain) {
		warnings.push(
			localize('⚠ The registration endpoint is on {0}, the URL on {1}.', domainOf(registrationEndpoint), page.domain),
		);
	}
	return warnings;
}

function listOf(scopes: readonly string[]): string {
	const named = scopes.slice(0, MAX_SCOPES).map((scope) => shorten(scope, MAX_SCOPE_LENGTH));
	const rest = scopes.length - named.length;
	return rest > 0 ? localize('{0} and {1} more', named.join(', '), rest) : named.join(', ');
}
