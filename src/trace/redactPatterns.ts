import { mentionsSecret } from '../elicitation/findings/sensitive.ts';
import { REDACTED } from './secrets.ts';

/*
 * Recognizes unmarked secrets by their format or name. Every pattern takes linear time, because the text comes from
 * servers.
 */

const HEADERS =
	/^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|^x-(?:api|auth|access|csrf|xsrf|amz-security)-?(?:key|token)?$/i;

/** Identifiers of messages, which grant no access. */
const HARMLESS = new Set(['progressToken', 'progress_token']);

/** Credentials with a format of their own. */
const CREDENTIALS = new RegExp(
	[
		'(?<![\\w-])eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]*)*', // JSON Web Token
		'(?<![\\w-])(?:sk|pk|rk)[-_][\\w-]{16,}',
		'(?<![\\w-])gh[pousr]_\\w{20,}',
		'(?<![\\w-])github_pat_\\w{20,}',
		'(?<![\\w-])glpat-[\\w-]{16,}',
		'(?<![\\w-])xox[abeoprs]-[\\w-]{10,}',
		'(?<![\\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\\w)',
		'(?<![\\w-])AIza[\\w-]{30,}',
		'(?<![\\w-])npm_\\w{30,}',
		'-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*',
	].join('|'),
	'g',
);

/** `Bearer …` and `Basic …`. */
const SCHEME = /(?<![\w-])((?:Bearer|Basic|Digest|Token) +)[\w.~+/=-]{6,}/gi;

/** Headers whose entire value is secret. */
const LINE = /(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie)(["']?[ \t]*[:=][ \t]*["']?)[^\r\n"'\\]{3,}/gi;

/** `https://user:password@host` */
const USER_INFO = /:\/\/[^\s/?#@"'<>\\]+@/g;

/** URL parameters that grant access. */
const PARAMETER =
	/([?&#;](?:[\w.-]{0,40}(?:token|secret|password|passwd|signature|credential|api[_-]?key)|key|sig|pwd|auth|code|state|session|sid|ticket|nonce|code_verifier)=)[^&#\s"'<>\\]+/gi;

/** `name=value`, `name: value`, `"name":"value"`. */
const NAMED = /(?<![\w.-])([\w.-]{2,100})(\\?["']?[ \t]*[:=][ \t]*\\?["']?)([^\s"',;&\\]{3,})/g;

/** True if the value of a member with this name, or of a header or variable in a text, is a secret (see `mentionsSecret`). */
export function isSecretName(name: string): boolean {
	return !HARMLESS.has(name) && name.length <= 200 && (HEADERS.test(name) || mentionsSecret(name));
}

/** Removes everything from a text that looks like a secret. */
export function redactText(text: string): string {
	return text
		.replace(CREDENTIALS, REDACTED)
		.replace(SCHEME, `$1${REDACTED}`)
		.replace(LINE, `$1$2${REDACTED}`)
		.replace(USER_INFO, `://${REDACTED}@`)
		.replace(PARAMETER, `$1${REDACTED}`)
		.replace(NAMED, (whole, name: string, between: string) =>
			isSecretName(name) ? `${name}${between}${REDACTED}` : whole,
		);
}
