import { UnauthorizedError } from '@modelcontextprotocol/client';
import { own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { isOutage } from './auth/explainSignIn.ts';
import { httpErrorIn, isPassing } from './http/httpError.ts';
import { causeCode, causes, Failure, messageOf, NotMcp, sentence } from './wire/failure.ts';

/** With the member of the definition that the fix is about, if it is about one. */
type Words = readonly [what: Sentence, fix: Sentence, member?: string];

const CHECK_URL = [
	localizable('Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.'),
	'url',
] as const;

const UNREACHABLE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Codes for a certificate without a trusted issuer. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY)_.*)$/;

/** Explains why an HTTP server couldn't be reached or refused a request. */
export function explainHttp(server: string, url: string, error: unknown): Failure {
	const words: Words =
		explainBusy(url, error) ??
		explainConnection(url, error) ??
		explainCertificate(url, error) ??
		explainStatus(url, error) ??
		explainAnswer(url, error) ??
		([
			localizable('Could not connect to {0}: {1}', url, messageOf(causes(error).at(-1) ?? error)),
			localizable('Check "url" in its definition, and look at its log.'),
			'url',
		] as const);
	const [what, fix, member] = words;
	return new Failure(server, what, fix, { cause: error, ...(member !== undefined && { definition: [member] }) });
}

/** True for connection and HTTP errors, as opposed to JSON-RPC errors. */
export function isTransportError(error: unknown): boolean {
	return causeCode(error) !== undefined || statusOf(error) !== undefined;
}

/** True for connection and HTTP errors that may be gone on a retry, of the server or of its authorization server. */
export function isTransientError(error: unknown): boolean {
	if (causes(error).some(isOutage)) {
		return true;
	}
	const status = statusOf(error);
	const code = causeCode(error);
	return status === undefined
		? code !== undefined && code !== 'EPROTO' && /^(E[A-Z0-9]+$|EAI_|UND_ERR_)/.test(code)
		: isPassing(status);
}

/** The delay that a busy server requests before a retry (s), if it does. */
export function retryAfterIn(error: unknown): number | undefined {
	const { status, refusal } = httpErrorIn(error) ?? {};
	return status === 429 || status === 503 ? refusal?.retryAfter : undefined;
}

/** True for status 404, which most likely means that the session is gone. */
export function isNotFound(error: unknown): boolean {
	return statusOf(error) === 404;
}

function explainBusy(url: string, error: unknown): Words | undefined {
	const [status, wait] = [statusOf(error), retryAfterIn(error)];
	return status === 429 || (status !== undefined && wait !== undefined)
		? [
				localizable('{0} accepts no more requests for now (HTTP status {1}).', url, status),
				wait === undefined
					? localizable('Wait a while, then try again.')
					: localizable('Try again in {0} s, as the server requests.', wait),
			]
		: undefined;
}

function explainConnection(url: string, error: unknown): Words | undefined {
	const code = causeCode(error);
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return [
			localizable('The host of {0} could not be found.', url),
			localizable('Check "url" in its definition, and the network.'),
			'url',
		];
	}
	return code !== undefined && UNREACHABLE.has(code)
		? [
				localizable('Nothing responds at {0} ({1}).', url, code),
				localizable('Start the server, or correct "url" in its definition.'),
				'url',
			]
		: undefined;
}

function explainCertificate(url: string, error: unknown): Words | undefined {
	const code = causeCode(error);
	if (code === undefined) {
		return undefined;
	}
	if (UNTRUSTED.test(code)) {
		return [
			localizable('The certificate of {0} is not signed by anyone that this computer trusts ({1}).', url, code),
			localizable(
				'If you trust it, install its authority in the certificate store of the computer on which extensions run ("http.systemCertificates" must be on), or name its file in NODE_EXTRA_CA_CERTS before you start the editor.',
			),
		];
	}
	if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
		return [
			code === 'CERT_HAS_EXPIRED'
				? localizable('The certificate of {0} has expired.', url)
				: localizable('The certificate of {0} is not valid yet.', url),
			localizable("Ask whoever runs the server to renew it, or correct this computer's clock if it is wrong."),
		];
	}
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
		return [
			localizable('The certificate of {0} is for another host: {1}', url, sentence(namesIn(error))),
			localizable('Write the host in "url" as the certificate names it, or have the certificate corrected.'),
			'url',
		];
	}
	if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
		return [
			localizable('{0} does not use TLS ({1}).', url, code),
			localizable('Write "http:" in "url" if the server has no TLS, or correct the port.'),
			'url',
		];
	}
	return /^(CERT_|ERR_TLS_)/.test(code)
		? [
				localizable('The certificate of {0} is not accepted ({1}).', url, code),
				localizable('Ask whoever runs the server to correct it.'),
			]
		: undefined;
}

/** The response isn't MCP. Usually "url" is the address of a web page. */
function explainAnswer(url: string, error: unknown): Words | undefined {
	const answer = causes(error).find((each) => each instanceof NotMcp);
	if (!answer) {
		return undefined;
	}
	const { type = '', words } = answer;
	const what =
		words === ''
			? localizable('{0} responded without an MCP message.', url)
			: type === ''
				? localizable('{0} responded with what is no MCP message: {1}', url, sentence(words))
				: localizable('{0} responded with {1}, not with MCP messages: {2}', url, type, sentence(words));
	return [what, ...CHECK_URL];
}

function explainStatus(url: string, error: unknown): Words | undefined {
	const status = statusOf(error);
	const { words = '', redirect, endsSession, namesMessage } = httpErrorIn(error)?.refusal ?? {};
	// The header is good enough to begin a session.
	if (!endsSession && (error instanceof UnauthorizedError || status === 401)) {
		return [
			localizable('{0} does not accept the "Authorization" header of its definition.', url),
			localizable('Correct the header, or remove it to sign in instead.'),
			'headers',
		];
	}
	if (status === undefined) {
		return undefined;
	}
	if (status === 403) {
		return [
			localizable('{0} denied access (HTTP status 403).', url),
			localizable('Sign out and sign in with another account, or ask whoever runs the server.'),
		];
	}
	if (status === 407) {
		return [
			localizable('The proxy on the way to {0} requires a sign-in (HTTP status 407).', url),
			localizable('Check "http.proxy" and "http.proxyAuthorization" in the settings.'),
		];
	}
	if (redirect !== undefined) {
		return [
			localizable(
				'{0} redirects to {1}, which is not followed: the configuration of one server is not sent to another.',
				url,
				redirect,
			),
			localizable('Write that address into "url", if it is the server that you mean.'),
			'url',
		];
	}
	const what =
		words === ''
			? localizable('{0} responded with HTTP status {1}.', url, status)
			: localizable('{0} responded with HTTP status {1}: {2}', url, status, sentence(words));
	if (endsSession) {
		return [
			what,
			namesMessage
				? localizable("Check the server's log to see whether it took effect, then try again if necessary.")
				: localizable("A new session did not help. Check the server's own log, or tell whoever runs it."),
		];
	}
	return status >= 500
		? [
				what,
				localizable("Try again later. If the problem persists, check the server's own log, or tell whoever runs it."),
			]
		: [what, ...CHECK_URL];
}

/** The status of the response that an error is about. */
function statusOf(error: unknown): number | undefined {
	return httpErrorIn(error)?.status;
}

/** The host names in a certificate. */
function namesIn(error: unknown): string {
	const subject = causes(error)
		.map((each) => own(own(each, 'cert'), 'subjectaltname'))
		.find((each) => typeof each === 'string');
	return (subject ?? '?').replace(/\b(DNS|IP Address):/g, '');
}
