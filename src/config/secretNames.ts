const SECRET =
	/(^| )(token|secret|password|passwd|passphrase|pwd|pat|credentials?|auth|authorization|bearer|cookie|api ?key|access ?key|private ?key|secret ?key|key)( |$)/;
/** Words after which a name describes a secret without being one. */
const ABOUT = /(^| )(file|path|dir|url|uri|host|name|id|type|ttl|expiry|limit|count|endpoint)$/;

/**
 * True if a variable, header, or setting with this name probably contains a secret: there, a bare `key` or `auth` is one.
 * For fields of a form, see `mentionsSecret`; for members of messages, `isSecretName`.
 */
export function namesSecret(name: string): boolean {
	const normalized = name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[^A-Za-z0-9]+/g, ' ')
		.trim()
		.toLowerCase();
	return SECRET.test(normalized) && !ABOUT.test(normalized);
}

/** Shorter values are probably ordinary words such as `none`, whose redaction would make logs unreadable. */
const MIN_LENGTH = 8;

/** The values that are probably secrets, judging by their names. */
export function secretsAmong(values: Readonly<Record<string, string | null>>): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		// The scheme of a credential (`Bearer …`) is not part of the secret.
		const secret = value?.replace(/^[A-Za-z]+ +(?=\S)/, '') ?? '';
		return namesSecret(name) && secret.length >= MIN_LENGTH ? [secret] : [];
	});
}
