import { ProtocolError, SseError, UnauthorizedError } from '@modelcontextprotocol/client';
import { shorten } from '../elicitation/display.ts';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { isOutage } from './auth/explainSignIn.ts';
import { isPassing, ServerBusyError } from './http/serverBusy.ts';
import { responseIn } from './http/sessionEnd.ts';
import { causeCode, causes, Failure, messageOf, sentence } from './wire/failure.ts';

type Words = readonly [what: Sentence, fix: Sentence];

const UNREACHABLE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Codes for a certificate without a trusted issuer. */
const UNTRUSTED = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY)_.*)$/;

/** Max length of server-provided error text in a message (characters). */
const MAX_TEXT = 200;

/** Explains why an HTTP server couldn't be reached or refused a request. */
export function explainHttp(server: string, url: string, error: unknown): Failure {
	const [what, fix] =
		explainBusy(url, error) ??
		explainConnection(url, error) ??
		explainCertificate(url, error) ??
		explainStatus(url, error) ??
		explainAnswer(url, error) ??
		([
			localizable('Could not connect to {0}: {1}', url, messageOf(causes(error).at(-1) ?? error)),
			localizable('Check "url" in its definition, and look at its log.'),
		] as const);
	return new Failure(server, what, fix, { cause: error });
}

/** True for connection and HTTP errors, as opposed to JSON-RPC errors. */
export function isTransportError(error: unknown): boolean {
	return causeCode(error) !== undefined || statusOf(error) !== undefined || busyOf(error) !== undefined;
}

/** True for connection and HTTP errors that may be gone on a retry, of the server or of its authorization server. */
export function isTransientError(error: unknown): boolean {
	if (causes(error).some(isOutage)) {
		return true;
	}
	const status = busyOf(error)?.status ?? statusOf(error);
	const code = causeCode(error);
	return status === undefined
		? code !== undefined && code !== 'EPROTO' && /^(E[A-Z0-9]+$|EAI_|UND_ERR_)/.test(code)
		: isPassing(status);
}

/** The delay that a busy server requests before a retry (s), if it does. */
export function retryAfterIn(error: unknown): number | undefined {
	return busyOf(error)?.wait;
}

/** True for status 404, which most likely means that the session is gone. */
export function isNotFound(error: unknown): boolean {
	return statusOf(error) === 404;
}

function explainBusy(url: string, error: unknown): Words | undefined {
	const busy = busyOf(error) ?? (statusOf(error) === 429 ? new ServerBusyError(429, undefined) : undefined);
	return (
		busy && [
			localizable('{0} accepts no more requests for now (HTTP status {1}).', url, busy.status),
			busy.wait === undefined
				? localizable('Wait a while, then try again.')
				: localizable('Try again in {0} s, as the server requests.', busy.wait),
		]
	);
}

function explainConnection(url: string, error: unknown): Words | undefined {
	const code = causeCode(error);
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return [
			localizable('The host of {0} could not be found.', url),
			localizable('Check "url" in its definition, and the network.'),
		];
	}
	return code !== undefined && UNREACHABLE.has(code)
		? [
				localizable('Nothing responds at {0} ({1}).', url, code),
				localizable('Start the server, or correct "url" in its definition.'),
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
		];
	}
	if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
		return [
			localizable('{0} does not use TLS ({1}).', url, code),
			localizable('Write "http:" in "url" if the server has no TLS, or correct the port.'),
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
	const all = causes(error);
	const fix = localizable('Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.');
	if (all.some((each) => each instanceof SyntaxError)) {
		return [localizable('{0} responded with something that is not JSON.', url), fix];
	}
	const type = all
		.map(({ message }) => /Unexpected content type: ([\w+-]+\/[\w.+-]*\w)/.exec(message)?.[1])
		.find(Boolean);
	return type === undefined
		? undefined
		: [localizable('{0} responded with {1}, not with MCP messages.', url, type), fix];
}

function explainStatus(url: string, error: unknown): Words | undefined {
	const status = statusOf(error);
	if (error instanceof UnauthorizedError || status === 401) {
		return [
			localizable('{0} does not accept the "Authorization" header of its definition.', url),
			localizable('Correct the header, or remove it to sign in instead.'),
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
	const elsewhere = redirectIn(error);
	if (elsewhere !== undefined) {
		return [
			localizable(
				'{0} redirects to {1}, which is not followed: the configuration of one server is not sent to another.',
				url,
				elsewhere,
			),
			localizable('Write that address into "url", if it is the server that you mean.'),
		];
	}
	const words = wordsIn(error);
	return [
		words === undefined
			? localizable('{0} responded with HTTP status {1}.', url, status)
			: localizable('{0} responded with HTTP status {1}: {2}', url, status, words),
		status >= 500
			? localizable("Try again later. If the problem persists, check the server's own log, or tell whoever runs it.")
			: localizable('Check that "url" is the address of an MCP endpoint, and look at the server\'s own log.'),
	];
}

function busyOf(error: unknown): ServerBusyError | undefined {
	return causes(error).find((each) => each instanceof ServerBusyError);
}

/** The errors of the SSE transport carry the status only in their message. */
function statusOf(error: unknown): number | undefined {
	if (error instanceof ProtocolError) {
		return undefined;
	}
	const old =
		error instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message)?.[1] : undefined;
	const status = error instanceof SseError ? error.code : (responseIn(error).status ?? old);
	return typeof status === 'string' || typeof status === 'number' ? Number(status) : undefined;
}

/** The host names in a certificate. */
function namesIn(error: unknown): string {
	const subject = causes(error)
		.map((each) => own(own(each, 'cert'), 'subjectaltname'))
		.find((each) => typeof each === 'string');
	return (subject ?? '?').replace(/\b(DNS|IP Address):/g, '');
}

/** The target of a redirect that wasn't followed, from the SDK's error. */
function redirectIn(error: unknown): string | undefined {
	const [, target] = /Redirect .*?\b(?:to|try) (https?:\S+)/.exec(error instanceof Error ? error.message : '') ?? [];
	return target;
}

/** The server's own error text, if the body has a known format. */
function wordsIn(error: unknown): string | undefined {
	const { text } = responseIn(error);
	if (typeof text !== 'string') {
		return undefined;
	}
	let body: Json | undefined;
	try {
		body = JSON.parse(text.slice(0, 10_000));
	} catch {
		return undefined;
	}
	const inner = own(body, 'error');
	const words = [own(inner, 'message'), own(body, 'error_description'), own(body, 'message'), inner].find(
		(each) => typeof each === 'string' && each.trim() !== '',
	);
	return isObject(body) && typeof words === 'string' ? sentence(shorten(words, MAX_TEXT)) : undefined;
}
