import { isSecretName } from '../elicitation/secretNames.ts';
import { REDACTED } from './secrets.ts';

/*
 * Recognizes unmarked secrets by their format or name. Every pattern takes linear time, because the text comes from
 * servers.
 */

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

/** What follows the scheme of a URL, up to white space or a quote. */
const AFTER_SCHEME = /:\/\/([^\s"'<>`]+)/g;

/** URL parameters that grant access. */
const PARAMETER =
	/([?&#;](?:[\w.-]{0,40}(?:token|secret|password|passwd|signature|credential|api[_-]?key)|key|sig|pwd|auth|code|state|session|sid|ticket|nonce|code_verifier)=)[^&#\s"'<>\\]+/gi;

/** `name=value`, `name: value`, `"name":"value"`, `--name value`. The value begins after it. */
const NAMED =
	/(?<![\w.-])(-{0,2})([A-Za-z_][\w.-]{1,99})(?:\\*["']?[ \t]{0,20}(?:[:=]|=>)[ \t]{0,20}| {1,20}(?=[^-\s]))/g;

/** Matches the beginning of the value that follows a value without quotes. */
const NEXT = /(?<=[\s,;&{])\\*["']?[A-Za-z_][\w.-]{0,99}\\*["']?[ \t]{0,20}[:=]|[\r\n]/g;

/** Headers whose values have several parts with names of their own. */
const WHOLE = /^(?:proxy-)?authorization$|^(?:set-)?cookie2?$/i;

/** Shorter values are no secrets (characters). */
const SHORTEST = 3;

/** Removes everything from a text that looks like a secret. */
export function redactText(text: string): string {
	return withoutNamed(
		text
			.replace(CREDENTIALS, REDACTED)
			.replace(SCHEME, `$1${REDACTED}`)
			.replace(AFTER_SCHEME, (_, rest: string) => `://${withoutUserInfo(rest)}`)
			.replace(PARAMETER, `$1${REDACTED}`),
	);
}

/** `user:password@host`, of which the password may have any characters: up to the last `@`. */
function withoutUserInfo(rest: string): string {
	const end = rest.lastIndexOf('@');
	const [authority = ''] = rest.split(/[/?#]/, 1);
	const hasUser = authority.includes('@') || (!authority.startsWith('[') && /:\D/.test(authority));
	return end > 0 && hasUser ? `${REDACTED}${rest.slice(end)}` : rest;
}

/** Removes the values that are named like secrets. */
function withoutNamed(text: string): string {
	const quotes = new Quotes(text);
	const parts: string[] = [];
	let kept = 0;
	NAMED.lastIndex = 0;
	for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
		const [whole, dashes = '', name = ''] = found;
		const start = found.index + whole.length;
		const isArgument = whole.endsWith(' ') && !/[:=>]\s*$/.test(whole);
		if (!isSecretName(name) || (isArgument && dashes.length < 2)) {
			// The value may be a name itself.
			NAMED.lastIndex = found.index + dashes.length + name.length;
			continue;
		}
		const before = text[found.index - 1] ?? '';
		const isInside = (before === '"' || before === "'") && !whole.includes(before);
		const around = isInside ? quotes.closing(found.index - 1, start) : undefined;
		const [from, to] = quotes.inside(start) ?? [start, unquotedEnd(text, start, name, isArgument)];
		const isWholeQuoted = around !== undefined && from === start;
		const end = isWholeQuoted ? Math.min(around, to) : to;
		if (end - from >= SHORTEST && !text.startsWith(REDACTED, from)) {
			parts.push(text.slice(kept, from), REDACTED);
			kept = end;
		}
		NAMED.lastIndex = Math.max(end, start);
	}
	return kept === 0 ? text : [...parts, text.slice(kept)].join('');
}

/** The end of a value without quotes: of the line, or before the next name. Arguments end at white space. */
function unquotedEnd(text: string, start: number, name: string, isArgument: boolean): number {
	const pattern = isArgument ? SPACE : WHOLE.test(name) ? LINE_END : NEXT;
	pattern.lastIndex = start;
	const end = pattern.exec(text)?.index ?? text.length;
	let last = end;
	while (last > start && AROUND.test(text[last - 1] ?? '')) {
		last--;
	}
	return last;
}

/** What stands between values. */
const AROUND = /[\s,;&{]/;

const SPACE = /\s/g;
const LINE_END = /[\r\n]/g;

/** The quotes of a text. Each closing one is searched for once, so that it takes linear time. */
class Quotes {
	/** From where the next one of each kind has been searched for, and where it is. */
	readonly #found = new Map<string, readonly [from: number, at: number | undefined]>();

	constructor(private readonly text: string) {}

	/** The value between a quote that opens here and the one that closes it; undefined if none opens. */
	inside(start: number): readonly [from: number, to: number] | undefined {
		const [opening] = OPENING.exec(this.text.slice(start, start + MOST_ESCAPED)) ?? [];
		if (opening === undefined) {
			return undefined;
		}
		const from = start + opening.length;
		const end = this.#next(opening, from);
		return end === undefined ? undefined : [from, end];
	}

	/** Where the quote closes that opens at a place; undefined if it does not. */
	closing(at: number, from: number): number | undefined {
		return this.#next(this.text[at] ?? '', from);
	}

	/** @param quote with the backslashes before it: it is closed by the same */
	#next(quote: string, from: number): number | undefined {
		const [searched, known] = this.#found.get(quote) ?? [];
		if (searched !== undefined && searched <= from && (known === undefined || known >= from)) {
			return known;
		}
		let at = this.text.indexOf(quote, from);
		while (at > 0 && this.text[at - 1] === '\\') {
			at = this.text.indexOf(quote, at + 1);
		}
		const next = at < 0 ? undefined : at;
		this.#found.set(quote, [from, next]);
		return next;
	}
}

/** A quote, and how deep in JSON it stands. */
const OPENING = /^\\*["']/;
const MOST_ESCAPED = 64;
