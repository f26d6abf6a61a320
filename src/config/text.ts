import {
	applyEdits,
	type FormattingOptions,
	findNodeAtLocation,
	getNodeValue,
	modify,
	type Node,
	type ParseError,
	parseTree,
	printParseErrorCode,
	stripComments,
} from 'jsonc-parser';
import { notJson, syntaxError, tooDeep } from '../elicitation/jsonFault.ts';
import { exactNumber } from '../elicitation/jsonText.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Content, NOTHING, namesIn, readContent } from './content.ts';
import type { ServerDefinition } from './definition.ts';
import type { Input } from './inputs.ts';
import {
	type ConfigProblem,
	type DefinitionProblem,
	error,
	type Fix,
	type JsonPath,
	problemSentence,
} from './problem.ts';
import type { Shape } from './shape.ts';

/** Longer files are not read. */
const MAX_LENGTH = 1024 * 1024;

/** Max problems of a text that are shown, as in VS Code: each of them is looked for in the text. */
const MAX_PROBLEMS = 1_000;

/** A position in a text, zero-based. */
export interface Position {
	readonly line: number;
	readonly character: number;
}

export interface Span {
	readonly start: Position;
	readonly end: Position;
}

/** A diagnostic for a span of a text. */
export interface JsonDiagnostic {
	readonly span: Span;
	readonly message: Sentence;
	readonly severity: 'error' | 'warning' | 'information';
	/**
	 * The text is no JSON, which the editor reports as well while the file is open: then, this is what remains to be said, if there is
	 * something.
	 */
	readonly fault?: { readonly beside?: Sentence };
	/** The rule that it breaks, and the URL of its text. */
	readonly rule?: { readonly name: string; readonly url: string };
	/** A change of the text that corrects it. */
	fix?(): { readonly title: Sentence; readonly edit: Replacement } | undefined;
}

/** A change of a text in one place. */
export interface Replacement {
	readonly span: Span;
	readonly text: string;
}

/** Parsed JSON with comments and trailing commas. */
export interface Parsed {
	/** Undefined if the text is not JSON. */
	readonly value: unknown;
	readonly broken: boolean;
	/** True if there is nothing but white space and comments. */
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
	if (text.length > MAX_LENGTH) {
		return fault(localizable('It is larger than {0} MB.', MAX_LENGTH / 1024 / 1024));
	}
	try {
		const errors: ParseError[] = [];
		// Replaces the BOM with one character, so that offsets stay the same.
		const plain = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
		const root = parseTree(plain, errors, { allowTrailingComma: true });
		const [first] = errors;
		if (first || !root) {
			const comment = errors.some(({ error }) => printParseErrorCode(error) === 'UnexpectedEndOfComment');
			return !comment && stripComments(plain).trim() === ''
				? { value: undefined, broken: true, empty: true }
				: fault(first ? syntaxError(first.error) : localizable('A value is missing.'), first);
		}
		keepNumbers(root, plain);
		return { value: getNodeValue(root), broken: false, empty: false, root };
	} catch {
		return fault(tooDeep());
	}
}

/** The digits of numbers that no double can hold, which the parser has rounded. */
function keepNumbers(node: Node, text: string): void {
	if (node.type === 'number') {
		(node as { value?: unknown }).value = exactNumber(text.slice(node.offset, node.offset + node.length));
	}
	for (const child of node.children ?? []) {
		keepNumbers(child, text);
	}
}

/** The place where a text is not valid JSON, and the reason. */
export interface JsonFault {
	readonly at: Position;
	readonly message: Sentence;
}

/** Reads the definitions of a text; none if it is broken. */
export function readContentText(text: string, shape: Shape): Content & { broken: boolean; fault?: JsonFault } {
	const { value, broken, fault } = parseText(text);
	const at = fault && new Lines(text).span(fault.offset, 0).start;
	return {
		...(broken ? NOTHING : readContent(value, shape)),
		broken,
		...(fault && at && { fault: { at, message: fault.message } }),
	};
}

