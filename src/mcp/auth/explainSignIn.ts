import { InsecureTokenEndpointError, OAuthErrorCode } from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import type { JsonPath } from '../../config/problem.ts';
import { shorten } from '../../elicitation/display.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { parseUrl } from '../../elicitation/url/parseUrl.ts';
import { isPassing } from '../http/httpError.ts';
import { causeCode, Failure, messageOf, Reason, sentence } from '../wire/failure.ts';
import type { OAuthErrorText } from './documents.ts';
import type { NoAnswer } from './signIn.ts';

/** Max length of an issuer in a message (characters). Issuers may have any length. */
export const MAX_ISSUER = 300;

/** The user did not come back from the authorization server. */
export class NotSignedIn extends Error {
	constructor(
		readonly why: NoAnswer,
		readonly issuer: string,
	) {
		super(why);
	}
}

/** The authorization server refused, in the browser or in response to a request. */
export class Refused extends Error {
	constructor(
		readonly error: OAuthErrorText,
		/** The HTTP status of the response; 0 in the browser. */
		readonly status = 0,
	) {
		super(error.code);
	}
}

/** The authorization server doesn't register this client. */
export class Unregistered extends Error {
	constructor(
		readonly status: number,
		readonly error: OAuthErrorText | undefined,
	) {
		super(`HTTP status ${status}`);
	}
}

/** An authorization server that is not the expected one. */
export class WrongIssuer extends Error {
	/**
	 * @param of what comes from it
	 * @param received absent if the response doesn't say from whom it comes, though it should
	 */
	constructor(
		readonly of: 'metadata' | 'response',
		readonly expected: string,
		readonly received: string | undefined,
	) {
		super('wrong issuer');
	}
}

/** The token endpoint responded with something else than OAuth defines, such as the error page of a proxy. */
export class Unintelligible extends Error {
	constructor(readonly status: number) {
		super(`HTTP status ${status}`);
	}
}

/** The server doesn't say at the moment which authorization server it trusts, or that one doesn't say how to sign in. */
export class Undescribed extends Error {
	constructor(
		readonly url: string,
		readonly status: number,
	) {
		super(`HTTP status ${status}`);
	}
}

/** Errors of an authorization server that may be gone on a retry. */
const PASSING: ReadonlySet<string> = new Set([
	OAuthErrorCode.ServerError,
	OAuthErrorCode.TemporarilyUnavailable,
	OAuthErrorCode.TooManyRequests,
]);

/** True if the authorization server, or what describes it, does not work at the moment. */
export function isOutage(error: unknown): boolean {
	return (hasStatus(error) && isPassing(error.status)) || (error instanceof Refused && PASSING.has(error.error.code));
}

/** True if the authorization server has refused, and would again. */
export function isFinal(error: unknown): boolean {
	return (error instanceof Refused || error instanceof Unintelligible) && !isOutage(error);
}

function hasStatus(error: unknown): error is Undescribed | Unintelligible | Unregistered | Refused {
	return [Undescribed, Unintelligible, Unregistered, Refused].some((type) => error instanceof type);
}

/**
 * True if the authorization server may no longer know this client: it says so, or it showed an error page that doesn't
 * redirect back.
 */
export function isUnknownClient(error: unknown): boolean {
	if (error instanceof NotSignedIn) {
		return error.why === 'late' || error.why === 'abandoned';
	}
	const code = error instanceof Refused ? error.error.code : '';
	return code === 'invalid_client' || code === 'unauthorized_client';
}

/** Explains why a sign-in failed: what happened and what to do. */
export function explainSignIn(definition: HttpDefinition, error: unknown): Failure {
	return explain(definition, error, localizable('Start the server to sign in.'), true);
}

/** Explains why a token could not be refreshed. The sign-in is kept unless the authorization server has refused it. */
export function explainRenewal(definition: HttpDefinition, error: unknown): Failure {
	return isFinal(error)
		? explain(definition, error, localizable('Sign in again.'), true)
		: explain(
				definition,
				error,
				localizable('Try again later. If the problem persists, sign out, then start the server to sign in again.'),
				false,
			);
}

interface Final extends Pick<Failure, 'what' | 'fix'> {
	readonly definition?: JsonPath;
}

