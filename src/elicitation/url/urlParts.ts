// The file, because `punycode` alone is the deprecated module of Node.
import punycode from 'punycode/punycode.js';
import { getDomain } from 'tldts';

/** No name in the DNS is longer. */
export const LONGEST_HOST = 253;

/** One query parameter. Server text, all of it. */
export interface UrlParameter {
	readonly name: string;
	readonly value: string;
	/** As it stands in the URL, where that is not `name=value`. */
	readonly written?: string;
}

/** A URL taken apart for a user. All texts but `host` and `scheme` may hold anything that a server can write. */
export interface UrlParts {
	/** Exactly what will be opened. */
	readonly href: string;
	readonly scheme: string;
	/** What stands in front of the host; empty in every URL that may be opened. */
	readonly userInfo: string;
	/** ASCII, without the port. */
	readonly host: string;
	readonly unicodeHost: string;
	/** The registrable domain (`evil.test` of `bank.example.evil.test`); the host itself where there is none. */
	readonly domain: string;
	/** Empty for the scheme's default. */
	readonly port: string;
	readonly path: string;
	readonly parameters: readonly UrlParameter[];
	/** Without the `#`. */
	readonly fragment: string;
}

export function takeApart(url: URL): UrlParts {
	const host = url.hostname;
	return {
		href: url.href,
		scheme: url.protocol.slice(0, -1),
		userInfo: url.password === '' ? url.username : `${url.username}:${url.password}`,
		host,
		// What is decoded one insertion after the other takes its time.
		unicodeHost: host.length > LONGEST_HOST ? host : unicodeHost(host),
		domain: domainOf(host),
		port: url.port,
		path: url.pathname,
		parameters: parametersOf(url),
		fragment: url.hash.slice(1),
	};
}

/** The host with every `xn--` label decoded (RFC 3492). */
export function unicodeHost(host: string): string {
	return host.split('.').map(unicodeLabel).join('.');
}

export function isEncodedLabel(label: string): boolean {
	return label.startsWith('xn--');
}

/** A label that cannot be decoded stays as it is. */
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