export interface DiagnosticContext {
	readonly shape: Shape;
	/** Inputs defined elsewhere that may be used here. */
	readonly outer: readonly Input[];
	/** True if the last valid definitions of the text are still in use. */
	readonly kept: boolean;
	/** Further problems of a definition that this window knows. */
	check(definition: ServerDefinition): readonly DefinitionProblem[];
	/** Additional information about the definition of that name. */
	note(name: string): Sentence | undefined;
}

/** All diagnostics of a text. */
export function diagnosticsOf(text: string, context: DiagnosticContext): JsonDiagnostic[] {
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
			// The editor reports syntax errors in settings.
			return [];
		}
		const message = kept
			? localizable(
					'This is not JSON: {0} Until it is, the servers that were defined here before stay as they were.',
					fault.message,
				)
			: localizable('This is not JSON: {0}', fault.message);
		const beside = localizable('Until this is JSON, the servers that were defined here before stay as they were.');
		const span = lines.span(fault.offset, fault.length);
		return [{ span, message, severity: 'error', fault: kept ? { beside } : {} }];
	}
	const content = readContent(value, shape, context.outer);
	const diagnostic = diagnosticFor(text, root);
	const place = (server: string, path: JsonPath = []) => [...shape.servers, server, ...path];
	const beyond = content.servers.flatMap((definition) => context.check(definition));
	const notes = namesIn(content).flatMap((name): JsonDiagnostic[] => {
		const message = context.note(name);
		const { offset, length } = nodeToHighlight(root, place(name), true);
		return message ? [{ span: lines.span(offset, length), message, severity: 'information' }] : [];
	});
	return [
		...content.general
			.slice(0, MAX_PROBLEMS)
			.map((problem) => diagnostic({ ...problem, message: generalSentence(problem) })),
		...[...content.problems, ...beyond].slice(0, MAX_PROBLEMS).map((problem) =>
			diagnostic({
				...problem,
				path: place(problem.server, problem.path),
				...(problem.fix && {
					fix: {
						...problem.fix,
						changes: problem.fix.changes.map((change) => ({ ...change, path: place(problem.server, change.path) })),
					},
				}),
				message: localizable('{0}: {1}', problem.server, problemSentence(problem)),
			}),
		),
		...notes,
	];
}

/** Creates a function that converts problems to diagnostics. */
export function diagnosticFor(text: string, root: Node | undefined): (problem: ConfigProblem) => JsonDiagnostic {
	const lines = new Lines(text);
	return ({ path, message, severity, inName, meant, fix }) => {
		const { offset, length } = nodeToHighlight(root, path, inName);
		const span = lines.span(offset, length);
		const replacement = meant === undefined ? undefined : JSON.stringify(meant);
		return {
			span,
			message,
			severity,
			...(replacement !== undefined && {
				fix: () => ({ title: localizable('Change to {0}', replacement), edit: { span, text: replacement } }),
			}),
			...(fix && { fix: () => ({ title: fix.title, edit: difference(text, withChanges(text, fix)) }) }),
		};
	};
}

function withChanges(text: string, { changes }: Fix): string {
	return changes.reduce((before, { path, value }) => withMember(before, path, value) ?? before, text);
}

/** The single span in which two texts differ. */
export function difference(before: string, after: string): Replacement {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start++;
	}
	let end = 0;
	while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) {
		end++;
	}
	const span = new Lines(before).span(start, before.length - end - start);
	return { span, text: after.slice(start, after.length - end) };
}

/** A problem outside of definitions, as a sentence. */
export function generalSentence(problem: ConfigProblem): Sentence {
	return problem.path.length === 0 ? localizable('The file {0}', problem.message) : problemSentence(problem);
}

/** The span of a definition, or of its parent if it is missing. */
export function placeOf(text: string, path: JsonPath): Span {
	const { root } = parseText(text);
	const { offset, length } = nodeToHighlight(root, path);
	return new Lines(text).span(offset, length);
}

