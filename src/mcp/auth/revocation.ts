import { assertSecureTokenEndpoint, type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client';
import type { Account } from './credentials.ts';
import { discoverServer } from './discovery.ts';

interface RevocationContext {
	readonly fetch: FetchLike;
	/** Writes a line to the server's log. */
	info(line: string): void;
}

/** Revokes the tokens if the authorization server supports it (RFC 7009). Never rejects. */
export async function revoke({ fetch, info }: RevocationContext, issuer: string, account: Account): Promise<void> {
	const { tokens, client } = account;
	try {
		const metadata = await discoverServer(fetch, issuer);
		const endpoint = metadata?.revocation_endpoint;
		if (endpoint === undefined || !tokens || !client) {
			return;
		}
		if (!account.endpoints?.includes(endpoint)) {
			info(`The sign-in at ${issuer} was not revoked: you have not agreed to its endpoint ${endpoint}.`);
			return;
		}
		const body = new URLSearchParams({ token: tokens.refresh_token ?? tokens.access_token });
		const headers = new Headers();
		const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
		if (client.client_secret !== undefined && selectClientAuthMethod(client, methods) === 'client_secret_basic') {
			headers.set('authorization', `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`);
		} else {
			body.set('client_id', client.client_id);
			if (client.client_secret !== undefined) {
				body.set('client_secret', client.client_secret);
			}
		}
		const { ok, status } = await fetch(assertSecureTokenEndpoint(endpoint), {
			method: 'POST',
			headers,
			body,
			redirect: 'error',
		});
		info(ok ? `Revoked the sign-in at ${issuer}.` : `The sign-in at ${issuer} could not be revoked: status ${status}.`);
	} catch {
		info(`The sign-in at ${issuer} could not be revoked; it was forgotten all the same.`);
	}
}
