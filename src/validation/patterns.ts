import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** If the `u` flag is absent, JavaScript reads every other escaped letter as the letter itself. */
const ESCAPES = /\\(?:[bBdDfnrsSwWtv\d\W_]|c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|k<)/g;
/** Classes of Java and of POSIX, which JavaScript knows by the same name with other members. */
const NAMESAKES = /\\p\{(?:Alpha|Lower|Upper)\}/i;
/** A pattern between delimiters, as PHP, Perl, and JavaScript source write it. No text matches it as it stands. */
const DELIMITED = /^\/\^.*\$\/[a-z]*$/s;

/**
 * Why a pattern of a server cannot be checked here: JavaScript does not compile it, or reads it otherwise than the language
 * that it was written for (`\A`, `\Z`, `[[:alpha:]]`, `{,3}`). Undefined if it can be.
 */
export function unfitPattern(pattern: string): Sentence | undefined {
	const shown = pattern.length > 60 ? `${pattern.slice(0, 59)}…` : pattern;
	const reason = compileError(pattern);
	if (reason !== undefined) {
		return localizable('Not checked here: the pattern {0} does not compile in JavaScript ({1}).', shown, reason);
	}
	return NAMESAKES.test(pattern) || DELIMITED.test(pattern) || (compileError(pattern, 'u') && isReadOtherwise(pattern))
		? localizable('Not checked here: the pattern {0} means something else in JavaScript.', shown)
		: undefined;
}

/** What the engine says of a pattern with these flags, or with any of the two that the validator tries. */
function compileError(pattern: string, ...flags: readonly string[]): string | undefined {
	let error: unknown;
	for (const tried of flags.length > 0 ? flags : ['u', '']) {
		try {
			new RegExp(pattern, tried);
			return undefined;
		} catch (thrown) {
			error = thrown;
		}
	}
	const message = error instanceof Error ? error.message : String(error);
	return message.replace(/^Invalid regular expression: .*: /s, '').slice(0, 200);
}

/** True if a pattern compiles only because JavaScript without the `u` flag takes what it does not know literally. */
function isReadOtherwise(pattern: string): boolean {
	const rest = pattern.replaceAll(ESCAPES, '_');
	// What looks like a class within a class ends the outer one, and leaves its bracket behind.
	const withoutClasses = rest.replaceAll(/\[[^\]]*\]/g, '_');
	return rest.includes('\\') || withoutClasses.includes(']') || /\{,\d+\}/.test(withoutClasses);
}
