import { isFilledText, type Json } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { whyRefused } from '../elicitation/url/urlSafety.ts';

/** How this client identifies itself when an HTTP server requires authorization. The shape of `mcp.json`. */
export interface OAuth {
	/** The client id, if this client is already registered with the authorization server. */
	readonly clientId?: string;
	/** URL of a document that describes this client (OAuth Client ID Metadata Document). */
	readonly clientMetadataUrl?: string;
	/** Scopes to request instead of those that the server proposes. */
	readonly scopes?: readonly string[];
	/** Local port for the redirect, if the authorization server expects a certain one. */
	readonly callbackPort?: number;
}

interface Member {
	fits(value: Json): boolean;
	readonly message: Sentence;
}

/** Validation of the members. */
export const oauthMembers: Readonly<Record<keyof OAuth, Member>> = {
	clientId: { fits: isFilledText, message: localizable('must be a string that is not empty.') },
	clientMetadataUrl: {
		// The URL may contain variables.
		fits: (value) => isFilledText(value) && (value.includes('${') || isDocument(value)),
		message: localizable('must be the https: address of a document.'),
	},
	scopes: {
		fits: (value) => Array.isArray(value) && value.every((scope) => isFilledText(scope) && !/\s/.test(scope)),
		message: localizable('must be a list of strings without spaces.'),
	},
	callbackPort: {
		fits: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536,
		message: localizable('must be a port, a whole number from 1 to 65535.'),
	},
};

function isDocument(text: string): boolean {
	return whyRefused(text, { insecure: 'never' }) === undefined && new URL(text).pathname !== '/';
}
