import type { Direction } from '../conversation/exchange.ts';

/** Who has ended it before it was complete, if anybody has. */
export type Cut = Direction | undefined;

/** Takes the bytes of one direction. Decoding may take a while. */
export interface Channel {
	bytes(chunk: Uint8Array, at: number): void | Promise<void>;
	lose(bytes: number, at: number): void;
	end(at: number, cut: Cut): void | Promise<void>;
}

/** Bytes that are put together; too many of them, or some with a gap, are missing as a whole. */
export class Gathered {
	readonly #parts: Uint8Array[] = [];
	#length = 0;
	#missing = 0;

	/** @param longest of which more is missing (bytes) */
	constructor(private readonly longest: number) {}

	add(bytes: Uint8Array): void {
		if (this.#missing > 0 || this.#length + bytes.length > this.longest) {
			this.lose(bytes.length);
		} else if (bytes.length > 0) {
			this.#parts.push(bytes);
			this.#length += bytes.length;
		}
	}

	lose(bytes: number): void {
		this.#missing += bytes + this.#length;
		this.#clear();
	}

	/** Takes what there is: a text, in which invalid bytes are U+FFFD, or how many bytes are missing. Undefined if there is nothing. */
	take(): string | number | undefined {
		const taken =
			this.#missing > 0
				? this.#missing
				: this.#length > 0
					? new TextDecoder().decode(Buffer.concat(this.#parts, this.#length))
					: undefined;
		this.#missing = 0;
		this.#clear();
		return taken;
	}

	#clear(): void {
		this.#parts.length = 0;
		this.#length = 0;
	}
}
