import { shorten } from '../display.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { type HostKind, isAddress, kindOfHost } from './hosts.ts';
import { escapeInvisible, INVISIBLE } from './invisible.ts';
import { domainOf, isEncodedLabel, MAX_HOST_LENGTH, partsOf, type UrlParts, unicodeLabel } from './urlParts.ts';

export interface UrlOptions {
	/** Where `http:` may be opened (setting `url.allowInsecure`). */
	readonly insecure: 'never' | 'loopback' | 'always';
	/** The host of the requesting server, if it has one. */
	readonly serverHost?: string;
	/** True if the extension host runs on a remote computer. */
	readonly remoteWindow?: boolean;
}

/** A server's URL, parsed and assessed. All parts are empty if the text is not a URL. */
export interface UrlReport extends UrlParts {
	readonly verdict: 'ask' | 'refuse';
	/** Why it is refused. */
	readonly reason?: Sentence;
	/** The server wrote something other than `href`: show both. */
	readonly differs: boolean;
	/** Suspicious properties. */
	readonly warnings: readonly Sentence[];
	/** Harmless properties worth mentioning. */
	readonly notes: readonly Sentence[];
}

const MAX_LENGTH = 8_192;
const LONG_HOST = 60;
/** Max number of parameters with URLs that are named. Further ones are counted. */
const NAMED = 5;
const NAME_LENGTH = 64;
const INNER_URL = /(?:^|[^a-z0-9+.-])(?:https?|wss?|ftp|file|javascript|data|vscode(?:-insiders)?):|^[\\/]{2}[^\\/]/i;

/** Parses a server's URL and decides whether the user may be asked to open it. Fetches and looks up nothing. */
export function inspectUrl(raw: string, options: UrlOptions): UrlReport {
	const url = URL.canParse(raw) ? new URL(raw) : undefined;
	const reason = refusal(raw, url, options);
	if (url === undefined) {
		return { ...EMPTY, ...(reason && { reason }) };
	}
	return {
		...partsOf(url),
		verdict: reason === undefined ? 'ask' : 'refuse',
		...(reason && { reason }),
		// `https://example.com` and `https://example.com/` are the same to users.
		differs: raw !== url.href && `${raw}/` !== url.href,
		warnings: reason === undefined ? warningsOf(raw, url, options) : [],
		notes: reason === undefined ? notesOf(url, options) : [],
	};
}

const EMPTY: UrlReport = {
	verdict: 'refuse',
	href: '',
	differs: false,
	scheme: '',
	userInfo: '',
	host: '',
	unicodeHost: '',
	domain: '',
	port: '',
	path: '',
	parameters: [],
	fragment: '',
	warnings: [],
	notes: [],
};

