import { isObject, type Json, type JsonObject, plainObject } from '../elicitation/json.ts';

/** Longer texts, and deeper values, are no definitions of servers. */
const MAX_LENGTH = 100_000;
const MAX_DEPTH = 20;

const TOKEN =
	/\s+|#[^\n]*|("""(?:\\.|[^\\])*?"""|'''.*?'''|"(?!"")(?:\\.|[^"\\\n])*"|'(?!'')[^'\n]*'|[\w+:-]+|[[\]{}=,.])/gsy;

const NUMBER = /^[+-]?\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads TOML as far as clients are configured in it: tables, and values of all kinds, dates as texts. Line breaks are white space like
 * any other, because a box for one line takes a text without them.
 * @returns undefined for a text that is not TOML
 * @see https://toml.io/en/v1.0.0
 */
export function readToml(text: string): JsonObject | undefined {
	const tokens = text.length > MAX_LENGTH ? undefined : tokensOf(text);
	try {
		return tokens && new Reader(tokens).document();
	} catch {
		return undefined;
	}
}

function tokensOf(text: string): string[] | undefined {
	const found = [...text.matchAll(TOKEN)];
	const last = found.at(-1);
	const isWhole = last === undefined ? text === '' : last.index + last[0].length === text.length;
	return isWhole ? found.flatMap(([, token]) => (token === undefined ? [] : [token])) : undefined;
}

type Table = Record<string, Json>;

class Reader {
	#at = 0;

	constructor(private readonly tokens: readonly string[]) {}

	document(): JsonObject {
		const whole = plainObject([]);
		let table = whole;
		while (this.#next !== undefined) {
			if (this.#takes('[')) {
				const isList = this.#takes('[');
				table = tableAt(whole, this.#key(), isList);
				this.#expect(']');
				if (isList) {
					this.#expect(']');
				}
			} else {
				this.#member(table, 0);
			}
		}
		return whole;
	}

	get #next(): string | undefined {
		return this.tokens[this.#at];
	}

	#takes(token: string): boolean {
		const is = this.#next === token;
		this.#at += is ? 1 : 0;
		return is;
	}

	#expect(token: string): void {
		if (!this.#takes(token)) {
			throw new SyntaxError();
		}
	}

	/** A name, or a value that is no structure. */
	#word(): string {
		const token = this.#next;
		if (token === undefined || /^[[\]{}=,.]$/.test(token)) {
			throw new SyntaxError();
		}
		this.#at++;
		return token;
	}

	#key(): string[] {
		const names = [textIn(this.#word())];
		while (this.#takes('.') && names.length < MAX_DEPTH) {
			names.push(textIn(this.#word()));
		}
		return names;
	}

	#member(table: Table, depth: number): void {
		const path = this.#key();
		this.#expect('=');
		tableAt(table, path.slice(0, -1), false)[path.at(-1) ?? ''] = this.#value(depth);
	}

	#value(depth: number): Json {
		if (depth > MAX_DEPTH) {
			throw new SyntaxError();
		}
		if (this.#takes('[')) {
			const values: Json[] = [];
			this.#list(']', () => values.push(this.#value(depth + 1)));
			return values;
		}
		if (this.#takes('{')) {
			const table = plainObject([]);
			this.#list('}', () => this.#member(table, depth + 1));
			return table;
		}
		const word = this.#word();
		if (/^["']/.test(word)) {
			return textIn(word);
		}
		const literal = this.#takes('.') ? `${word}.${this.#word()}` : word;
		return literal === 'true' || literal === 'false'
			? literal === 'true'
			: NUMBER.test(literal)
				? Number(literal.replaceAll('_', ''))
				: literal;
	}

	#list(end: string, read: () => void): void {
		while (!this.#takes(end)) {
			read();
			if (this.#next !== end) {
				this.#expect(',');
			}
		}
	}
}

/** The table of a path; of a list, its last one, or a new one. */
function tableAt(whole: Table, path: readonly string[], isNew: boolean): Table {
	let table = whole;
	for (const [index, name] of path.entries()) {
		const before = table[name];
		if (isNew && index === path.length - 1) {
			table[name] = [...(Array.isArray(before) ? before : []), plainObject([])];
		} else if (before === undefined) {
			table[name] = plainObject([]);
		}
		const inner = table[name];
		const next = Array.isArray(inner) ? inner.at(-1) : inner;
		if (!isObject(next)) {
			throw new SyntaxError();
		}
		table = next as Table;
	}
	return table;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' };

/** What is in quotes, or the word. */
function textIn(token: string): string {
	const [, quotes = '', inside = token] = /^("""|'''|"|')(.*)\1$/s.exec(token) ?? [];
	const text = quotes.length === 3 ? inside.replace(/^\r?\n/, '') : inside;
	return quotes.startsWith('"')
		? text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|(\s*\n\s*)|(.))/gs, (_, short, long, end, character) => {
				const digits = short ?? long;
				const code = digits === undefined ? '' : String.fromCodePoint(Number.parseInt(digits, 16));
				return end !== undefined || character === undefined ? code : (ESCAPES[character] ?? character);
			})
		: text;
}

/** What can be written as TOML here. */
export type TomlValue = string | number | readonly TomlValue[] | { readonly [name: string]: TomlValue };

/** A table as TOML, a line for each member. */
export function tomlTable(path: readonly string[], members: Readonly<Record<string, TomlValue>>): string {
	const lines = Object.entries(members).map(member);
	return `${[`[${path.map(key).join('.')}]`, ...lines].join('\n')}\n`;
}

function member([name, value]: [string, TomlValue]): string {
	return `${key(name)} = ${valueText(value)}`;
}

function key(name: string): string {
	return /^[\w-]+$/.test(name) ? name : quoted(name);
}

function valueText(value: TomlValue): string {
	if (typeof value === 'string') {
		return quoted(value);
	}
	if (typeof value === 'number') {
		return String(value);
	}
	return Array.isArray(value)
		? `[${value.map(valueText).join(', ')}]`
		: `{ ${Object.entries(value).map(member).join(', ')} }`;
}

/** The escapes of JSON are those of TOML, which needs one more. */
function quoted(text: string): string {
	return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
