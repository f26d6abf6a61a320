/** Methods that don't read `body`. */
const READERS = ['text', 'json', 'arrayBuffer'] as const;

/** Replaces the body of a response in place. A new Response would lose `url` and `redirected`. */
export function replaceBody(response: Response, body: ReadableStream<Uint8Array>): void {
	const by = new Response(body, { headers: response.headers });
	Object.defineProperty(response, 'body', { get: () => by.body, configurable: true });
	for (const reader of READERS) {
		Object.defineProperty(response, reader, { value: () => by[reader](), configurable: true });
	}
}

/** True for a `text/event-stream` response. */
export function isEventStream({ headers }: Response): boolean {
	return headers.get('content-type')?.startsWith('text/event-stream') === true;
}
