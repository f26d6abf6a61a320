import {
	applyEdits,
	type FormattingOptions,
	getNodeValue,
	modify,
	type Node,
	type ParseError,
	parseTree,
	printParseErrorCode,
	stripComments,
} from 'jsonc-parser';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Content, NOTHING, namesIn, readContent } from './content.ts';
import type { ServerDefinition } from './definition.ts';
import type { Input } from './inputs.ts';
import { type ConfigProblem, type DefinitionProblem, type JsonPath, problemSentence } from './problem.ts';
import type { Shape } from './shape.ts';

/** Longer files are not read: no user has written them. */
const LONGEST = 1024 * 1024;

/** A place between two characters; both count from 0. */
export interface Position {
	readonly line: number;
	readonly character: number;
}

export interface Span {
	readonly start: Position;
	readonly end: Position;
}

/** Something to be said at a place of a text. */
export interface JsonDiagnostic {
	readonly span: Span;
	readonly message: Sentence;
	readonly severity: 'error' | 'warning' | 'information';
	/** What to write in the place of the span instead. */
	readonly replacement?: string;
}

/** A text as JSON with comments and trailing commas. */
export interface Parsed {
	/** Undefined when the text is no JSON. */
	readonly value: unknown;
	readonly broken: boolean;
	/** Nothing but white space and comments. */
	readonly empty: boolean;
	readonly fault?: { readonly offset: number; readonly length: number; readonly message: Sentence };
	readonly root?: Node;
}

export function parseText(text: string): Parsed {
	const fault = (message: Sentence, { offset, length } = { offset: 0, length: 0 }): Parsed => ({
		value: undefined,
		broken: true,
		empty: false,
		fault: { offset, length, message },
	});
	if (text.length > LONGEST) {
		return fault(localizable('It is longer than {0} MB.', LONGEST / 1024 / 1024));
	}
	try {
		const errors: ParseError[] = [];
		// One character for one character, so that places stay what they are.
		const plain = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
		const root = parseTree(plain, errors, { allowTrailingComma: true });
		const [first] = errors;
		if (first || !root) {
			const comment = errors.some(({ error }) => printParseErrorCode(error) === 'UnexpectedEndOfComment');
			return !comment && stripComments(plain).trim() === ''
				? { value: undefined, broken: true, empty: true }
				: fault(first ? syntaxError(first.error) : localizable('A value is missing.'), first);
		}
		return { value: getNodeValue(root), broken: false, empty: false, root };
	} catch {
		return fault(localizable('It is nested too deeply.'));
	}
}

/** What a text defines; a broken one defines nothing. */
export function readText(text: string, shape: Shape, outer: readonly Input[] = []): Content & { broken: boolean } {
	const { value, broken } = parseText(text);
	return { ...(broken ? NOTHING : readContent(value, shape, outer)), broken };
}

export interface MarkContext {
	readonly shape: Shape;
	/** Inputs that are defined elsewhere and may be used here, too. */
	readonly outer: readonly Input[];
	/** What the text defined when it was last in order is still in force. */
	readonly kept: boolean;
	/** What this window knows of a definition beyond the text. */
	check(definition: ServerDefinition): readonly DefinitionProblem[];
	/** What there is to know of the definition of that name, without being a problem. */
	note(name: string): Sentence | undefined;
}

/** Everything that is to be said of a text, at its places. */
export function diagnosticsOf(text: string, context: MarkContext): JsonDiagnostic[] {
	const { shape, kept } = context;
	const { value, fault, empty, root } = parseText(text);
	const lines = new Lines(text);
	if (empty) {
		const message = localizable(
			'The file is empty. The servers that it defined before stay as they were until it is filled.',
		);
		return kept ? [{ span: lines.span(0, 0), message, severity: 'warning' }] : [];
	}
	if (fault) {
		if (!shape.members && !kept) {
			// Of settings that are broken the editor itself tells.
			return [];
		}
		const message = kept
			? localizable(
					'This is not JSON: {0} Until it is, the servers that were defined here before stay as they were.',
					fault.message,
				)
			: localizable('This is not JSON: {0}', fault.message);
		return [{ span: lines.span(fault.offset, fault.length), message, severity: 'error' }];
	}
	const content = readContent(value, shape, context.outer);
	const diagnostic = diagnosticFor(lines, root);
	const place = (server: string, path: JsonPath = []) => [...shape.servers, server, ...path];
	const beyond = content.servers.flatMap((definition) => context.check(definition));
	const notes = namesIn(content).flatMap((name): JsonDiagnostic[] => {
		const message = context.note(name);
		const { offset, length } = nodeToMark(root, place(name), true);
		return message ? [{ span: lines.span(offset, length), message, severity: 'information' }] : [];
	});
	return [
		...content.general.map((problem) => diagnostic({ ...problem, message: generalSentence(problem) })),
		...[...content.problems, ...beyond].map((problem) =>
			diagnostic({
				...problem,
				path: place(problem.server, problem.path),
				message: localizable('{0}: {1}', problem.server, problemSentence(problem)),
			}),
		),
		...notes,
	];
}

