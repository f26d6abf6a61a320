/** A map with keys of two parts. Faster than a map with combined keys, which have to be built and compared as texts. */
export class PairMap<A, B, T> {
	readonly #maps = new Map<A, Map<B, T>>();

	get(a: A, b: B): T | undefined {
		return this.#maps.get(a)?.get(b);
	}

	set(a: A, b: B, value: T): void {
		const map = this.#maps.get(a);
		if (map) {
			map.set(b, value);
		} else {
			this.#maps.set(a, new Map([[b, value]]));
		}
	}

	delete(a: A, b: B): void {
		this.#maps.get(a)?.delete(b);
	}

	deleteAll(a: A): void {
		this.#maps.delete(a);
	}

	clear(): void {
		this.#maps.clear();
	}
}
