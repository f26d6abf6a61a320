import type { Field } from '../form/fields.ts';
import { type JsonObject, own } from '../json.ts';

/**
 * Detects forms that ask for secrets, which the specification forbids in form mode (F16). Compares whole words:
 * `api_token` is a secret, but `max_tokens` and `tokenizer` are not.
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
const ASKING =
	/\b(?:enter|provide|type|paste|give|supply|input|send|share|fill in|submit|tell|what is|what's|need)\b[^.!?\n]{0,60}/gi;
const ASKING_CHINESE = /(?:输入|輸入|提供|填写|填寫|粘贴|貼上|告诉)[^。！？\n]{0,20}/g;

/** Indexes of the fields that seem to ask for a secret. */
export function sensitiveFields(fields: readonly Field[]): number[] {
	return fields.flatMap(({ secret }, index) => (secret ? [index] : []));
}

/** True if the server lists what can be chosen: none of that is a secret of the user, nor is a boolean. */
export function isListed({ kind }: Field): boolean {
	return kind === 'choice' || kind === 'choices' || kind === 'const' || kind === 'boolean';
}

/** True if the message explicitly asks for a secret. */
export function messageAsksForSecret(params: JsonObject): boolean {
	const message = own(params, 'message');
	if (typeof message !== 'string') {
		return false;
	}
	const asked = [...message.matchAll(ASKING), ...message.matchAll(ASKING_CHINESE)].map(([text]) => text);
	return asked.some((text) => mentionsSecret(text));
}

/** True if the name or title of a field, or a phrase, denotes a secret. For configuration, see `namesSecret`. */
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
