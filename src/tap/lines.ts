import { Gathered } from './channel.ts';

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
	/** The line that has no end yet. */
	readonly #line: Gathered;

	/** @param longest of which more is missing (bytes) */
	constructor(
		private readonly events: LineEvents,
		longest: number,
	) {
		this.#line = new Gathered(longest);
	}

	push(chunk: Uint8Array): void {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
			this.#line.add(chunk.subarray(start, end));
			this.end();
			start = end + 1;
		}
		this.#line.add(chunk.subarray(start));
	}

	/** So many bytes come before those that are pushed next. Where lines end in them is not known. */
	lose(bytes: number): void {
		this.#line.lose(bytes);
	}

	/** Ends the last line. */
	end(): void {
		const line = this.#line.take();
		if (typeof line === 'number') {
			this.events.missing(line);
		} else if (line !== undefined) {
			this.events.line(line);
		}
	}
}
