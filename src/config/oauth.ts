import type { Json } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** How this client presents itself where an HTTP server demands a sign-in; shape as in `mcp.json`. */
export interface OAuth {
	/** The name under which this client is registered with the authorization server already. */
	readonly clientId?: string;
	/** The address of a document that describes this client (client id metadata document). */
	readonly clientMetadataUrl?: string;
	/** What to ask for, in the place of what the server proposes. */
	readonly scopes?: readonly string[];
	/** The port of this computer to which the browser comes back, where the authorization server knows it. */
	readonly callbackPort?: number;
}

interface Member {
	fits(value: Json): boolean;
	readonly message: Sentence;
}

const isText = (value: Json): value is string => typeof value === 'string' && value.trim() !== '';

/** What its members may be. */
export const oauthMembers: Readonly<Record<keyof OAuth, Member>> = {
	clientId: { fits: isText, message: localizable('must be a text that is not empty.') },
	clientMetadataUrl: {
		// A variable may stand for any part of it.
		fits: (value) => isText(value) && (value.includes('${') || isDocument(value)),
		message: localizable('must be the https: address of a document.'),
	},
	scopes: {
		fits: (value) => Array.isArray(value) && value.every((scope) => isText(scope) && !/\s/.test(scope)),
		message: localizable('must be a list of texts without spaces.'),
	},
	callbackPort: {
		fits: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536,
		message: localizable('must be a port, a whole number from 1 to 65535.'),
	},
};

function isDocument(text: string): boolean {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return url?.protocol === 'https:' && url.pathname !== '/';
}
