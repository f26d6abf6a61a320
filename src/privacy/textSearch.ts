/** A place in a text. */
export interface Range {
	readonly start: number;
	readonly end: number;
}

/** What a text has of those that are searched for. */
export interface Found {
	/** In their order. */
	readonly ranges: readonly Range[];
	/** How much of one of them its end is the beginning of (UTF-16 code units). */
	readonly begun: number;
}

/** Spaces are `+` in forms of web pages. */
const SPACE = 0x20;
const PLUS = 0x2b;

/** Keys of children: a state and a UTF-16 code unit. */
const UNITS = 0x10000;

/**
 * Finds many texts at once in one pass, in linear time whatever the texts are: the automaton of Aho and Corasick. A space stands for `+`, too.
 */
export class TextSearch {
	/** The children of the first state, by unit. */
	readonly #begins = new Int32Array(UNITS);
	/** The only child of a state, and the unit that leads to it. Most states have one. */
	readonly #child: Int32Array;
	readonly #unit: Uint16Array;
	/** The other children of the other states, and which states have any. */
	readonly #others = new Map<number, number>();
	readonly #branches: Uint8Array;
	/** The state for the longest end of this state's text that begins another one. */
	readonly #shorter: Int32Array;
	readonly #depth: Int32Array;
	/** The state for the longest text that ends here. */
	readonly #found: Int32Array;

	/** @param texts none of them empty */
	constructor(texts: readonly string[]) {
		const size = texts.reduce((sum, { length }) => sum + length, 1);
		this.#child = new Int32Array(size);
		this.#unit = new Uint16Array(size);
		this.#branches = new Uint8Array(size);
		this.#shorter = new Int32Array(size);
		this.#depth = new Int32Array(size);
		this.#found = new Int32Array(size);
		const parents = new Int32Array(size);
		const units = new Uint16Array(size);
		let states = 1;
		for (const text of texts) {
			let state = 0;
			for (let at = 0; at < text.length; at++) {
				const code = text.charCodeAt(at);
				const unit = code === PLUS ? SPACE : code;
				let next = this.#next(state, unit);
				if (next === 0) {
					next = states++;
					this.#connect(state, unit, next);
					parents[next] = state;
					units[next] = unit;
					this.#depth[next] = at + 1;
				}
				state = next;
			}
			this.#found[state] = state;
		}
		this.#begins[PLUS] = this.#begins[SPACE] as number;
		this.#complete(parents, units, states);
	}

	/**
	 * Finds where a text has one of the texts. Those that overlap are one range.
	 * @param whole shorter ones count only where `counts` says so
	 */
	find(text: string, whole: number, counts: (start: number, end: number) => boolean): Found {
		const [begins, founds, depths] = [this.#begins, this.#found, this.#depth];
		const ranges: Range[] = [];
		let [start, end] = [0, 0];
		let state = 0;
		for (let at = 0; at < text.length; at++) {
			const code = text.charCodeAt(at);
			// Most of a text is nothing of what is searched for.
			if (state === 0 && begins[code] === 0) {
				continue;
			}
			state = this.#step(state, code === PLUS ? SPACE : code);
			for (let match = founds[state] as number; match !== 0; ) {
				const length = depths[match] as number;
				const from = at + 1 - length;
				if (length < whole && !counts(from, at + 1)) {
					match = founds[this.#shorter[match] as number] as number;
					continue;
				}
				if (from >= end) {
					if (end > 0) {
						ranges.push({ start, end });
					}
					start = from;
				} else if (from < start) {
					start = from;
					for (let last = ranges.at(-1); last !== undefined && last.end > start; last = ranges.at(-1)) {
						start = Math.min(start, last.start);
						ranges.pop();
					}
				}
				end = at + 1;
				break;
			}
		}
		if (end > 0) {
			ranges.push({ start, end });
		}
		return { ranges, begun: depths[state] as number };
	}

	#next(state: number, unit: number): number {
		if (state === 0) {
			return this.#begins[unit] as number;
		}
		if (this.#unit[state] === unit) {
			return this.#child[state] as number;
		}
		return this.#branches[state] === 1 ? (this.#others.get(state * UNITS + unit) ?? 0) : 0;
	}

	#step(from: number, unit: number): number {
		for (let state = from; ; state = this.#shorter[state] as number) {
			const next = this.#next(state, unit);
			if (next !== 0 || state === 0) {
				return next;
			}
		}
	}

	#connect(state: number, unit: number, child: number): void {
		if (state === 0) {
			this.#begins[unit] = child;
		} else if (this.#child[state] === 0) {
			this.#child[state] = child;
			this.#unit[state] = unit;
		} else {
			this.#branches[state] = 1;
			this.#others.set(state * UNITS + unit, child);
		}
	}

	/** States of a depth need those of all smaller depths. */
	#complete(parents: Int32Array, units: Uint16Array, states: number): void {
		for (const state of this.#byDepth(states)) {
			const parent = parents[state] as number;
			const shorter = parent === 0 ? 0 : this.#step(this.#shorter[parent] as number, units[state] as number);
			this.#shorter[state] = shorter;
			if (this.#found[state] === 0) {
				this.#found[state] = this.#found[shorter] as number;
			}
		}
	}

	/** All states but the first. */
	#byDepth(states: number): Int32Array {
		const next = new Int32Array(states + 1);
		for (let state = 1; state < states; state++) {
			const after = (this.#depth[state] as number) + 1;
			next[after] = (next[after] as number) + 1;
		}
		for (let depth = 1; depth < next.length; depth++) {
			next[depth] = (next[depth] as number) + (next[depth - 1] as number);
		}
		const sorted = new Int32Array(states - 1);
		for (let state = 1; state < states; state++) {
			const depth = this.#depth[state] as number;
			const place = next[depth] as number;
			sorted[place] = state;
			next[depth] = place + 1;
		}
		return sorted;
	}
}
