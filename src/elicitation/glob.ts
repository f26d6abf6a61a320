/** Longer patterns are not compared: no user has written them. */
export const LONGEST_GLOB = 500;

/** One step of a pattern: a character or `?` leads on, `*` may repeat, a fork leads to every alternative. */
type Step =
	| { readonly kind: 'character'; readonly character: string; readonly next: number }
	| { readonly kind: 'any' | 'many'; readonly next: number }
	| { readonly kind: 'fork'; readonly next: readonly number[] }
	| { readonly kind: 'end' };

/**
 * Whether a whole text matches: `*` stands for any characters, line breaks included, `?` for one, `{a,b}` for either, and a
 * backslash takes the meaning from what follows it. All ways are followed at the same time, so that no pattern takes longer
 * than its length times that of the text.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
	const { steps, first } = new Compiler([...pattern]).compile();
	return (text) => {
		const ways = new Ways(steps);
		ways.follow(first);
		for (const character of text) {
			if (!ways.read(character)) {
				return false;
			}
		}
		return ways.ended;
	};
}

/** Every step that has been reached after so many characters. */
class Ways {
	#reached: number[] = [];
	/** When each step was last reached: nothing is followed twice after the same character. */
	readonly #seen: Uint32Array;
	#count = 1;

	constructor(private readonly steps: readonly Step[]) {
		this.#seen = new Uint32Array(steps.length);
	}

	get ended(): boolean {
		return this.#reached.some((at) => this.steps[at]?.kind === 'end');
	}

	/** Goes on to every step that can be reached from here without reading a character. */
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

	/** False when no way goes on. */
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

/** The pattern that matches this text and nothing else. */
export function globOf(text: string): string {
	return text.replace(/[\\*?{},]/g, '\\$&');
}

/** Turns a pattern into steps, from its end to its beginning: each one is told where it leads. */
class Compiler {
	readonly #steps: Step[] = [];
	/** Where each brace that opens alternatives closes, and its commas. */
	readonly #braces: ReadonlyMap<number, readonly number[]>;

	constructor(private readonly pattern: readonly string[]) {
		this.#braces = bracesOf(pattern);
	}

	compile(): { steps: readonly Step[]; first: number } {
		const first = this.#part(0, this.pattern.length, this.#add({ kind: 'end' }));
		return { steps: this.#steps, first };
	}

	/** The step with which the part of the pattern begins; `next` is the one after it. */
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

	/** Where the piece after this one begins. */
	#after(at: number): number {
		const close = this.#braces.get(at)?.at(-1);
		return (close ?? (this.pattern[at] === '\\' ? at + 1 : at)) + 1;
	}

	#add(step: Step): number {
		return this.#steps.push(step) - 1;
	}
}

/** Of every pair of braces with a comma between them: its commas and its end. Other braces are characters like any other. */
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
