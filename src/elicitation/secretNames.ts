/*
 * What is secret by its name. The same word says more in a setting than in a question, so that there are three rules: `mentionsSecret` for
 * fields of forms and phrases, `isSecretName` for members of messages and what texts name, `namesSecret` for configuration. Whole words
 * are compared: `api_token` is a secret, but `max_tokens` and `tokenizer` are not.
 */

/** A secret in any combination of words. */
const SECRETS = [
	'password',
	'passwords',
	'passwd',
	'passwort',
	'pwd',
	'passphrase',
	'passcode',
	'cvv',
	'cvc',
	'ssn',
	'otp',
	'totp',
	'apikey',
	'credential',
	'credentials',
	'secret',
	'token',
];
const PHRASES = [
	'pass word',
	'api key',
	'access key',
	'account key',
	'secret key',
	'private key',
	'encryption key',
	'signing key',
	'ssh key',
	'license key',
	'credit card',
	'debit card',
	'card number',
	'card no',
	'security code',
	'verification code',
	'one time code',
	'auth code',
	'social security',
	'bank account',
	'account number',
	'routing number',
	'seed phrase',
	'recovery phrase',
	'recovery code',
	'passport number',
	'passport no',
	'national id',
	'identity card',
	'pin number',
];
/** A secret only if it is the whole name. */
const WHOLE = ['pin', 'your pin', 'card pin', 'iban', 'mnemonic'];
/** Words after which a name no longer denotes the secret itself. */
const ABOUT = new Set(
	(
		'name names id ids ref reference path file url uri policy length count limit budget max min usage type types kind expiry ' +
		'expires expiration ttl hint manager rotation strength symbol address santa size'
	).split(' '),
);
const COUNTED = new Set(['max', 'min', 'num', 'total', 'per', 'of', 'number', 'count', 'next', 'page', 'no']);
const CHINESE =
	/密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌|權杖|凭据|憑證|身份证|身分證|银行卡|銀行卡|信用卡|借记卡|验证码|驗證碼|安全码|安全碼|助记词|社保号|护照号/;

/** True if the name or title of a field, or a phrase, denotes a secret (F16). */
export function mentionsSecret(text: string): boolean {
	if (CHINESE.test(text)) {
		return true;
	}
	const words = wordsOf(text);
	const line = ` ${words.join(' ')} `;
	if (WHOLE.includes(line.trim()) || PHRASES.some((phrase) => line.includes(` ${phrase} `) && !about(line, phrase))) {
		return true;
	}
	return words.some(
		(word, index) =>
			SECRETS.includes(word) &&
			!ABOUT.has(words[index + 1] ?? '') &&
			!(word === 'token' && COUNTED.has(words[index - 1] ?? '')),
	);
}

function about(line: string, phrase: string): boolean {
	const [next] = line.slice(line.indexOf(` ${phrase} `) + phrase.length + 2).split(' ');
	return ABOUT.has(next ?? '');
}

/** `apiKey`, `API_KEY` and `api-key` are the same words. */
function wordsOf(text: string): string[] {
	return text
		.normalize('NFKC')
		.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== '');
}

const HEADERS =
	/^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|^x-(?:api|auth|access|csrf|xsrf|amz-security)-?(?:key|token)?$/i;

/** Identifiers of messages, which grant no access. */
const HARMLESS = new Set(['progressToken', 'progress_token']);

/** True if the value of a member with this name, or of a header or variable in a text, is a secret. */
export function isSecretName(name: string): boolean {
	return !HARMLESS.has(name) && name.length <= 200 && (HEADERS.test(name) || mentionsSecret(name));
}

/** Words that make a variable, a header, or a setting secret. */
const OF_SETTINGS =
	/(^| )(token|secret|password|passwd|passphrase|pwd|pat|credentials?|auth|authorization|bearer|cookie|api ?key|access ?key|private ?key|secret ?key|key)( |$)/;
const ABOUT_SETTINGS = /(^| )(file|path|dir|url|uri|host|name|id|type|ttl|expiry|limit|count|endpoint)$/;

/** True if a variable, header, or setting with this name probably contains a secret: there, a bare `key` or `auth` is one. */
export function namesSecret(name: string): boolean {
	const normalized = name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/[^A-Za-z0-9]+/g, ' ')
		.trim()
		.toLowerCase();
	return OF_SETTINGS.test(normalized) && !ABOUT_SETTINGS.test(normalized);
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
