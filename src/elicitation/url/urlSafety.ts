import { shorten } from '../display.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { type HostKind, isAddress, kindOfHost } from './hosts.ts';
import { escapeInvisible, FOREIGN, INVISIBLE } from './invisible.ts';
import { parseUrl } from './parseUrl.ts';
import { domainOf, isEncodedLabel, MAX_HOST_LENGTH, partsOf, type UrlParts, unicodeLabel } from './urlParts.ts';

/** Where `http:` may be opened (setting `url.allowInsecure`). */
export type InsecureUrls = 'never' | 'loopback' | 'always';

export interface UrlOptions {
	readonly insecure: InsecureUrls;
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
	/** What deceives: a host that looks like another, or an address that gives things away. */
	readonly alarms: readonly Sentence[];
	/** What is unusual. */
	readonly warnings: readonly Sentence[];
	/** What is usual, such as where a sign-in returns to. */
	readonly notes: readonly Sentence[];
}

/** How much attention a URL needs; undefined if it is nothing unusual. */
export type UrlLevel = 'alarm' | 'warning' | undefined;

export function levelOf({ alarms, warnings }: Pick<UrlReport, 'alarms' | 'warnings'>): UrlLevel {
	return alarms.length > 0 ? 'alarm' : warnings.length > 0 ? 'warning' : undefined;
}

const MAX_LENGTH = 8_192;
const LONG_HOST = 60;
/** Max number of parameters with URLs that are named. Further ones are counted. */
const NAMED = 5;
const NAME_LENGTH = 64;
/** Parameters in which a sign-in names the page that follows (`redirect_uri` of OAuth, and what is common). */
const RETURN = /^(?:redirect|return|callback|continue|next|success|cancel)(?:[_-]?(?:ur[il]|to))?$/i;
const SCRIPT = /^\s*(?:javascript|data):/i;
const INNER_URL = /(?:^|[^a-z0-9+.-])(?:https?|wss?|ftp|file|javascript|data|vscode(?:-insiders)?):|^[\\/]{2}[^\\/]/i;

/** Parses a server's URL and decides whether the user may be asked to open it. Fetches and looks up nothing. */
export function inspectUrl(raw: string, options: UrlOptions): UrlReport {
	const url = parseUrl(raw);
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
		...(reason === undefined ? remarksOn(raw, url, options) : NO_REMARKS),
	};
}

type Remarks = Pick<UrlReport, 'alarms' | 'warnings' | 'notes'>;

const NO_REMARKS: Remarks = { alarms: [], warnings: [], notes: [] };

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
	...NO_REMARKS,
};

/** Why the user is not asked to open a URL; undefined if they may be. Says nothing else about it, and needs no list of domains. */
export function whyRefused(raw: string, options: Pick<UrlOptions, 'insecure'>): Sentence | undefined {
	return refusal(raw, parseUrl(raw), options);
}

function refusal(raw: string, url: URL | undefined, options: Pick<UrlOptions, 'insecure'>): Sentence | undefined {
	// Non-ASCII text grows when it is encoded.
	if (raw.length > MAX_LENGTH || (url !== undefined && url.href.length > MAX_LENGTH)) {
		return localizable('The URL is longer than {0} characters.', MAX_LENGTH);
	}
	if (INVISIBLE.test(raw)) {
		return localizable('The URL contains whitespace or invisible characters.');
	}
	if (raw.includes('\\')) {
		return localizable('The URL contains a backslash.');
	}
	if (url === undefined) {
		return localizable('This is not a valid URL.');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return localizable('Only https: URLs are opened; this is {0}', url.protocol.slice(0, 64));
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
			? localizable('The URL is not encrypted (http:).')
			: localizable('The URL is not encrypted (http:) and not on this computer.');
	}
	return undefined;
}

function mayBeInsecure(kind: HostKind, { insecure }: Pick<UrlOptions, 'insecure'>): boolean {
	return insecure === 'always' || (insecure === 'loopback' && kind === 'loopback');
}

function remarksOn(raw: string, url: URL, options: UrlOptions): Remarks {
	const parameters = parameterRemarks(url);
	return {
		alarms: [...hostAlarms(raw, url), ...parameters.alarms],
		warnings: [...hostWarnings(raw, url), ...addressWarnings(url), ...parameters.warnings],
		notes: [...parameters.notes, ...notesOf(url, options)],
	};
}

function hostAlarms(raw: string, url: URL): Sentence[] {
	const host = url.hostname;
	const alarms = host
		.split('.')
		.filter(isEncodedLabel)
		.map((label) =>
			localizable(
				'The host has letters that can look like others: "{0}" is written "{1}", with {2}.',
				label,
				escapeInvisible(unicodeLabel(label)),
				foreignLetters(unicodeLabel(label)),
			),
		);
	const written = writtenHost(raw);
	if (isAddress(host) && written.toLowerCase() !== host) {
		alarms.push(localizable('The host is a number in disguise: "{0}" means {1}.', written, host));
	}
	const alarm = KIND_ALARMS.get(kindOfHost(host));
	return alarm === undefined ? alarms : [...alarms, alarm];
}

/** Scripts whose letters look like Latin ones, and others that are common in hosts. */
const SCRIPTS: readonly (readonly [letter: RegExp, name: Sentence])[] = [
	[/\p{Script=Cyrillic}/u, localizable('{0} (Cyrillic)')],
	[/\p{Script=Greek}/u, localizable('{0} (Greek)')],
	[/\p{Script=Armenian}/u, localizable('{0} (Armenian)')],
	[/\p{Script=Cherokee}/u, localizable('{0} (Cherokee)')],
	[/\p{Script=Hebrew}/u, localizable('{0} (Hebrew)')],
	[/\p{Script=Arabic}/u, localizable('{0} (Arabic)')],
	[/\p{Script=Han}/u, localizable('{0} (Chinese)')],
	[/\p{Script=Latin}/u, localizable('{0} (Latin)')],
	[/./su, localizable('{0} (another script)')],
];

