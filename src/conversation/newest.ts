import { isFilledText } from '../elicitation/json.ts';

/** Max memory of what is remembered for one purpose (approximate bytes). */
export const MAX_MEMORY = 16 * 1024 * 1024;

interface Weighed {
	/** Approximate memory (bytes). */
	readonly weight: number;
	/** Called when it is forgotten. */
	release(): void;
}

/** A map that forgets what was set longest ago. */
export class Newest<K, V extends Weighed> {
	readonly #values = new Map<K, V>();
	#weight = 0;

	/** @param most max number of values */
	constructor(private readonly most: number) {}

	keys(): Iterable<K> {
		return this.#values.keys();
	}

	values(): Iterable<V> {
		return this.#values.values();
	}

	has(key: K): boolean {
		return this.#values.has(key);
	}

	get(key: K): V | undefined {
		return this.#values.get(key);
	}

	/** The newest stays, whatever its weight. */
	set(key: K, value: V): void {
		this.delete(key);
		this.#values.set(key, value);
		this.#weight += value.weight;
		while (this.#values.size > 1 && (this.#values.size > this.most || this.#weight > MAX_MEMORY)) {
			const [oldest] = this.#values.keys();
			this.get(oldest as K)?.release();
			this.delete(oldest as K);
		}
	}

	/** The weight of a value must not have changed since it was set. */
	delete(key: K): void {
		const value = this.#values.get(key);
		if (value) {
			this.#weight -= value.weight;
			this.#values.delete(key);
		}
	}

	clear(): void {
		for (const value of this.#values.values()) {
			value.release();
		}
		this.#values.clear();
		this.#weight = 0;
	}
}

/** True for the id of a request, and for a progress token. */
export function isId(id: unknown): id is string | number {
	return typeof id === 'string' || typeof id === 'number';
}

/**
 * By the ids of requests, or by progress tokens. A number and the same number as text are different ids. Some servers return a
 * number as text, though, which the SDK accepts: so does `keyOf`.
 */
export class Ids<V extends Weighed> extends Newest<string | number, V> {
	/** The id as it was set; undefined if it was not. */
	keyOf(id: unknown): string | number | undefined {
		if (!isId(id)) {
			return undefined;
		}
		if (this.has(id)) {
			return id;
		}
		const other = typeof id === 'number' ? String(id) : isFilledText(id) ? Number(id) : id;
		return this.has(other) ? other : undefined;
	}

	/** What a message names by an id. */
	named(id: unknown): V | undefined {
		const key = this.keyOf(id);
		return key === undefined ? undefined : this.get(key);
	}
}
