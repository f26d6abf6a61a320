const SECRET =
	/(^| )(token|secret|password|passwd|passphrase|pwd|pat|credentials?|auth|authorization|bearer|cookie|api ?key|access ?key|private ?key|secret ?key|key)( |$)/;
/** What says something of a secret is none. */
const ABOUT = /(^| )(file|path|dir|url|uri|host|name|id|type|ttl|expiry|limit|count|endpoint)$/;

/** True for the name of a variable or header whose value is likely to be a secret. */
export function namesSecret(name: string): boolean {
	const words = name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[^A-Za-z0-9]+/g, ' ')
		.trim()
		.toLowerCase();
	return SECRET.test(words) && !ABOUT.test(words);
}

/** What is shorter is rather a word, such as `none`, which would be missed in everything that is logged. */
const SHORTEST = 8;

/** The values that are likely to be secrets, by their names. */
export function secretsAmong(values: Readonly<Record<string, string | null>>): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		// The scheme in front of a credential is no part of it: `Bearer …`.
		const secret = value?.replace(/^[A-Za-z]+ +(?=\S)/, '') ?? '';
		return namesSecret(name) && secret.length >= SHORTEST ? [secret] : [];
	});
}