function refusal(raw: string, url: URL | undefined, options: UrlOptions): Sentence | undefined {
	// Non-ASCII text grows when it is encoded.
	if (raw.length > MAX_LENGTH || (url !== undefined && url.href.length > MAX_LENGTH)) {
		return localizable('The URL is longer than {0} characters.', MAX_LENGTH);
	}
	if (INVISIBLE.test(raw)) {
		return localizable('The URL contains white space or invisible characters.');
	}
	if (raw.includes('\\')) {
		return localizable('The URL contains a backslash.');
	}
	if (url === undefined) {
		return localizable('This is not a valid URL.');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return localizable('Only https: pages are opened; this is {0}', url.protocol.slice(0, 64));
	}
	// The parser tolerates missing and extra slashes, but users read `https:/a.example` differently.
	const authority = /^https?:\/\/([^/?#]+)/i.exec(raw)?.[1];
	if (authority === undefined || url.hostname.length > MAX_HOST_LENGTH) {
		return localizable('This is not a valid URL.');
	}
	if (url.username !== '' || url.password !== '' || authority.includes('@')) {
		return localizable('The URL contains user information in front of the host.');
	}
	if (url.protocol === 'http:' && !mayBeInsecure(kindOfHost(url.hostname), options)) {
		return options.insecure === 'never'
			? localizable('The page is not encrypted (http:).')
			: localizable('The page is not encrypted (http:) and not on this computer.');
	}
	return undefined;
}

function mayBeInsecure(kind: HostKind, { insecure }: UrlOptions): boolean {
	return insecure === 'always' || (insecure === 'loopback' && kind === 'loopback');
}

function warningsOf(raw: string, url: URL, options: UrlOptions): Sentence[] {
	return [...hostWarnings(raw, url, options), ...addressWarnings(url), ...parameterWarnings(url)];
}

function hostWarnings(raw: string, url: URL, { serverHost }: UrlOptions): Sentence[] {
	const host = url.hostname;
	const warnings = host
		.split('.')
		.filter(isEncodedLabel)
		.map((label) =>
			localizable(
				'The host has letters that can look like others: "{0}" is written "{1}".',
				label,
				escapeInvisible(unicodeLabel(label)),
			),
		);
	if (isAddress(host)) {
		// IP addresses and ports are normal for local pages.
		const local = kindOfHost(host) === 'loopback';
		const written = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(raw)?.[1] ?? '';
		if (written.toLowerCase() !== host) {
			warnings.push(localizable('The host is a number in disguise: "{0}" means {1}.', written, host));
		} else if (!local) {
			warnings.push(localizable('The host is a number, not a name.'));
		}
	}
	if (host.endsWith('.')) {
		warnings.push(localizable('The host ends with a dot.'));
	}
	if (host.length > LONG_HOST) {
		warnings.push(localizable('The host is very long; its domain is {0}.', domainOf(host)));
	}
	if (
		serverHost !== undefined &&
		kindOfHost(serverHost) !== 'loopback' &&
		domainOf(host) !== domainOf(serverHost.toLowerCase())
	) {
		warnings.push(
			localizable('The page is on {0}, but the server is on {1}.', domainOf(host), domainOf(serverHost.toLowerCase())),
		);
	}
	return warnings;
}

const KIND_WARNINGS = new Map<HostKind, Sentence>([
	['unspecified', localizable('The address stands for this computer itself.')],
	['metadata', localizable('This address serves the credentials of cloud machines.')],
	['link-local', localizable('The address is on the local network link.')],
	['private', localizable('The address is in a private network.')],
	['local-name', localizable('The host is a name in a private network.')],
]);

function addressWarnings(url: URL): Sentence[] {
	const kind = kindOfHost(url.hostname);
	const warnings: Sentence[] = [];
	const warning = KIND_WARNINGS.get(kind);
	if (warning !== undefined) {
		warnings.push(warning);
	}
	if (url.protocol === 'http:' && kind !== 'loopback') {
		warnings.push(localizable('The page is not encrypted (http:).'));
	}
	if (url.port !== '' && kind !== 'loopback') {
		warnings.push(localizable('The port is not the usual one: {0}.', url.port));
	}
	return warnings;
}

function notesOf(url: URL, { remoteWindow }: UrlOptions): Sentence[] {
	return remoteWindow === true && kindOfHost(url.hostname) === 'loopback'
		? [localizable('In this remote window the editor forwards the address to the remote computer.')]
		: [];
}

function parameterWarnings(url: URL): Sentence[] {
	const inFragment = url.hash.includes('=') ? [...new URLSearchParams(url.hash.slice(1))] : [];
	const names = [...url.searchParams, ...inFragment].filter(([, value]) => holdsUrl(value)).map(([name]) => name);
	const different = [...new Set(names)];
	const named = different.slice(0, NAMED);
	const more = different.length - named.length;
	return [
		...named.map((name) =>
			localizable('The parameter "{0}" holds another URL.', shorten(escapeInvisible(name), NAME_LENGTH)),
		),
		...(more > 0 ? [localizable('More parameters that hold other URLs: {0}.', more)] : []),
	];
}

/** Decodes repeatedly, so that multiple encoding hides nothing. */
function holdsUrl(value: string): boolean {
	let text = value;
	for (let round = 0; round < 3; round++) {
		if (INNER_URL.test(text)) {
			return true;
		}
		try {
			text = decodeURIComponent(text);
		} catch {
			return false;
		}
	}
	return false;
}
