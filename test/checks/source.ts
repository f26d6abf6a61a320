import { dirname, join } from 'node:path/posix';
import { parseSync } from 'vite';

/** The functions that make a text a key of the translations, by the file that exports them. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
	'src/editor/common/localize.ts': ['localize', 'localizeNative'],
	'src/elicitation/sentence.ts': ['localizable'],
};

/** What every page calls its translator. */
const SPEAKER_IN_PAGE = 't';

/** Where a user reads what is assigned, by name. `name` only of what is assigned to: options use it for ids. */
const READ =
	/^(title|tooltip|label|description|detail|place[hH]older|prompt|message|text|textContent|validationMessage|aria-label|alt|(save|open)Label)$/;
const READ_WHEN_ASSIGNED = /^(name|badge)$/;

/** Functions whose arguments a user reads. */
const SHOWS = /^(show\w+Message|TreeItem|setStatusBarMessage|report|native)$/;
const SHOWS_IN_PAGE = /^(fill|joined)$/;

/** A text in the code, and where it stands. */
export interface Found {
	readonly text: string;
	/** `file:line`. */
	readonly at: string;
}

interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

/** One source file, parsed. */
export class Source {
	readonly #program: Node;
	/** The local names of the speakers that the file imports. */
	readonly #speakers: ReadonlySet<string>;

	constructor(
		readonly path: string,
		private readonly code: string,
	) {
		this.#program = parseSync(path, code).program as unknown as Node;
		this.#speakers = new Set([...this.#importedSpeakers(), ...(this.#isPage ? [SPEAKER_IN_PAGE] : [])]);
	}

