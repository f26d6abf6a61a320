/** Max length of a pattern. Longer patterns are not compiled. */
export const MAX_GLOB_LENGTH = 500;

/** True if a pattern matches texts that it does not spell out; false for a text, or for several as alternatives. */
export function hasWildcard(pattern: string): boolean {
	return /[*?]/.test(pattern.replace(/\\./gs, ''));
}

/** One step of a compiled pattern. A fork leads to all of its alternatives. */
type Step =
	| { readonly kind: 'character'; readonly character: string; readonly next: number }
	| { readonly kind: 'any' | 'many'; readonly next: number }
	| { readonly kind: 'fork'; readonly next: readonly number[] }
	| { readonly kind: 'end' };

/**
 * Compiles a glob that matches whole texts: `*` matches any characters including line breaks, `?` one character,
 * `{a,b}` either alternative; a backslash escapes. Follows all alternatives in parallel, so matching takes at most
 * pattern length × text length.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
	const { steps, first } = new Compiler([...pattern]).compile();
	return (text) => {
		const active = new ActiveSteps(steps);
		active.follow(first);
		for (const character of text) {
			if (!active.read(character)) {
				return false;
			}
		}
		return active.ended;
	};
}

/** The steps reached after the characters read so far. */
class ActiveSteps {
	#reached: number[] = [];
	/** When each step was last reached, so that no step is followed twice for the same character. */
	readonly #seen: Uint32Array;
	#count = 1;

	constructor(private readonly steps: readonly Step[]) {
		this.#seen = new Uint32Array(steps.length);
	}

	get ended(): boolean {
		return this.#reached.some((at) => this.steps[at]?.kind === 'end');
	}

	/** Follows every step that can be reached without reading a character. */
	follow(from: number): void {
		const open = [from];
		for (let at = open.pop(); at !== undefined; at = open.pop()) {
			const step = this.steps[at];
			if (step === undefined || this.#seen[at] === this.#count) {
				continue;
			}
			this.#seen[at] = this.#count;
			if (step.kind === 'fork') {
				open.push(...step.next);
				continue;
			}
			this.#reached.push(at);
			if (step.kind === 'many') {
				open.push(step.next);
			}
		}
	}

	/** Returns false if nothing matches any more. */
	read(character: string): boolean {
		const before = this.#reached;
		this.#reached = [];
		this.#count++;
		for (const at of before) {
			const step = this.steps[at];
			if (step?.kind === 'many') {
				this.follow(at);
			} else if (step?.kind === 'any' || (step?.kind === 'character' && step.character === character)) {
				this.follow(step.next);
			}
		}
		return this.#reached.length > 0;
	}
}

/** Escapes a text so that the pattern matches only that text. */
export function globOf(text: string): string {
	return text.replace(/[\\*?{},]/g, '\\$&');
}

/** Compiles a pattern from its end to its beginning, because each step refers to the next one. */
class Compiler {
	readonly #steps: Step[] = [];
	/** Positions of commas and closing brace, by the position of the opening brace. */
	readonly #braces: ReadonlyMap<number, readonly number[]>;

	constructor(private readonly pattern: readonly string[]) {
		this.#braces = bracesOf(pattern);
	}

	compile(): { steps: readonly Step[]; first: number } {
		const first = this.#part(0, this.pattern.length, this.#add({ kind: 'end' }));
		return { steps: this.#steps, first };
	}

	/** Compiles a part of the pattern and returns its first step; `next` follows its last step. */
	#part(start: number, end: number, next: number): number {
		const pieces: number[] = [];
		for (let at = start; at < end; at = this.#after(at)) {
			pieces.push(at);
		}
		return pieces.reduceRight((following, at) => this.#piece(at, following), next);
	}

	#piece(at: number, next: number): number {
		const character = this.pattern[at] ?? '';
		const separators = this.#braces.get(at);
		if (separators) {
			const starts = [at, ...separators];
			const alternatives = separators.map((end, index) => this.#part((starts[index] ?? at) + 1, end, next));
			return this.#add({ kind: 'fork', next: alternatives });
		}
		switch (character) {
			case '*':
				return this.#add({ kind: 'many', next });
			case '?':
				return this.#add({ kind: 'any', next });
			case '\\':
				return this.#add({ kind: 'character', character: this.pattern[at + 1] ?? '\\', next });
			default:
				return this.#add({ kind: 'character', character, next });
		}
	}

	/** The position after the piece at `at`. */
	#after(at: number): number {
		const close = this.#braces.get(at)?.at(-1);
		return (close ?? (this.pattern[at] === '\\' ? at + 1 : at)) + 1;
	}

	#add(step: Step): number {
		return this.#steps.push(step) - 1;
	}
}

/** Finds pairs of braces that contain a comma. Other braces are ordinary characters. */
function bracesOf(pattern: readonly string[]): Map<number, readonly number[]> {
	const braces = new Map<number, readonly number[]>();
	const open: { readonly at: number; readonly commas: number[] }[] = [];
	for (let at = 0; at < pattern.length; at++) {
		switch (pattern[at]) {
			case '\\':
				at++;
				break;
			case '{':
				open.push({ at, commas: [] });
				break;
			case ',':
				open.at(-1)?.commas.push(at);
				break;
			case '}': {
				const brace = open.pop();
				if (brace && brace.commas.length > 0) {
					braces.set(brace.at, [...brace.commas, at]);
				}
				break;
			}
		}
	}
	return braces;
}
