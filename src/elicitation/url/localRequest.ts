import { parseUrl } from './parseUrl.ts';

/** Names of this machine, without a port. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/i;

interface Headers {
	readonly host?: string | undefined;
	/** Pages send it with every POST. */
	readonly origin?: string | undefined;
}

/**
 * Whether a request that has reached a port of this machine only may be served. The host of a page that was rebound to this
 * address is another one; so is the origin of a page from elsewhere.
 */
export function isLocalRequest({ host = '', origin }: Headers): boolean {
	return (
		LOOPBACK.test(host.replace(/:\d+$/, '')) &&
		(origin === undefined || LOOPBACK.test(parseUrl(origin)?.hostname ?? ''))
	);
}
