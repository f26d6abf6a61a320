import { replaceInvisible, visible } from '../../elicitation/display.ts';
import type { Json } from '../../elicitation/json.ts';
import { digitsOf, isExact } from '../../elicitation/jsonText.ts';

/** How a programming language writes JSON values and markers. */
export interface Dialect {
	readonly indent: string;
	/** Text between the braces of an object and its members. */
	readonly padding: string;
	readonly null: string;
	readonly true: string;
	readonly false: string;
	number(value: number): string;
	/** Formats the digits of a number that no double can hold. */
	exact(digits: string): string;
	/** Escapes a character that cannot appear between quotes. */
	escaped(codePoint: number): string;
	/** Formats a member name. */
	key(name: string): string;
	/** The expression for each marker. */
	readonly markers: ReadonlyMap<string, Expression>;
}

/** The expression that replaces a marker. */
export interface Expression {
	/** If the marker is the entire text. */
	readonly alone: string;
	/** If the marker is part of a text. */
	readonly within: string;
}

/** Max line length, unless a single text is longer. */
const WIDTH = 115;

/** Visible characters, which need no escape. Quotes and backslashes are handled separately. */
const PLAIN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const ESCAPES: ReadonlyMap<string, string> = new Map([
	['\\', '\\\\'],
	['\n', '\\n'],
	['\r', '\\r'],
	['\t', '\\t'],
]);

/** Quotes a text. Its contents can neither end the text, nor be invisible, nor change the direction of the code, nor cover it. */
function quoted(text: string, escaped: Dialect['escaped']): string {
	// Single quotes make embedded JSON easier to read.
	const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
	const written = (character: string) => escaped(character.codePointAt(0) ?? 0);
	let result = '';
	for (const character of text) {
		const own = character === quote ? `\\${quote}` : ESCAPES.get(character);
		const plain = PLAIN.test(character) && visible(character) === character;
		result += own ?? (plain ? character : written(character));
	}
	// What is left are combining marks, which are seen only together.
	return `${quote}${replaceInvisible(result, written)}${quote}`;
}

/**
 * Formats a value as an expression, on several lines if it is long.
 * @param before length of the text before it in its line, without indentation
 */
export function literal(value: Json, dialect: Dialect, depth = 0, before = 0): string {
	if (isExact(value)) {
		return dialect.exact(digitsOf(value));
	}
	if (typeof value === 'string') {
		return textExpression(value, dialect);
	}
	if (typeof value !== 'object' || value === null) {
		return typeof value === 'number' ? dialect.number(value) : dialect[String(value) as 'null' | 'true' | 'false'];
	}
	const list = Array.isArray(value);
	const items = list
		? value.map((item) => literal(item, dialect, depth + 1))
		: Object.entries(value).map(([name, item]) => {
				const key = `${dialect.key(name)}: `;
				return key + literal(item, dialect, depth + 1, key.length);
			});
	const [open, close] = list ? '[]' : '{}';
	if (items.length === 0) {
		return `${open}${close}`;
	}
	const padding = list ? '' : dialect.padding;
	const line = `${open}${padding}${items.join(', ')}${padding}${close}`;
	if (!line.includes('\n') && dialect.indent.length * depth + before + line.length < WIDTH) {
		return line;
	}
	const inner = dialect.indent.repeat(depth + 1);
	return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${dialect.indent.repeat(depth)}${close}`;
}

/** Formats a text in which markers become expressions: `"door " + env["DOOR"]`. */
function textExpression(text: string, { escaped, markers }: Dialect): string {
	const alone = markers.get(text);
	if (alone) {
		return alone.alone;
	}
	const terms: string[] = [];
	let plain = '';
	const flush = () => {
		if (plain !== '') {
			terms.push(quoted(plain, escaped));
			plain = '';
		}
	};
	for (const part of text.split(/(‹[^‹›]*›)/)) {
		const expression = markers.get(part);
		if (expression) {
			flush();
			terms.push(expression.within);
		} else {
			plain += part;
		}
	}
	flush();
	return terms.length > 0 ? terms.join(' + ') : '""';
}

const hex = (codePoint: number, digits: number) => codePoint.toString(16).padStart(digits, '0');

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function javaScript(markers: Dialect['markers']): Dialect {
	const escaped = (point: number) => (point > 0xffff ? `\\u{${hex(point, 1)}}` : `\\u${hex(point, 4)}`);
	return {
		indent: '  ',
		padding: ' ',
		null: 'null',
		true: 'true',
		false: 'false',
		number: (value) => (Object.is(value, -0) ? '-0' : String(value)),
		exact: (digits) => `JSON.rawJSON("${digits}")`,
		escaped,
		// A plain `__proto__` member would set the prototype.
		key: (name) => (name === '__proto__' ? '["__proto__"]' : IDENTIFIER.test(name) ? name : quoted(name, escaped)),
		markers,
	};
}

export function python(markers: Dialect['markers']): Dialect {
	const escaped = (point: number) => (point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`);
	return {
		indent: '    ',
		padding: '',
		null: 'None',
		true: 'True',
		false: 'False',
		number: pythonNumber,
		exact: (digits) => digits,
		escaped,
		key: (name) => quoted(name, escaped),
		markers,
	};
}

/** Integers that JavaScript cannot represent exactly are floats there, so Python needs floats, too. */
function pythonNumber(value: number): string {
	if (!Number.isFinite(value)) {
		return `float("${value < 0 ? '-inf' : 'inf'}")`;
	}
	const text = String(value);
	return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
