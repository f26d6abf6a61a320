import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Json } from '../../elicitation/json.ts';
import { parsedJson, writeJson } from '../../elicitation/jsonText.ts';
import { MessageTooLongError, NotMcp, wordsIn } from '../wire/failure.ts';
import type { SendOptions, Wire } from '../wire/wire.ts';
import { boundedText, isEventStream, readEvents } from './body.ts';
import type { HttpClient } from './httpClient.ts';
import { taken } from './streamableHttp.ts';

/**
 * The HTTP+SSE transport of 2024-11-05: all messages of the server come on one stream, which is the session. When it ends,
 * a new one would be a new session, so the connection is closed.
 */
export class Sse implements Wire {
	readonly hasStreams = false;
	readonly sessionId: undefined;
	revision: string | undefined;
	fault: Error | undefined;
	ready?: () => Promise<void> | undefined;
	onmessage?: (message: Json) => void;
	onerror?: (error: Error) => void;
	onclose?: () => void;
	readonly #closed = new AbortController();
	/** Where messages are sent to. */
	#endpoint: URL | undefined;

	constructor(
		private readonly url: URL,
		private readonly client: HttpClient,
	) {}

	/** Rejects with the reason if the stream can't be opened, or does not say where messages are sent to. */
	async start(): Promise<void> {
		const { signal } = this.#closed;
		const accept = ['text/event-stream'];
		const request = { method: 'GET', url: this.url, headers: this.#headers, accept, signal } as const;
		const response = await this.client.send(request, { inSession: false });
		if (!isEventStream(response)) {
			const type = response.headers.get('content-type');
			throw new NotMcp(wordsIn(await boundedText(response), type), type?.split(';')[0]);
		}
		return new Promise((resolve, reject) => {
			const reading = readEvents(response, {
				ready: () => this.ready?.(),
				event: ({ event = 'message', data }) => {
					if (event === 'message') {
						this.#receive(data);
					} else if (event === 'endpoint') {
						this.#reach(data).then(resolve, reject);
					}
				},
			});
			reading
				.catch((error) => {
					if (error instanceof MessageTooLongError) {
						this.fault = error;
						this.onerror?.(error);
					}
					reject(error);
				})
				.finally(() => {
					reject(new NotMcp(''));
					void this.close();
				});
		});
	}

	async send(message: JSONRPCMessage, { stream, signal = stream?.signal, headers }: SendOptions = {}): Promise<void> {
		if (!this.#endpoint) {
			throw new NotMcp('');
		}
		const request = {
			method: 'POST',
			url: this.#endpoint,
			headers: { ...headers, ...this.#headers, 'content-type': 'application/json' },
			body: writeJson(message),
			signal: signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal,
		} as const;
		// The address of messages is that of a session.
		await taken(await this.client.send(request, { message, inSession: true }));
	}

	async close(): Promise<void> {
		this.#closed.abort();
		this.onclose?.();
	}

	get #headers(): Record<string, string> {
		return this.revision === undefined ? {} : { 'mcp-protocol-version': this.revision };
	}

	#receive(data: string): void {
		// Some programs begin with a byte order mark, which counts as space.
		const message = parsedJson(data.trim());
		if (message === undefined) {
			this.onerror?.(new Error(`Ignored an event that is not JSON: ${data}`));
		} else {
			this.onmessage?.(message);
		}
	}

	/** Messages must stay at the origin: they carry the token. */
	async #reach(address: string): Promise<void> {
		const endpoint = new URL(address, this.url);
		if (endpoint.origin !== this.url.origin) {
			void this.close();
			throw new Error(`Endpoint origin does not match connection origin: ${endpoint.origin}`);
		}
		this.#endpoint = endpoint;
	}
}
