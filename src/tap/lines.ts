/** A line feed. In UTF-8, no part of another character looks like it. */
const NEWLINE = 0x0a;

/** Who is told what the bytes of a stream are. */
export interface LineEvents {
	line(text: string): void;
	/** So many bytes belong to lines that cannot be put together. */
	missing(bytes: number): void;
}

/** Puts the lines of a stream together. Invalid bytes become U+FFFD. */
export class Lines {
	readonly #parts: Uint8Array[] = [];
	#length = 0;
	/** How much of lines is missing that have no end yet (bytes). */
	#missing = 0;

	/** @param longest of which more is missing (bytes) */
	constructor(
		private readonly events: LineEvents,
		private readonly longest: number,
	) {}

	push(chunk: Uint8Array): void {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
			this.#add(chunk.subarray(start, end));
			this.end();
			start = end + 1;
		}
		this.#add(chunk.subarray(start));
	}

	/** So many bytes come before those that are pushed next. Where lines end in them is not known. */
	lose(bytes: number): void {
		this.#missing += bytes + this.#length;
		this.#clear();
	}

	/** Ends the last line. */
	end(): void {
		if (this.#missing > 0) {
			this.events.missing(this.#missing);
			this.#missing = 0;
		} else if (this.#length > 0) {
			const text = new TextDecoder().decode(Buffer.concat(this.#parts, this.#length));
			this.#clear();
			this.events.line(text);
		}
	}

	#add(bytes: Uint8Array): void {
		if (this.#missing > 0 || this.#length + bytes.length > this.longest) {
			this.lose(bytes.length);
		} else if (bytes.length > 0) {
			this.#parts.push(bytes);
			this.#length += bytes.length;
		}
	}

	#clear(): void {
		this.#parts.length = 0;
		this.#length = 0;
	}
}
