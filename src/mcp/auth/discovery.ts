import {
	buildDiscoveryUrls,
	checkResourceAllowed,
	type FetchLike,
	type OAuthMetadata,
	resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { HttpDefinition } from '../../config/definition.ts';
import { shorten } from '../../elicitation/display.ts';
import { isObject, type JsonObject } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { parseUrl } from '../../elicitation/url/parseUrl.ts';
import { isPassing } from '../http/httpError.ts';
import { Reason } from '../wire/failure.ts';
import { isSameIssuer, type ResourceMetadata, readResourceMetadata, readServerMetadata } from './documents.ts';
import { MAX_ISSUER, Undescribed, WrongIssuer } from './explainSignIn.ts';

/** An authorization server as described by the MCP server and by its own metadata. */
export interface Found {
	readonly authorizationServerUrl: string;
	readonly authorizationServerMetadata?: OAuthMetadata;
	readonly resourceMetadata?: ResourceMetadata;
	readonly issuer: string;
	/** The resource identifier of the server, which tokens are bound to. */
	readonly resource: string | undefined;
}

interface DiscoveryContext {
	readonly definition: HttpDefinition;
	readonly fetch: FetchLike;
}

/** Discovers the authorization server. Not cached, because it may change (SEP-2352). */
export async function discover(
	{ definition: { url }, fetch }: DiscoveryContext,
	resourceMetadataUrl: URL | undefined,
): Promise<Found> {
	const described = await firstDocument(fetch, resourceMetadataUrl ? [resourceMetadataUrl] : resourceUrls(url));
	const resourceMetadata = described && readResourceMetadata(described.document);
	// Servers that don't say so are their own authorization server.
	const [authorizationServerUrl = new URL('/', url).href] = resourceMetadata?.authorization_servers ?? [];
	const metadata = await discoverServer(fetch, authorizationServerUrl);
	const resource = resourceMetadata?.resource;
	if (resource !== undefined && !isResource(url, resource)) {
		throw new Reason(
			localizable('The server says that it is {0}, which is another address.', shorten(resource, MAX_ISSUER)),
		);
	}
	return {
		authorizationServerUrl,
		...(metadata && { authorizationServerMetadata: metadata }),
		...(resourceMetadata && { resourceMetadata }),
		issuer: metadata?.issuer ?? authorizationServerUrl,
		resource,
	};
}

/** The metadata of an authorization server, if it has any. Throws if they belong to another one (RFC 8414, section 3.3). */
export async function discoverServer(fetch: FetchLike, issuer: string): Promise<OAuthMetadata | undefined> {
	const urls = buildDiscoveryUrls(issuer).map(({ url }) => url);
	const described = await firstDocument(fetch, urls);
	const metadata = described && readServerMetadata(described.document, described.url);
	if (metadata && !isSameIssuer(metadata.issuer, issuer)) {
		throw new WrongIssuer('metadata', issuer, metadata.issuer);
	}
	return metadata;
}

/** Where a server describes itself (RFC 9728, section 3.1), and where those do that know nothing of paths. */
function resourceUrls(server: string): URL[] {
	const { pathname, search } = new URL(server);
	const root = new URL('/.well-known/oauth-protected-resource', server);
	const own = new URL(root.pathname + pathname.replace(/\/$/, '') + search, server);
	return own.href === root.href ? [root] : [own, root];
}

/**
 * The first of these documents that is there. A server that can't be asked at the moment is not taken for one without: the
 * user would sign in somewhere else.
 */
async function firstDocument(
	fetch: FetchLike,
	urls: readonly URL[],
): Promise<{ readonly url: string; readonly document: JsonObject } | undefined> {
	let undescribed: Undescribed | undefined;
	for (const { href: url } of urls) {
		const response = await fetch(url, { headers: { accept: 'application/json' } });
		if (isPassing(response.status)) {
			undescribed = new Undescribed(url, response.status);
		}
		if (!response.ok) {
			await response.body?.cancel();
			if (response.status >= 500 && response.status !== 502) {
				break;
			}
			// Some proxies have 502 for what is not there.
			continue;
		}
		const document: unknown = await response.json().catch(() => undefined);
		if (isObject(document)) {
			return { url, document };
		}
	}
	if (undescribed) {
		throw undescribed;
	}
	return undefined;
}

function isResource(server: string, resource: string): boolean {
	const requestedResource = resourceUrlFromServerUrl(server);
	return parseUrl(resource) !== undefined && checkResourceAllowed({ requestedResource, configuredResource: resource });
}
