import type { FetchLike } from '@modelcontextprotocol/client';

/** Everything before the first Bearer challenge. Commas in quotes separate nothing. */
const BEFORE_BEARER = /^(?!bearer\b)(?:[^"]|"(?:[^"\\]|\\.)*")*?,\s*(?=bearer(?:[\s,]|$))/i;

/** Reduces several challenges (RFC 9110, section 11.6.1) to the one for tokens: the SDK reads only the first. */
export function bearerFetch(inner: FetchLike): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		const challenges = response.headers.get('www-authenticate');
		if (challenges !== null) {
			response.headers.set('www-authenticate', challenges.replace(BEFORE_BEARER, ''));
		}
		return response;
	};
}
