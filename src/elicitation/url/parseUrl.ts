/**
 * Parses a URL, which may be relative to `base`; undefined if it is none. Not by `URL.canParse`: once Node 20 and 22 have
 * compiled a call of it, they take a host with letters of Latin-1, such as `münchen.de`, for none.
 */
export function parseUrl(text: string, base?: URL | string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