	get #isPage(): boolean {
		return this.path.startsWith('src/webview/');
	}

	/** The texts that are said, and the calls whose text cannot be read off the code. */
	said(): { readonly texts: readonly Found[]; readonly unreadable: readonly Found[] } {
		const texts: Found[] = [];
		const unreadable: Found[] = [];
		for (const node of this.#all()) {
			if (this.#isSpeech(node)) {
				const [first] = list(node['arguments']);
				const literals = first && literalsOf(first);
				texts.push(...(literals ?? []).map((text) => this.#found(node, text)));
				unreadable.push(...(literals ? [] : [this.#found(node, this.code.slice(node.start, node.end))]));
			}
		}
		return { texts, unreadable };
	}

	/** Literals of several words that are not said, and are no type, key or import either. */
	unsaidProse(): Found[] {
		return this.#literals(this.#program).filter(({ text }) => /\p{L}{2,}[.,;:]? +\p{L}/u.test(text));
	}

	/** Words that go straight to where a user reads them: titles, tooltips, messages, elements. */
	unsaidWords(): Found[] {
		return [...this.#all()]
			.flatMap((node) => this.#shown(node))
			.map((node) => this.#found(node, textOf(node)))
			.filter(({ text }) => /\p{L}/u.test(text.replace(/\$\([\w~-]*\)?/g, '')));
	}

	*#importedSpeakers(): Iterable<string> {
		for (const node of list(this.#program['body']).filter(({ type }) => type === 'ImportDeclaration')) {
			const names = SPEAKERS[join(dirname(this.path), String(child(node, 'source')?.['value']))] ?? [];
			for (const specifier of list(node['specifiers'])) {
				if (names.includes(nameOf(child(specifier, 'imported')))) {
					yield nameOf(child(specifier, 'local'));
				}
			}
		}
	}

	#isSpeech(node: Node): boolean {
		return node.type === 'CallExpression' && this.#speakers.has(nameOf(child(node, 'callee')));
	}

	/** Every literal below a node, but for what is said there. */
	#literals(node: Node): Found[] {
		if (this.#isSpeech(node)) {
			return list(node['arguments'])
				.slice(1)
				.flatMap((argument) => this.#literals(argument));
		}
		if (isLiteral(node)) {
			return [this.#found(node, textOf(node))];
		}
		if (node.type === 'JSXAttribute' && !READ.test(nameOf(child(node, 'name')))) {
			return [];
		}
		// Types hold literals too; of expressions with a type the expression counts.
		return /^(Import|Export\w*From|TS(?!As|Satisfies|NonNull))/.test(node.type)
			? []
			: children(node)
					.filter((part) => !(node.type === 'Property' && part === node['key']))
					.flatMap((part) => this.#literals(part));
	}

	/** The literals that a node shows to a user. */
	#shown(node: Node): Node[] {
		const parts = (expression: Node | undefined) => (expression ? valuesOf(expression) : []);
		switch (node.type) {
			case 'Property':
				return READ.test(nameOf(child(node, 'key'))) ? parts(child(node, 'value')) : [];
			case 'AssignmentExpression': {
				const name = nameOf(child(node, 'left'));
				return READ.test(name) || READ_WHEN_ASSIGNED.test(name) ? parts(child(node, 'right')) : [];
			}
			case 'CallExpression':
			case 'NewExpression': {
				const name = nameOf(child(node, 'callee'));
				return (this.#isPage ? SHOWS_IN_PAGE : SHOWS).test(name) ? list(node['arguments']).flatMap(valuesOf) : [];
			}
			case 'JSXAttribute':
				return READ.test(nameOf(child(node, 'name'))) ? parts(child(node, 'value')) : [];
			case 'JSXElement':
			case 'JSXFragment':
				return list(node['children']).flatMap(valuesOf);
			default:
				return [];
		}
	}

	*#all(from: Node = this.#program): Iterable<Node> {
		yield from;
		for (const part of children(from)) {
			yield* this.#all(part);
		}
	}

	#found({ start }: Node, text: string): Found {
		return { text, at: `${this.path}:${this.code.slice(0, start).split('\n').length}` };
	}
}

function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function list(value: unknown): Node[] {
	return Array.isArray(value) ? value.filter(isNode) : [];
}

function children(node: Node): Node[] {
	return Object.values(node).flatMap((value) => (isNode(value) ? [value] : list(value)));
}

function child(node: Node, key: string): Node | undefined {
	const value = node[key];
	return isNode(value) ? value : undefined;
}

/** The name of an identifier or of a member, the text of a literal key. */
function nameOf(node: Node | undefined): string {
	return String(node?.['name'] ?? node?.['value'] ?? (node && child(node, 'property')?.['name']) ?? '');
}

function isLiteral(node: Node): boolean {
	return node.type === 'TemplateElement' || (node.type === 'Literal' && typeof node['value'] === 'string');
}

function textOf({ type, value }: Node): string {
	return type === 'TemplateElement' ? (value as { cooked: string }).cooked : String(value);
}

/** The possible texts of an expression, if it is made of literals only. */
function literalsOf(node: Node): string[] | undefined {
	if (node.type === 'ConditionalExpression') {
		const both = [child(node, 'consequent'), child(node, 'alternate')].map((part) => part && literalsOf(part));
		return both.every((texts) => texts !== undefined) ? both.flat() : undefined;
	}
	return node.type === 'Literal' && isLiteral(node) ? [textOf(node)] : undefined;
}

/** The literals that an expression can become, or become a part of. The arguments of calls are not looked into. */
function valuesOf(node: Node): Node[] {
	switch (node.type) {
		case 'Literal':
			return isLiteral(node) ? [node] : [];
		case 'JSXText':
			return [node];
		case 'JSXExpressionContainer':
			return [child(node, 'expression')].flatMap((part) => (part ? valuesOf(part) : []));
		case 'TemplateLiteral': {
			const texts = list(node['quasis']);
			// What follows `$(` names an icon.
			const parts = list(node['expressions']).filter((_, at) => !textOf(texts[at] as Node).endsWith('$('));
			return [...texts, ...parts.flatMap(valuesOf)];
		}
		case 'ConditionalExpression':
			return [child(node, 'consequent'), child(node, 'alternate')].flatMap((part) => (part ? valuesOf(part) : []));
		case 'ArrayExpression':
		case 'LogicalExpression':
			return children(node).flatMap(valuesOf);
		case 'CallExpression': {
			// `[…].join(…)`, `'…'.trim()`
			const callee = child(node, 'callee');
			return callee?.type === 'MemberExpression'
				? [child(callee, 'object')].flatMap((part) => (part ? valuesOf(part) : []))
				: [];
		}
		case 'BinaryExpression':
			return node['operator'] === '+' ? children(node).flatMap(valuesOf) : [];
		default:
			return [];
	}
}
