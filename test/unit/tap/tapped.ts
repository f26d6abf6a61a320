import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { Json } from '../../../src/elicitation/json.ts';
import { type About, Recording, type ToWorker } from '../../../src/tap/recording.ts';

/** What a recorder was given, by channel. */
export interface Copied {
	readonly about: About;
	readonly bytes: Buffer[];
	ended: boolean;
}

/** A recorder that only keeps what it is given. */
export function copying() {
	const copies: Copied[] = [];
	return {
		copies,
		bytesOf: (kind: string) =>
			Buffer.concat(copies.filter(({ about }) => nameOf(about) === kind).flatMap(({ bytes }) => bytes)),
		open: (about: About) => {
			const copied: Copied = { about, bytes: [], ended: false };
			copies.push(copied);
			return {
				id: copies.length,
				write: (chunk: Uint8Array) => void copied.bytes.push(Buffer.from(chunk)),
				end: () => {
					copied.ended = true;
				},
			};
		},
	};
}

function nameOf(about: About): string {
	return about.kind === 'stdio' ? about.direction : about.kind;
}

/** A recorder in this thread, and the lines that it has written. */
export function recordingHere(server = 's') {
	const lines: string[] = [];
	const recording = new Recording({ server, id: 'r', secrets: [] }, (line) => void lines.push(line));
	let last: Promise<unknown> = Promise.resolve();
	let ids = 0;
	const take = (post: Exclude<ToWorker, { close: true }>) => {
		last = last.then(() => recording.take(post));
	};
	return {
		/** Resolves to what is recorded so far. */
		text: async () => {
			await last;
			return lines.join('');
		},
		entries: async () => {
			await last;
			return lines.map((line) => JSON.parse(line) as Record<string, Json>);
		},
		open: (about: About) => {
			const id = ++ids;
			take({ id, about });
			return {
				id,
				write: (bytes: Uint8Array, lost = 0) => take({ id, bytes: Uint8Array.from(bytes), lost, at: Date.now() }),
				end: (cut?: 'sent' | 'received') => take({ id, end: true, cut, lost: 0, at: Date.now() }),
			};
		},
	};
}

const message = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat(), method: fc.string(), params: fc.object() });

/** Whatever a program may write: messages, noise, bytes that are no UTF-8, empty and unfinished lines, in pieces. */
export const streams = fc.array(
	fc.oneof(
		message.map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
		message.map((value) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`)),
		fc.string({ unit: 'binary' }).map((text) => Buffer.from(`${text}\r\n`)),
		fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
		fc.nat(300_000).map((length) => Buffer.alloc(length, '{"a":"é" ')),
	),
	{ maxLength: 12 },
);

/** Gives others their turn between the pieces. */
export async function* inPieces(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
	for (const piece of pieces) {
		await setImmediate();
		yield piece;
	}
}
