/** A place in a text. */
export interface Range {
	readonly start: number;
	readonly end: number;
}

const SPACE = 0x20;
const PLUS = 0x2b;

/** Keys of children: a state and a UTF-16 code unit. */
const UNITS = 0x10000;

/**
 * Finds many texts at once in one pass, in linear time whatever the texts are: the automaton of Aho and Corasick. A space stands for `+`, too.
 */
export class TextSearch {
	/** Whether one of the texts begins with a unit. */
	readonly #begins = new Uint8Array(UNITS);
	/** The only child of a state, and the unit that leads to it. Most states have one. */
	readonly #child: Int32Array;
	readonly #unit: Uint16Array;
	/** The children of the first state, and the other children of the others. */
	readonly #others = new Map<number, number>();
	/** The state for the longest end of this state's text that begins another one. */
	readonly #shorter: Int32Array;
	readonly #depth: Int32Array;
	/** The state for the longest text that ends here. */
	readonly #found: Int32Array;

	/** @param texts none of them empty; a `+` in them is a space */
	constructor(texts: readonly string[]) {
		const size = texts.reduce((sum, { length }) => sum + length, 1);
		this.#child = new Int32Array(size);
		this.#unit = new Uint16Array(size);
		this.#shorter = new Int32Array(size);
		this.#depth = new Int32Array(size);
		this.#found = new Int32Array(size);
		const parents = new Int32Array(size);
		const units = new Uint16Array(size);
		let states = 1;
		for (const text of texts) {
			let state = 0;
			for (let at = 0; at < text.length; at++) {
				const unit = text.charCodeAt(at);
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
		this.#complete(parents, units, states);
	}

	/**
	 * Calls back with the longest text that ends at each place, and with shorter ones as long as it returns false.
	 * @returns how much of one of the texts the end is the beginning of (UTF-16 code units)
	 */
	each(text: string, found: (start: number, end: number) => boolean): number {
		const begins = this.#begins;
		let state = 0;
		for (let at = 0; at < text.length; at++) {
			const code = text.charCodeAt(at);
			const unit = code === PLUS ? SPACE : code;
			// Most of a text is nothing of what is searched for.
			if (state === 0 && begins[unit] === 0) {
				continue;
			}
			state = this.#step(state, unit);
			for (let match = this.#found[state] as number; match !== 0; ) {
				if (found(at + 1 - (this.#depth[match] as number), at + 1)) {
					break;
				}
				match = this.#found[this.#shorter[match] as number] as number;
			}
		}
		return this.#depth[state] as number;
	}

	#next(state: number, unit: number): number {
		if (state === 0) {
			return this.#others.get(unit) ?? 0;
		}
		const child = this.#child[state] as number;
		return child !== 0 && this.#unit[state] === unit
			? child
			: child === 0
				? 0
				: (this.#others.get(state * UNITS + unit) ?? 0);
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
			this.#begins[unit] = 1;
			this.#others.set(unit, child);
		} else if (this.#child[state] === 0) {
			this.#child[state] = child;
			this.#unit[state] = unit;
		} else {
			this.#others.set(state * UNITS + unit, child);
		}
	}

	/** States of a depth need those of all smaller depths. */
	#complete(parents: Int32Array, units: Uint16Array, states: number): void {
		const byDepth = Array.from({ length: states - 1 }, (_, index) => index + 1).sort(
			(one, other) => (this.#depth[one] as number) - (this.#depth[other] as number),
		);
		for (const state of byDepth) {
			const parent = parents[state] as number;
			const shorter = parent === 0 ? 0 : this.#step(this.#shorter[parent] as number, units[state] as number);
			this.#shorter[state] = shorter;
			if (this.#found[state] === 0) {
				this.#found[state] = this.#found[shorter] as number;
			}
		}
	}
}
