import {
	InsecureTokenEndpointError,
	IssuerMismatchError,
	OAuthError,
	OAuthErrorCode,
	RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { shorten } from '../../elicitation/display.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { isPassing } from '../http/httpError.ts';
import { causeCode, Failure, messageOf, Reason, sentence } from '../wire/failure.ts';
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

/** The authorization server refused in the browser. */
export class Refused extends Error {
	constructor(
		readonly code: string,
		readonly description: string,
	) {
		super(code);
	}
}

/** The authorization server accepts only clients that were registered manually. */
export class Unregistrable extends Error {
	constructor(readonly issuer: string) {
		super(issuer);
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
	return error instanceof Undescribed || error instanceof Unintelligible
		? isPassing(error.status)
		: error instanceof OAuthError && PASSING.has(error.code);
}

/**
 * True if the authorization server may no longer know this client: it says so, or it showed an error page that doesn't
 * redirect back.
 */
export function isUnknownClient(error: unknown): boolean {
	if (error instanceof NotSignedIn) {
		return error.why === 'late' || error.why === 'abandoned';
	}
	const code = error instanceof OAuthError || error instanceof Refused ? error.code : '';
	return code === 'invalid_client' || code === 'unauthorized_client';
}

/** Explains why a sign-in failed: what happened and what to do. */
export function explainSignIn(definition: HttpDefinition, error: unknown): Failure {
	return explain(definition, error, localizable('Start the server to sign in.'), true);
}

/** Explains why a token could not be refreshed. The sign-in is kept. */
export function explainRenewal(definition: HttpDefinition, error: unknown): Failure {
	const fix = localizable(
		'Try again later. If the problem persists, sign out, then start the server to sign in again.',
	);
	return explain(definition, error, fix, false);
}

/** @param fix what to do unless the failure is final */
function explain(definition: HttpDefinition, error: unknown, fix: Sentence, signIn: boolean): Failure {
	if (error instanceof Failure) {
		return error;
	}
	const { name } = definition;
	const final = explainFinal(definition, error);
	return final
		? new Failure(name, ...final, { cause: error })
		: new Failure(name, explainAttempt(definition, error), fix, { cause: error, signIn });
}

/** Failures that a retry wouldn't resolve. */
function explainFinal({ url }: HttpDefinition, error: unknown): [what: Sentence, fix: Sentence] | undefined {
	if (error instanceof IssuerMismatchError) {
		return [
			localizable('The response to the sign-in did not come from the expected authorization server and was not used.'),
			localizable('Someone may be tampering with it: tell whoever runs the server.'),
		];
	}
	if (error instanceof Unregistrable || error instanceof RegistrationRejectedError) {
		return [
			error instanceof Unregistrable
				? localizable('{0} signs in only clients that are registered with it.', shorten(error.issuer, MAX_ISSUER))
				: localizable(
						'{0} requires a sign-in, but does not let this client register for it (HTTP status {1}).',
						url,
						error.status,
					),
			localizable(
				'Set "oauth.clientId" in its definition to a client that is registered there, or put a token into "headers".',
			),
		];
	}
	if (error instanceof InsecureTokenEndpointError) {
		return [
			localizable('The authorization server issues its tokens without encryption.'),
			localizable('Tell whoever runs the server.'),
		];
	}
	return error instanceof Reason ? [error.sentence, localizable('Tell whoever runs the server.')] : undefined;
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
	if (error instanceof Refused || error instanceof OAuthError) {
		const description = error instanceof Refused ? error.description : error.message;
		const code = shorten(error.code, 64);
		return description === ''
			? localizable('The authorization server refused the sign-in: {0}.', code)
			: localizable('The authorization server refused the sign-in ({0}): {1}', code, sentence(description));
	}
	const code = causeCode(error);
	return code === undefined
		? localizable('Signing in failed: {0}', messageOf(error))
		: localizable('The authorization server for {0} could not be reached ({1}).', url, code);
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
