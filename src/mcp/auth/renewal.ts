import { setTimeout as pause } from 'node:timers/promises';
import { computeScopeUnion, refreshAuthorization } from '@modelcontextprotocol/client';
import type { Credentials } from './credentials.ts';
import { discover } from './discovery.ts';
import { explainRenewal, isFinal, isUnknownClient, Refused } from './explainSignIn.ts';
import { revoke } from './revocation.ts';
import { type AuthChallenge, SignInNeeded } from './signIn.ts';
import { endpointsOf, type FlowContext, sendable } from './signInFlow.ts';

/**
 * Errors that say that a sign-in has ended, so that the user is asked at once. Any other refusal is shown first. GitHub has
 * a code of its own for a refresh token that is no longer valid.
 */
const ENDED: ReadonlySet<string> = new Set([
	...['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target'],
	...['unsupported_grant_type', 'bad_refresh_token'],
]);

/** How long another window may take to store the tokens that it got (ms). */
const STORING = 250;

/** Refreshes the token without the user. Throws `SignInNeeded` if that isn't possible. */
export async function renew(context: FlowContext, challenge: AuthChallenge): Promise<void> {
	const { credentials } = context;
	const refused = await credentials.token();
	credentials.refresh();
	const token = await credentials.token();
	if (token !== undefined && token !== refused) {
		// Another window has refreshed it already.
		return;
	}
	if (token === undefined) {
		throw new SignInNeeded(challenge);
	}
	try {
		await refresh(context, challenge);
	} catch (error) {
		throw error instanceof SignInNeeded ? error : explainRenewal(context.definition, error);
	}
}

async function refresh(context: FlowContext, challenge: AuthChallenge): Promise<void> {
	const { credentials, definition, fetch, info } = context;
	const { generation } = credentials;
	const found = await discover({ definition, fetch }, challenge.resourceMetadataUrl);
	const { issuer, authorizationServerUrl, authorizationServerMetadata: metadata, resource } = found;
	const { tokens, client, endpoints = [] } = await credentials.of(issuer);
	// What was granted in addition would be refused, and asked for, one by one again.
	const scope = computeScopeUnion(challenge.scope, tokens?.scope);
	const needed = new SignInNeeded({ ...challenge, ...(scope !== undefined && { scope }) });
	if (tokens?.refresh_token === undefined || !client) {
		throw needed;
	}
	const { tokenEndpoint } = endpointsOf(context, found);
	if (!endpoints.includes(tokenEndpoint)) {
		info(`The sign-in at ${issuer} is not renewed: its token endpoint has changed to ${tokenEndpoint}.`);
		throw needed;
	}
	try {
		const fresh = await refreshAuthorization(authorizationServerUrl, {
			...(metadata && { metadata }),
			...(resource !== undefined && { resource }),
			clientInformation: client,
			refreshToken: tokens.refresh_token,
			// Optional, and what was granted (RFC 6749, section 6). Microsoft Entra refuses a refresh without it.
			...(tokens.scope !== undefined && { scope: tokens.scope }),
			fetchFn: fetch,
		});
		const account = { tokens: sendable(fresh), client, endpoints };
		if (!(await credentials.saveSignIn(issuer, account, generation))) {
			// The user has signed out meanwhile, perhaps in another window.
			await revoke(context, issuer, account);
			throw new SignInNeeded(challenge);
		}
		info(`Renewed the sign-in at ${issuer}.`);
	} catch (error) {
		if (!isFinal(error)) {
			throw error;
		}
		if (await isRenewedElsewhere(credentials, issuer, tokens.refresh_token)) {
			return;
		}
		const code = error instanceof Refused ? error.error.code : String(error);
		info(`The sign-in at ${issuer} has ended: ${code}.`);
		const { refresh_token: _refused, ...rest } = tokens;
		await credentials.save(issuer, { tokens: rest, ...(isUnknownClient(error) && { client: undefined }) }, generation);
		throw ENDED.has(code) ? needed : error;
	}
}

/** True if another window has stored other tokens: the one that came second got the error. */
async function isRenewedElsewhere(credentials: Credentials, issuer: string, sent: string): Promise<boolean> {
	for (let attempt = 0; ; attempt++) {
		credentials.refresh();
		const stored = (await credentials.of(issuer)).tokens?.refresh_token;
		if (stored !== sent || attempt > 0) {
			return stored !== undefined && stored !== sent;
		}
		await pause(STORING);
	}
}
