import { visible } from '../../elicitation/display.ts';
import type { Json } from '../../elicitation/json.ts';

/** How a programming language writes what JSON can say, and what stands for a marker in a text. */
export interface Dialect {
	readonly indent: string;
	/** What stands between the braces of an object and its members. */
	readonly padding: string;
	readonly null: string;
	readonly true: string;
	readonly false: string;
	number(value: number): string;
	/** A character that cannot stand for itself between quotes. */
	escaped(codePoint: number): string;
	/** A member's name. */
	key(name: string): string;
	/** The expression for each marker. */
	readonly markers: ReadonlyMap<string, Expression>;
}

/** What a marker stands for. */
export interface Expression {
	/** Where the marker is the whole text. */
	readonly alone: string;
	/** Where it is part of a text. */
	readonly within: string;
}

/** Lines are no longer than this, unless a single text is. */
const WIDTH = 115;

/** Characters that stand for themselves: what can be seen. Quotes and backslashes have been dealt with. */
const PLAIN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const ESCAPES: ReadonlyMap<string, string> = new Map([
	['\\', '\\\\'],
	['\n', '\\n'],
	['\r', '\\r'],
	['\t', '\\t'],
]);

/** A text between quotes. Nothing in it can end the text, hide in it, or turn the reading direction of the code. */
export function quoted(text: string, escaped: Dialect['escaped']): string {
	// JSON in a text is easier to read this way.
	const quote = text.includes('"') && !text.includes("'") ? "'" : '"';
	let result = '';
	for (const character of text) {
		const own = character === quote ? `\\${quote}` : ESCAPES.get(character);
		const plain = PLAIN.test(character) && visible(character) === character;
		result += own ?? (plain ? character : escaped(character.codePointAt(0) ?? 0));
	}
	return `${quote}${result}${quote}`;
}

/**
 * A value as an expression of the language, over several lines where it is long.
 * @param before how many characters stand before it in its line, besides the indentation
 */
export function literal(value: Json, dialect: Dialect, depth = 0, before = 0): string {
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

/** A text in which markers are expressions: `"door " + env["DOOR"]`. */
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
		escaped,
		// As an ordinary member `__proto__` would set the prototype.
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
		escaped,
		key: (name) => quoted(name, escaped),
		markers,
	};
}

/** What JavaScript cannot hold exactly is a floating-point number there, and has to be one in Python. */
function pythonNumber(value: number): string {
	if (!Number.isFinite(value)) {
		return `float("${value < 0 ? '-inf' : 'inf'}")`;
	}
	const text = String(value);
	return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
