import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Json } from '../elicitation/json.ts';
import { parsedJson, writeJson } from '../elicitation/jsonText.ts';
import { isTooDeep } from '../elicitation/nesting.ts';
import { Playback } from './playback.ts';
import type { RecordedServer } from './recordedServer.ts';

/** A recording that is being served. */
export interface Served {
	/** Resolves when the client has gone or `close` was called. */
	readonly closed: Promise<void>;
	close(): Promise<void>;
}

/** Serves a recorded server to one client, in lines of JSON. */
export function serveStdio(
	server: RecordedServer,
	input: Readable = process.stdin,
	output: Writable = process.stdout,
): Served {
	const playback = new Playback(server);
	const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
	const send = (message: object) => output.write(`${writeJson(message)}\n`);
	// The client may be gone before it has read everything.
	output.on('error', () => lines.close());
	lines.on('line', (line) => {
		if (line.trim() !== '') {
			void playback.receive(parseMessage(line), send);
		}
	});
	const closed = new Promise<void>((resolve) => {
		lines.on('close', () => {
			// The last line may have come with the end of the input; what responds to it needs no more of the client.
			setImmediate(() => {
				playback.close();
				resolve();
			});
		});
	});
	return {
		closed,
		close: () => {
			lines.close();
			return closed;
		},
	};
}

/** Null if the text is no JSON. */
export function parseMessage(text: string): Json {
	const value = parsedJson(text.trim()) ?? null;
	return isTooDeep(value) ? null : value;
}
