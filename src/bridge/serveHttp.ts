import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { hasExact, parseJson, unmarkNumbers } from '../elicitation/jsonText.ts';

/** Max size of a request body (bytes). */
const MAX_BODY = 16 * 1024 * 1024;

/** Handles a web-standard request with its body parsed as JSON. The body is `undefined` if the request has none. */
export type Handler = (request: Request, body: unknown) => Promise<Response>;

/** Serves one Node HTTP request with a web-standard handler. The request's signal aborts when the client disconnects. */
export async function serveHttp(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	origin: string,
	handle: Handler,
): Promise<void> {
	const abort = new AbortController();
	outgoing.once('close', () => abort.abort());
	const response = await respond(incoming, origin, abort.signal, handle);
	outgoing.writeHead(response.status, Object.fromEntries(response.headers));
	if (response.body) {
		// Sends the headers now: the first event of a stream may come much later.
		outgoing.flushHeaders();
		await pipeline(Readable.fromWeb(response.body as ReadableStream), withExactNumbers, outgoing);
	} else {
		outgoing.end();
	}
}

/** The SDK writes each message as one chunk, with marks for numbers that no double can hold. */
async function* withExactNumbers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
	for await (const chunk of chunks) {
		const text = Buffer.from(chunk).toString();
		yield hasExact(text) ? unmarkNumbers(text) : chunk;
	}
}

async function respond(
	incoming: IncomingMessage,
	origin: string,
	signal: AbortSignal,
	handle: Handler,
): Promise<Response> {
	const text = await bodyOf(incoming);
	if (text === undefined) {
		return new Response(null, { status: 413, headers: { connection: 'close' } });
	}
	let body: unknown;
	try {
		body = text === '' ? undefined : parseJson(text);
	} catch {
		return new Response(null, { status: 400 });
	}
	const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
		values.map((value): [string, string] => [name, value]),
	);
	const { method = 'GET', url = '/' } = incoming;
	return handle(new Request(new URL(url, origin), { method, headers, signal }), body);
}

/** The whole body; `undefined` if it exceeds the limit. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of incoming) {
		length += chunk.length;
		if (length > MAX_BODY) {
			return undefined;
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
