/** First in, first out; both ends in constant time, and any place by its index. */
export class Queue<T> implements Iterable<T> {
	#items: (T | undefined)[] = [];
	#first = 0;

	get length(): number {
		return this.#items.length - this.#first;
	}

	/** The oldest is at 0. */
	at(index: number): T | undefined {
		return index < 0 ? undefined : this.#items[this.#first + index];
	}

	push(item: T): void {
		this.#items.push(item);
	}

	/** Takes the oldest. */
	shift(): T | undefined {
		const item = this.#items[this.#first];
		if (this.#first < this.#items.length) {
			this.#items[this.#first++] = undefined;
			// Closing the gap costs a copy: only when it is as large as what is left.
			if (this.#first * 2 > this.#items.length) {
				this.#items = this.#items.slice(this.#first);
				this.#first = 0;
			}
		}
		return item;
	}

	clear(): void {
		this.#items = [];
		this.#first = 0;
	}

	/** Oldest first, from an index on. */
	slice(start = 0): T[] {
		return this.#items.slice(this.#first + Math.max(0, start)) as T[];
	}

	[Symbol.iterator](): Iterator<T> {
		return (this.#items.slice(this.#first) as T[])[Symbol.iterator]();
	}
}
