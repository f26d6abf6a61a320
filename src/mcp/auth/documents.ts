import type {
	OAuthClientInformation,
	OAuthMetadata,
	OAuthProtectedResourceMetadata,
	OAuthTokens,
} from '@modelcontextprotocol/client';
import { given, isFilledText } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { parseUrl } from '../../elicitation/url/parseUrl.ts';
import { Reason } from '../wire/failure.ts';

/*
 * What others write about a sign-in, and what is stored of it, read by what is needed: a member that is null, blank, empty,
 * or of another type is absent, and nothing else is looked at.
 */

/** A client at an authorization server. */
export interface Client extends OAuthClientInformation {
	readonly redirect_uris?: readonly string[];
	readonly token_endpoint_auth_method?: string;
	/** The user has entered it, as one that is registered there already. */
	readonly entered?: true;
}

/** What a server says about itself (RFC 9728). */
export type ResourceMetadata = Partial<
	Pick<OAuthProtectedResourceMetadata, 'resource' | 'authorization_servers' | 'scopes_supported'>
>;

/** An error of an authorization server (RFC 6749, section 5.2). */
export interface OAuthErrorText {
	readonly code: string;
	readonly description: string;
}

export function readResourceMetadata(document: unknown): ResourceMetadata {
	return present({
		resource: textIn(document, 'resource'),
		authorization_servers: textsIn(document, 'authorization_servers')?.filter((url) => parseUrl(url) !== undefined),
		scopes_supported: textsIn(document, 'scopes_supported'),
	});
}

/**
 * The metadata of an authorization server (RFC 8414). Throws a Reason if something is missing without which nobody can
 * sign in.
 * @param at where they are, for the error
 */
export function readServerMetadata(document: unknown, at: string): OAuthMetadata {
	const needed = (name: string) => {
		const text = textIn(document, name);
		if (text === undefined) {
			throw new Reason(localizable('The document at {0} lacks "{1}", without which nobody can sign in.', at, name));
		}
		return text;
	};
	return {
		issuer: needed('issuer'),
		authorization_endpoint: needed('authorization_endpoint'),
		token_endpoint: needed('token_endpoint'),
		response_types_supported: textsIn(document, 'response_types_supported') ?? ['code'],
		...present({
			registration_endpoint: textIn(document, 'registration_endpoint'),
			revocation_endpoint: textIn(document, 'revocation_endpoint'),
			scopes_supported: textsIn(document, 'scopes_supported'),
			token_endpoint_auth_methods_supported: textsIn(document, 'token_endpoint_auth_methods_supported'),
			code_challenge_methods_supported: textsIn(document, 'code_challenge_methods_supported'),
			client_id_metadata_document_supported: isTrue(document, 'client_id_metadata_document_supported'),
			authorization_response_iss_parameter_supported: isTrue(
				document,
				'authorization_response_iss_parameter_supported',
			),
		}),
	};
}

/** A registered client (RFC 7591, section 3.2.1). Undefined if it has no id. */
export function readClient(document: unknown): Client | undefined {
	const id = textIn(document, 'client_id');
	const secret = textIn(document, 'client_secret');
	const expires = Number(textIn(document, 'client_secret_expires_at'));
	return id === undefined
		? undefined
		: {
				client_id: id,
				...(secret !== undefined && {
					client_secret: secret,
					...present({ token_endpoint_auth_method: textIn(document, 'token_endpoint_auth_method') }),
					...(Number.isFinite(expires) && { client_secret_expires_at: expires }),
				}),
				...present({ redirect_uris: textsIn(document, 'redirect_uris') }),
				...(isTrue(document, 'entered') && { entered: true }),
			};
}

/** Tokens (RFC 6749, section 5.1). Undefined if there are none. */
export function readTokens(document: unknown): OAuthTokens | undefined {
	const token = textIn(document, 'access_token');
	return token === undefined
		? undefined
		: {
				access_token: token,
				token_type: textIn(document, 'token_type') ?? 'Bearer',
				...present({
					scope: textsIn(document, 'scope')?.join(' '),
					refresh_token: textIn(document, 'refresh_token'),
				}),
			};
}

/** Why something was refused. Undefined if the document does not say so. */
export function readError(document: unknown): OAuthErrorText | undefined {
	const code = textIn(document, 'error');
	return code === undefined ? undefined : { code, description: textIn(document, 'error_description') ?? '' };
}

/** An issuer as it is compared: the slash of an empty path says nothing (RFC 3986, section 6.2.3). */
export function canonicalIssuer(issuer: string): string {
	const url = parseUrl(issuer);
	return url && url.href === `${url.origin}/` ? url.origin : issuer;
}

export function isSameIssuer(one: string, other: string): boolean {
	return canonicalIssuer(one) === canonicalIssuer(other);
}

export function textsIn(document: unknown, name: string): string[] | undefined {
	const value = given(document, name);
	const texts = (Array.isArray(value) ? value : [value]).filter(isFilledText);
	return texts.length > 0 ? texts : undefined;
}

function textIn(document: unknown, name: string): string | undefined {
	const value = given(document, name);
	return isFilledText(value) ? value : typeof value === 'number' ? String(value) : undefined;
}

function isTrue(document: unknown, name: string): true | undefined {
	const value = given(document, name);
	return value === true || value === 'true' ? true : undefined;
}

/** An object without its members that are undefined. */
export function present<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
