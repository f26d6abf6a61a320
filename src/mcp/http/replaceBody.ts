/** Bodies that are not read through their stream. */
const READERS = ['text', 'json', 'arrayBuffer'] as const;

/** Has a response read through a stream of ours. A new response in its place would have forgotten its address and redirections. */
export function replaceBody(response: Response, body: ReadableStream<Uint8Array>): void {
	const by = new Response(body, { headers: response.headers });
	Object.defineProperty(response, 'body', { get: () => by.body, configurable: true });
	for (const reader of READERS) {
		Object.defineProperty(response, reader, { value: () => by[reader](), configurable: true });
	}
}

/** True for a body of server-sent events. */
export function isEventStream({ headers }: Response): boolean {
	return headers.get('content-type')?.startsWith('text/event-stream') === true;
}
