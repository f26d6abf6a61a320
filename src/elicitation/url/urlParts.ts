// The full path, because `punycode` alone is Node's deprecated module.
import punycode from 'punycode/punycode.js';
import { getDomain } from 'tldts';

/** Max length of a DNS name (RFC 1035, section 2.3.4). */
export const MAX_HOST_LENGTH = 253;

/** A query parameter. Server text. */
export interface UrlParameter {
	readonly name: string;
	readonly value: string;
	/** The original text, if it is not `name=value`. */
	readonly written?: string;
}

/** The parts of a URL for display. All texts except `host` and `scheme` are untrusted server text. */
export interface UrlParts {
	/** Exactly what is opened. */
	readonly href: string;
	readonly scheme: string;
	/** The part before the host. Empty in every URL that may be opened. */
	readonly userInfo: string;
	/** ASCII, without the port. */
	readonly host: string;
	readonly unicodeHost: string;
	/** The registrable domain (`evil.test` of `bank.example.evil.test`), or the host if there is none. */
	readonly domain: string;
	/** Empty for the scheme's default. */
	readonly port: string;
	readonly path: string;
	readonly parameters: readonly UrlParameter[];
	/** Without the `#`. */
	readonly fragment: string;
}

export function partsOf(url: URL): UrlParts {
	const host = url.hostname;
	return {
		href: url.href,
		scheme: url.protocol.slice(0, -1),
		userInfo: url.password === '' ? url.username : `${url.username}:${url.password}`,
		host,
		// Skips longer hosts, because decoding them is slow.
		unicodeHost: host.length > MAX_HOST_LENGTH ? host : unicodeHost(host),
		domain: domainOf(host),
		port: url.port,
		path: url.pathname,
		parameters: parametersOf(url),
		fragment: url.hash.slice(1),
	};
}

/** Decodes every `xn--` label of a host (RFC 3492). */
export function unicodeHost(host: string): string {
	return host.split('.').map(unicodeLabel).join('.');
}

export function isEncodedLabel(label: string): boolean {
	return label.startsWith('xn--');
}

/** Returns a label unchanged if it cannot be decoded. */
export function unicodeLabel(label: string): string {
	if (!isEncodedLabel(label)) {
		return label;
	}
	try {
		return punycode.decode(label.slice('xn--'.length));
	} catch {
		return label;
	}
}

export function domainOf(host: string): string {
	return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

function parametersOf(url: URL): UrlParameter[] {
	const written = url.search
		.slice(1)
		.split('&')
		.filter((piece) => piece !== '');
	return [...url.searchParams].map(([name, value], at) => {
		const piece = written[at] ?? '';
		return { name, value, ...(piece !== `${name}=${value}` && { written: piece }) };
	});
}
