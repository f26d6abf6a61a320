/** Max length of a sample. */
const MAX_LENGTH = 1_000;

/** Sample characters of the predefined classes. */
const CLASSES: Readonly<Record<string, string>> = { d: '0', D: 'a', w: 'a', W: '-', s: ' ', S: 'a' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };
/** Sample characters for negated classes, in order of preference. */
const OTHERS = ['a', 'A', '0', '-', '~', 'é'];

/**
 * Generates a text that probably matches the pattern by parsing it, without executing it. Optional repetitions occur
 * `more` times. Undefined for unsupported syntax. The caller must validate the result.
 */
export function samplePattern(pattern: string, more = 0): string | undefined {
	try {
		return new Reader(pattern, more).read();
	} catch {
		return undefined;
	}
}

class Unreadable extends Error {}

class Reader {
	#at = 0;

	constructor(
		private readonly pattern: string,
		private readonly more: number,
	) {}

	read(): string {
		const text = this.#alternatives();
		if (this.#at < this.pattern.length) {
			throw new Unreadable();
		}
		return text;
	}

	/** Returns the first alternative and skips the others. */
	#alternatives(): string {
		const first = this.#sequence();
		while (this.#take('|')) {
			this.#sequence();
		}
		return first;
	}

	#sequence(): string {
		let text = '';
		while (this.#at < this.pattern.length && this.#next !== '|' && this.#next !== ')') {
			text += this.#repeated(this.#atom());
			if (text.length > MAX_LENGTH) {
				throw new Unreadable();
			}
		}
		return text;
	}

	#atom(): string {
		const character = this.#shift();
		switch (character) {
			case '^':
			case '$':
				return '';
			case '.':
				return 'a';
			case '(':
				return this.#group();
			case '[':
				return this.#class();
			case '\\':
				return this.#escaped();
			default:
				return character;
		}
	}

	#group(): string {
		const named = /^\?<[A-Za-z_$][\w$]*>/.exec(this.pattern.slice(this.#at));
		if (named) {
			this.#at += named[0].length;
		} else if (this.#next === '?' && !this.#take('?:')) {
			throw new Unreadable();
		}
		const text = this.#alternatives();
		if (!this.#take(')')) {
			throw new Unreadable();
		}
		return text;
	}

	#escaped(): string {
		const character = this.#shift();
		if (character === 'b') {
			return '';
		}
		if (/[1-9BkpPuxc]/.test(character)) {
			throw new Unreadable();
		}
		return CLASSES[character] ?? ESCAPES[character] ?? character;
	}

	/** Returns the first member, or for a negated class a character that is not a member. */
	#class(): string {
		const excludes = this.#take('^');
		const members: [first: string, last: string][] = [];
		while (!this.#take(']')) {
			const first = this.#member();
			const isRange = this.#next === '-' && this.pattern[this.#at + 1] !== ']';
			members.push([first, isRange && this.#take('-') ? this.#member() : first]);
		}
		const chosen = excludes
			? OTHERS.find((other) => !members.some(([first, last]) => first <= other && other <= last))
			: members[0]?.[0];
		if (chosen === undefined) {
			throw new Unreadable();
		}
		return chosen;
	}

	#member(): string {
		const character = this.#shift();
		return character === '\\' ? this.#escaped() : character;
	}

	#repeated(atom: string): string {
		const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.pattern.slice(this.#at));
		if (!quantifier) {
			return atom;
		}
		const [whole, least, range, most] = quantifier;
		this.#at += whole.length;
		const [from, to] = least
			? [Number(least), range ? Number(most || Number.POSITIVE_INFINITY) : Number(least)]
			: [whole[0] === '+' ? 1 : 0, whole[0] === '?' ? 1 : Number.POSITIVE_INFINITY];
		const times = Math.min(Math.max(from, this.more), to);
		if (times * atom.length > MAX_LENGTH) {
			throw new Unreadable();
		}
		return atom.repeat(times);
	}

	get #next(): string | undefined {
		return this.pattern[this.#at];
	}

	#shift(): string {
		const character = [...this.pattern.slice(this.#at, this.#at + 2)][0];
		if (character === undefined) {
			throw new Unreadable();
		}
		this.#at += character.length;
		return character;
	}

	#take(text: string): boolean {
		const taken = this.pattern.startsWith(text, this.#at);
		this.#at += taken ? text.length : 0;
		return taken;
	}
}