/** Sets a value in a text. Keeps comments and everything else. Undefined if the text is not JSON. */
export function withMember(text: string, path: JsonPath, value: unknown): string | undefined {
	const { broken, empty } = parseText(text);
	if (broken && !empty) {
		return undefined;
	}
	const before = !empty ? text : text.trim() === '' ? '{}' : `${text.trimEnd()}\n{}`;
	const formattingOptions = formattingOf(text);
	return (
		withNewMember(before, path, value, formattingOptions) ??
		applyEdits(before, modify(before, [...path], value, { formattingOptions }))
	);
}

/** What may follow a member on its line: a comma, and comments. */
const BEHIND_MEMBER = /((?:[^\S\r\n]|\/\*.*?\*\/)*,)?(?:[^\S\r\n]|\/\*.*?\*\/|\/\/[^\r\n]*)*(?=[\r\n])/sy;

/**
 * Adds a member behind the last one of an object on several lines, and leaves these as they are, where edits of the parser would
 * format them anew and move comments. Undefined for other changes.
 */
function withNewMember(
	text: string,
	path: JsonPath,
	value: unknown,
	formatting: FormattingOptions,
): string | undefined {
	const { root } = parseText(text);
	const depth = path.findIndex((_, index) => !root || !findNodeAtLocation(root, path.slice(0, index + 1)));
	const parent = root && depth >= 0 ? findNodeAtLocation(root, path.slice(0, depth)) : undefined;
	const last = parent?.type === 'object' ? parent.children?.at(-1) : undefined;
	if (!parent || !last || value === undefined) {
		return undefined;
	}
	const lineStart = text.lastIndexOf('\n', last.offset) + 1;
	const end = last.offset + last.length;
	BEHIND_MEMBER.lastIndex = end;
	const [behind, comma] = BEHIND_MEMBER.exec(text) ?? [];
	const rest = text.slice(end + (behind?.length ?? 0), parent.offset + parent.length - 1);
	if (behind === undefined || lineStart <= parent.offset || stripComments(rest).trim() !== '') {
		return undefined;
	}
	const [name, ...inner] = path.slice(depth);
	const added = inner.reduceRight<unknown>((held, key) => ({ [key]: held }), value);
	const { eol = '\n', insertSpaces, tabSize } = formatting;
	const lines = JSON.stringify(added, undefined, insertSpaces ? tabSize : '\t');
	const indent = /^\s*/.exec(text.slice(lineStart, last.offset))?.[0] ?? '';
	const member = `\n${JSON.stringify(name)}: ${lines}${comma ? ',' : ''}`.replaceAll('\n', `${eol}${indent}`);
	return [text.slice(0, end), comma ? '' : ',', behind, member, text.slice(end + behind.length)].join('');
}

/** Why a member cannot be set at a path of names: what the text has there instead of one object. Undefined if it can. */
export function obstacleTo(text: string, path: JsonPath): Sentence | undefined {
	const { fault, root } = parseText(text);
	if (fault) {
		return notJson(text, fault);
	}
	let node = root;
	for (const [depth, name] of path.entries()) {
		if (node && node.type !== 'object') {
			return generalSentence(error(path.slice(0, depth), localizable('must be an object.')));
		}
		const same = node?.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
		if (same.length > 1) {
			// A change of one would be without effect, or change what is not used.
			return generalSentence(error(path.slice(0, depth + 1), localizable('is defined more than once.')));
		}
		node = same[0]?.children?.[1];
	}
	return undefined;
}

/** Detects indentation and line endings of a text. */
export function formattingOf(text: string): FormattingOptions {
	const indent = /^(?:\t| +)(?=["}])/m.exec(text)?.[0] ?? '\t';
	const eol = text.includes('\r\n') ? '\r\n' : '\n';
	return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
}

/** Marks a short value itself, and the name of an object, of an array, or of the parent of a missing member. */
export function nodeToHighlight(
	root: Node | undefined,
	path: JsonPath,
	inName = false,
): { offset: number; length: number } {
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

/** The last of several members with the same name counts. */
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

/** Converts offsets to lines and characters. */
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
