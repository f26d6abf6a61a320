import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import { createParser } from 'eventsource-parser';
import { type Channel, type Cut, Gathered } from './channel.ts';

/** Who is told what a body holds. */
export interface BodyEvents {
	/** A text that may be a message, and the kind of event if it is one. */
	text(text: string, at: number, event?: string): void;
	/** So many bytes are missing. */
	missing(bytes: number, at: number): void;
	end(at: number, cut: Cut): void;
}

/** What decodes each content encoding. */
const DECODERS: Readonly<Record<string, (() => zlib.Unzip | zlib.BrotliDecompress) | undefined>> = {
	gzip: zlib.createUnzip,
	'x-gzip': zlib.createUnzip,
	deflate: zlib.createUnzip,
	br: zlib.createBrotliDecompress,
	// Node has it from 22.15 on.
	zstd: (zlib as { createZstdDecompress?: () => zlib.Unzip }).createZstdDecompress,
};

/** The content of a body. */
export function contentOf(encoding: string | undefined, body: Channel): Channel {
	const name = encoding?.trim().toLowerCase() ?? '';
	return name === '' || name === 'identity' ? body : new EncodedBody(DECODERS[name]?.(), body);
}

/** A body with one text. */
export class WholeBody implements Channel {
	readonly #whole: Gathered;

	/** @param longest of which more is missing (bytes) */
	constructor(
		private readonly events: BodyEvents,
		longest: number,
	) {
		this.#whole = new Gathered(longest);
	}

	bytes(chunk: Uint8Array): void {
		this.#whole.add(chunk);
	}

	lose(bytes: number): void {
		this.#whole.lose(bytes);
	}

	end(at: number, cut: Cut): void {
		const whole = this.#whole.take();
		if (typeof whole === 'number') {
			this.events.missing(whole, at);
		} else if (whole !== undefined) {
			this.events.text(whole, at);
		}
		this.events.end(at, cut);
	}
}

/** An empty line ends an event. */
const END_OF_EVENT = /\r\n\r\n|\n\n|\r\r/;

/** A stream of events, each with a text. */
export class EventBody implements Channel {
	#decoder = new TextDecoder();
	#at = 0;
	/** True until the end of an event of which something is missing. */
	#isBroken = false;
	readonly #parser;

	/** @param longest event (characters) */
	constructor(
		private readonly events: BodyEvents,
		longest: number,
	) {
		this.#parser = createParser({
			maxBufferSize: longest,
			onEvent: ({ event, data }) => events.text(data, this.#at, event),
		});
	}

	bytes(chunk: Uint8Array, at: number): void {
		this.#at = at;
		let text = this.#decoder.decode(chunk, { stream: true });
		if (this.#isBroken) {
			const end = END_OF_EVENT.exec(text);
			if (!end) {
				this.events.missing(chunk.length, at);
				return;
			}
			this.#isBroken = false;
			text = text.slice(end.index + end[0].length);
		}
		try {
			this.#parser.feed(text);
		} catch {
			// It was too long, which the parser only notices afterwards.
			this.lose(chunk.length, at);
		}
	}

	lose(bytes: number, at: number): void {
		this.#isBroken = true;
		this.#decoder = new TextDecoder();
		this.#parser.reset();
		this.events.missing(bytes, at);
	}

	end(at: number, cut: Cut): void {
		this.events.end(at, cut);
	}
}

/** A body in a content encoding. What follows a gap cannot be decoded. */
class EncodedBody implements Channel {
	#isBroken: boolean;
	#at = 0;

	constructor(
		private readonly decoder: zlib.Unzip | zlib.BrotliDecompress | undefined,
		private readonly body: Channel,
	) {
		this.#isBroken = decoder === undefined;
		decoder?.on('data', (chunk: Buffer) => void body.bytes(chunk, this.#at));
		decoder?.on('error', () => {
			this.#isBroken = true;
		});
	}

	async bytes(chunk: Uint8Array, at: number): Promise<void> {
		this.#at = at;
		const { decoder } = this;
		if (this.#isBroken || !decoder) {
			this.body.lose(chunk.length, at);
			return;
		}
		await new Promise<unknown>((resolve) => decoder.write(chunk, resolve));
		await setImmediate();
	}

	lose(bytes: number, at: number): void {
		this.#isBroken = true;
		this.body.lose(bytes, at);
	}

	async end(at: number, cut: Cut): Promise<void> {
		this.#at = at;
		const { decoder } = this;
		if (decoder && !this.#isBroken) {
			decoder.end();
			// A body that was cut has no end.
			await finished(decoder).catch(() => {});
		}
		decoder?.destroy();
		await this.body.end(at, cut);
	}
}
