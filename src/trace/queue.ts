/** A FIFO queue. Push, shift and access by index take constant time. */
export class Queue<T> implements Iterable<T> {
	#items: (T | undefined)[] = [];
	#first = 0;

	get length(): number {
		return this.#items.length - this.#first;
	}

	/** The oldest item has index 0. */
	at(index: number): T | undefined {
		return index < 0 ? undefined : this.#items[this.#first + index];
	}

	push(item: T): void {
		this.#items.push(item);
	}

	/** Removes the oldest item. */
	shift(): T | undefined {
		const item = this.#items[this.#first];
		if (this.#first < this.#items.length) {
			this.#items[this.#first++] = undefined;
			// Compacts only when the gap is as large as the rest, which keeps `shift` at amortized constant time.
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

	/** Items from `start` on, oldest first. */
	slice(start = 0): T[] {
		return this.#items.slice(this.#first + Math.max(0, start)) as T[];
	}

	[Symbol.iterator](): Iterator<T> {
		return (this.#items.slice(this.#first) as T[])[Symbol.iterator]();
	}
}
