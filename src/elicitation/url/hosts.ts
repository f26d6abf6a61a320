/** The kind of a host, determined from its name or address only. Performs no lookup. */
export type HostKind = 'loopback' | 'unspecified' | 'metadata' | 'link-local' | 'private' | 'local-name' | 'public';

const METADATA_HOSTS = new Set([
	'169.254.169.254',
	'169.254.170.2',
	'100.100.100.200',
	'[fd00:ec2::254]',
	'metadata.google.internal',
	'metadata',
]);
const LOCAL_SUFFIXES = ['.local', '.internal', '.lan', '.intranet', '.corp', '.home', '.home.arpa', '.private'];

type Address = readonly [number, number, number, number];

/** @param host the `hostname` of a parsed URL: lower case, addresses normalized */
export function kindOfHost(host: string): HostKind {
	const name = host.endsWith('.') ? host.slice(0, -1) : host;
	if (METADATA_HOSTS.has(name)) {
		return 'metadata';
	}
	const address = shortAddress(name) ?? mappedAddress(name);
	if (address !== undefined) {
		return kindOfAddress(address);
	}
	const embedded = embeddedAddress(name);
	if (embedded !== undefined) {
		const kind = kindOfAddress(embedded);
		// Such a packet goes to a gateway or nowhere, but never to this computer.
		return kind === 'loopback' || kind === 'unspecified' ? 'private' : kind;
	}
	if (name.startsWith('[')) {
		return kindOfLongAddress(name.slice(1, -1));
	}
	if (name === 'localhost' || name.endsWith('.localhost')) {
		return 'loopback';
	}
	return !name.includes('.') || LOCAL_SUFFIXES.some((suffix) => name.endsWith(suffix)) ? 'local-name' : 'public';
}

export function isAddress(host: string): boolean {
	return host.startsWith('[') || shortAddress(host.endsWith('.') ? host.slice(0, -1) : host) !== undefined;
}

/** The IPv4 address that an IPv4-mapped address connects to (`[::ffff:7f00:1]`; RFC 4291, section 2.5.5.2). */
function mappedAddress(host: string): Address | undefined {
	return lastOctets(/^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host));
}

/** The IPv4 address embedded in an IPv6 address: NAT64 (RFC 6052) or the deprecated IPv4-compatible form. */
function embeddedAddress(host: string): Address | undefined {
	return lastOctets(/^\[(?:::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host));
}

function lastOctets(groups: RegExpExecArray | null): Address | undefined {
	if (groups === null) {
		return undefined;
	}
	const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
	return [high >> 8, high & 255, low >> 8, low & 255];
}

function shortAddress(host: string): Address | undefined {
	const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)?.slice(1).map(Number);
	return parts as Address | undefined;
}

function kindOfAddress(address: Address): HostKind {
	const [a, b] = address;
	if (METADATA_HOSTS.has(address.join('.'))) {
		return 'metadata';
	}
	if (a === 127) {
		return 'loopback';
	}
	if (a === 0) {
		return 'unspecified';
	}
	if (a === 169 && b === 254) {
		return 'link-local';
	}
	const isPrivate =
		a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 100 && b >= 64 && b < 128);
	return isPrivate ? 'private' : 'public';
}

function kindOfLongAddress(address: string): HostKind {
	if (address === '::1') {
		return 'loopback';
	}
	if (address === '::') {
		return 'unspecified';
	}
	if (/^fe[89ab][0-9a-f]:/.test(address)) {
		return 'link-local';
	}
	return /^f[cd][0-9a-f]{2}:/.test(address) ? 'private' : 'public';
}
