import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { localizable, type Sentence } from './sentence.ts';

export interface Fault {
	readonly offset: number;
	readonly message: Sentence;
}

/** What is wrong with a text that is not JSON, and where; at its very beginning, or in all of it, without a place. */
export function notJson(text: string, { offset, message }: Fault): Sentence {
	const before = text.slice(0, offset).split(/\r\n|\r|\n/);
	const column = (before.at(-1)?.length ?? 0) + 1;
	return offset === 0
		? localizable('This is not JSON: {0}', message)
		: localizable('This is not JSON (line {0}, column {1}): {2}', before.length, column, message);
}

/** The first place at which a text is not the JSON of RFC 8259, and why, in the same words for every text that a user writes. */
export function faultIn(text: string): Fault | undefined {
	const errors: ParseError[] = [];
	try {
		parseTree(text, errors, { disallowComments: true });
	} catch {
		return { offset: 0, message: tooDeep() };
	}
	const [first] = errors;
	return first && { offset: first.offset, message: syntaxError(first.error) };
}

export function tooDeep(): Sentence {
	return localizable('It is nested too deeply.');
}

/** What an error of the parser means. */
export function syntaxError(code: ParseError['error']): Sentence {
	switch (printParseErrorCode(code)) {
		case 'PropertyNameExpected':
			return localizable('A name in double quotes is missing.');
		case 'ValueExpected':
			return localizable('A value is missing.');
		case 'ColonExpected':
			return localizable('A colon is missing.');
		case 'CommaExpected':
			return localizable('A comma is missing.');
		case 'CloseBraceExpected':
			return localizable('A closing brace is missing.');
		case 'CloseBracketExpected':
			return localizable('A closing bracket is missing.');
		case 'EndOfFileExpected':
			return localizable('The text should end here.');
		case 'InvalidCommentToken':
			return localizable('JSON has no comments.');
		case 'UnexpectedEndOfComment':
			return localizable('The end of a comment is missing.');
		case 'UnexpectedEndOfString':
			return localizable('The closing quotation mark is missing.');
		case 'InvalidUnicode':
		case 'InvalidEscapeCharacter':
			return localizable('What follows the backslash is unknown; a backslash itself is written as two.');
		case 'InvalidSymbol':
			return localizable('This has no meaning in JSON. Texts need double quotes, like "blue".');
		default:
			return localizable('This has no meaning in JSON.');
	}
}