/** @param fix what to do unless the failure is final */
function explain(definition: HttpDefinition, error: unknown, fix: Sentence, signIn: boolean): Failure {
	if (error instanceof Failure) {
		return error;
	}
	const { name } = definition;
	const final = explainFinal(definition, error);
	return final
		? new Failure(name, final.what, final.fix, { cause: error, definition: final.definition })
		: new Failure(name, explainAttempt(definition, error), fix, { cause: error, signIn });
}

/** Failures that a retry wouldn't resolve. With a definition if it can be corrected there. */
function explainFinal({ url }: HttpDefinition, error: unknown): Final | undefined {
	if (error instanceof WrongIssuer) {
		return explainIssuer(error);
	}
	if (error instanceof Unregistered && !isOutage(error)) {
		return {
			what: localizable(
				'{0} requires a sign-in, but does not let this client register for it (HTTP status {1}).',
				url,
				error.status,
			),
			fix: localizable(
				'Set "oauth.clientId" in its definition to a client that is registered there, or put a token into "headers".',
			),
			definition: [],
		};
	}
	if (error instanceof InsecureTokenEndpointError) {
		return {
			what: localizable('The authorization server issues its tokens without encryption.'),
			fix: localizable('Tell whoever runs the server.'),
		};
	}
	return error instanceof Reason
		? { what: error.sentence, fix: localizable('Tell whoever runs the server.') }
		: undefined;
}

function explainIssuer({ of, expected, received }: WrongIssuer): Final {
	const names = [expected, received ?? ''].map((name) => shorten(name, MAX_ISSUER));
	const what =
		of === 'metadata'
			? localizable('The server names the authorization server "{0}", which calls itself "{1}".', ...names)
			: received === undefined
				? localizable('The response to the sign-in does not say that it comes from "{0}", and was not used.', ...names)
				: localizable(
						'The response to the sign-in did not come from the expected authorization server and was not used. It came from "{1}", not "{0}".',
						...names,
					);
	return {
		what,
		fix:
			received !== undefined && placeOf(expected) === placeOf(received)
				? localizable('Both must be written alike, to the last slash: tell whoever runs the server.')
				: localizable('Someone may be tampering with it: tell whoever runs the server.'),
	};
}

/** The host and the path of an issuer. */
function placeOf(issuer: string): string {
	const { host, pathname } = parseUrl(issuer) ?? { host: '', pathname: issuer };
	return host + pathname.replace(/\/+$/, '');
}

function explainAttempt({ url }: HttpDefinition, error: unknown): Sentence {
	if (error instanceof NotSignedIn) {
		return notSignedIn(error);
	}
	if (error instanceof Undescribed) {
		return localizable('{0} responded with HTTP status {1}.', shorten(error.url, MAX_ISSUER), error.status);
	}
	if (error instanceof Unintelligible) {
		return localizable(
			'The authorization server for {0} gave no token, but responded with HTTP status {1}.',
			url,
			error.status,
		);
	}
	if (error instanceof Unregistered) {
		return localizable('The authorization server for {0} does not register this client: {1}', url, refusal(error));
	}
	if (error instanceof Refused) {
		const { description } = error.error;
		const code = shorten(error.error.code, 64);
		return description === ''
			? localizable('The authorization server refused the sign-in: {0}.', code)
			: localizable('The authorization server refused the sign-in ({0}): {1}', code, sentence(description));
	}
	const code = causeCode(error);
	return code === undefined
		? localizable('Signing in failed: {0}', messageOf(error))
		: localizable('The authorization server for {0} could not be reached ({1}).', url, code);
}

/** Why a registration was refused, in the words of the authorization server. */
export function refusal({ status, error }: Unregistered): string {
	const words = error && (error.description === '' ? error.code : error.description);
	return sentence(`HTTP status ${status}${words === undefined ? '' : `: ${words}`}`);
}

function notSignedIn({ why, issuer: whole }: NotSignedIn): Sentence {
	const issuer = shorten(whole, MAX_ISSUER);
	switch (why) {
		case 'declined':
			return localizable('You did not sign in at {0}.', issuer);
		case 'abandoned':
			return localizable('The sign-in at {0} was cancelled.', issuer);
		case 'unopened':
			return localizable('The sign-in URL at {0} could not be opened.', issuer);
		case 'late':
			return localizable('The sign-in at {0} was not completed in time.', issuer);
	}
}