/** Puts what is wrong at its place. */
export function diagnosticFor(lines: Lines, root: Node | undefined): (problem: ConfigProblem) => JsonDiagnostic {
	return ({ path, message, severity, inName, meant }) => {
		const { offset, length } = nodeToMark(root, path, inName);
		const span = lines.span(offset, length);
		return { span, message, severity, ...(meant !== undefined && { replacement: JSON.stringify(meant) }) };
	};
}

function generalSentence(problem: ConfigProblem): Sentence {
	return problem.path.length === 0 ? localizable('The file {0}', problem.message) : problemSentence(problem);
}

/** Where something is defined in a text; the place of what it would be in, when it is not there. */
export function placeOf(text: string, path: JsonPath): Span {
	const { root } = parseText(text);
	const { offset, length } = nodeToMark(root, path);
	return new Lines(text).span(offset, length);
}

/** The text with another value at a place; comments and the rest stay as they are. Undefined when it is no JSON. */
export function withMember(text: string, path: JsonPath, value: unknown): string | undefined {
	const { broken, empty } = parseText(text);
	if (broken && !empty) {
		return undefined;
	}
	const before = empty ? '{}' : text;
	return applyEdits(before, modify(before, [...path], value, { formattingOptions: formattingOf(text) }));
}

/** How a text is laid out. */
export function formattingOf(text: string): FormattingOptions {
	const indent = /^(?:\t| +)(?=["}])/m.exec(text)?.[0] ?? '\t';
	const eol = text.includes('\r\n') ? '\r\n' : '\n';
	return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
}

/** A value, if it is short; the name of what is an object, a list, or missing from one. */
export function nodeToMark(root: Node | undefined, path: JsonPath, inName = false): { offset: number; length: number } {
	let node = root;
	let name: Node | undefined;
	for (const part of path) {
		const next = member(node, part);
		if (!next) {
			return name ?? { offset: root?.offset ?? 0, length: 1 };
		}
		name = next.name ?? next.value;
		node = next.value;
	}
	const long = node?.type === 'object' || node?.type === 'array';
	return (inName || long ? name : node) ?? { offset: root?.offset ?? 0, length: 1 };
}

/** Where a name stands twice, the last one counts. */
function member(node: Node | undefined, part: string | number): { name?: Node; value: Node } | undefined {
	if (node?.type === 'array' && typeof part === 'number') {
		const value = node.children?.[part];
		return value && { value };
	}
	const property =
		node?.type === 'object' ? node.children?.findLast((child) => child.children?.[0]?.value === part) : undefined;
	const [name, value] = property?.children ?? [];
	return name && value && { name, value };
}

/** Turns offsets into lines and characters. */
export class Lines {
	readonly #starts = [0];

	constructor(text: string) {
		for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
			this.#starts.push(index + end.length);
		}
	}

	span(offset: number, length: number): Span {
		return { start: this.#position(offset), end: this.#position(offset + length) };
	}

	#position(offset: number): Position {
		const line = this.#starts.findLastIndex((start) => start <= offset);
		return { line, character: offset - (this.#starts[line] ?? 0) };
	}
}

function syntaxError(code: ParseError['error']): Sentence {
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
			return localizable('The file should end here.');
		case 'UnexpectedEndOfComment':
			return localizable('A comment does not end.');
		case 'UnexpectedEndOfString':
			return localizable('The closing quotation mark is missing.');
		case 'InvalidUnicode':
		case 'InvalidEscapeCharacter':
			return localizable('What follows the backslash is unknown; a backslash itself is written as two.');
		default:
			return localizable('This has no meaning in JSON.');
	}
}