/** Max number of letters of one script that are listed. */
const LISTED = 10;

/** The letters of a label that are not those of plain names, by script. The label if there are none: it cannot be decoded. */
function foreignLetters(label: string): Sentence | string {
	const letters = new Set(label.match(FOREIGN)?.join(''));
	const named: (Sentence | string)[] = SCRIPTS.flatMap(([script, { text }]) => {
		const its = [...letters].filter((letter) => script.test(letter) && letters.delete(letter));
		const more = its.length > LISTED ? ['…'] : [];
		const list = [...its.slice(0, LISTED).map(escapeInvisible), ...more].join(', ');
		return its.length > 0 ? [{ text, args: [list] }] : [];
	});
	const [first = label, ...others] = named;
	return others.reduce((before, next) => localizable('{0}, {1}', before, next), first);
}

function writtenHost(raw: string): string {
	return /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(raw)?.[1] ?? '';
}

function hostWarnings(raw: string, url: URL): Sentence[] {
	const host = url.hostname;
	const warnings: Sentence[] = [];
	// IP addresses and ports are normal for local pages.
	if (writtenHost(raw).toLowerCase() === host && isAddress(host) && kindOfHost(host) !== 'loopback') {
		warnings.push(localizable('The host is a number, not a name.'));
	}
	if (host.endsWith('.')) {
		warnings.push(localizable('The host ends with a dot.'));
	}
	if (host.length > LONG_HOST) {
		warnings.push(localizable('The host is very long; its domain is {0}.', domainOf(host)));
	}
	return warnings;
}

const KIND_ALARMS = new Map<HostKind, Sentence>([
	['unspecified', localizable('The address stands for this computer itself.')],
	['metadata', localizable('This address serves the credentials of cloud machines.')],
]);

const KIND_WARNINGS = new Map<HostKind, Sentence>([
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
		warnings.push(localizable('The URL is not encrypted (http:).'));
	}
	if (url.port !== '' && kind !== 'loopback') {
		warnings.push(localizable('The port is not the usual one: {0}.', url.port));
	}
	return warnings;
}

function notesOf(url: URL, { remoteWindow, serverHost = '' }: UrlOptions): Sentence[] {
	const [page, server] = [domainOf(url.hostname), domainOf(serverHost.toLowerCase())];
	// Sign-ins are often on a domain of their own.
	const isForeign = serverHost !== '' && kindOfHost(serverHost) !== 'loopback' && page !== server;
	const notes = isForeign ? [localizable('The URL is on {0}, but the server is on {1}.', page, server)] : [];
	return remoteWindow === true && kindOfHost(url.hostname) === 'loopback'
		? [...notes, localizable('In this remote window the editor forwards the address to the remote computer.')]
		: notes;
}

function parameterRemarks(url: URL): Remarks {
	const inFragment = url.hash.includes('=') ? [...new URLSearchParams(url.hash.slice(1))] : [];
	const remarks = { alarms: new Set<string>(), warnings: new Set<string>(), returns: new Set<string>() };
	for (const [name, value] of [...url.searchParams, ...inFragment]) {
		const texts = decodings(value);
		const target = RETURN.test(name) ? plainUrl(value) : undefined;
		if (texts.some((text) => SCRIPT.test(text)) || isDeceptive(value)) {
			remarks.alarms.add(name);
		} else if (target) {
			remarks.returns.add(target.host);
		} else if (texts.some((text) => INNER_URL.test(text))) {
			remarks.warnings.add(name);
		}
	}
	return {
		alarms: named(remarks.alarms, (name) => localizable('The parameter "{0}" holds a suspicious URL.', name)),
		warnings: named(remarks.warnings, (name) => localizable('The parameter "{0}" holds another URL.', name)),
		// Not shortened, because a host ends with its domain.
		notes: [...remarks.returns].slice(0, NAMED).map((host) => localizable('Afterwards you return to {0}.', host)),
	};
}

function named(names: ReadonlySet<string>, remark: (name: string) => Sentence): Sentence[] {
	const more = names.size - NAMED;
	return [
		...[...names].slice(0, NAMED).map((name) => remark(shorten(escapeInvisible(name), NAME_LENGTH))),
		...(more > 0 ? [localizable('More parameters that hold other URLs: {0}.', more)] : []),
	];
}

/** A URL of a page that leads nowhere else. */
function plainUrl(text: string): URL | undefined {
	const url = parseUrl(text);
	const leadsOn = url && decodings(url.search + url.hash).some((decoded) => INNER_URL.test(decoded));
	return url && /^https?:$/.test(url.protocol) && !leadsOn ? url : undefined;
}

/** True if a URL hides its host: behind user information, look-alike letters, or a number. */
function isDeceptive(text: string): boolean {
	const url = parseUrl(text);
	return (
		url !== undefined &&
		/^https?:$/.test(url.protocol) &&
		(url.username + url.password !== '' || hostAlarms(text, url).length > 0)
	);
}

/** A text, and what it is after decoding it repeatedly, so that multiple encoding hides nothing. */
function decodings(text: string): string[] {
	const texts = [text];
	for (let round = 1; round < 3; round++) {
		try {
			texts.push(decodeURIComponent(texts.at(-1) ?? ''));
		} catch {
			break;
		}
	}
	return texts;
}
