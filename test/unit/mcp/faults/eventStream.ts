/** An event stream to the client. */
export class EventStream {
	open = true;
	readonly body: ReadableStream<Uint8Array>;
	#controller!: ReadableStreamDefaultController<Uint8Array>;

	constructor(signal?: AbortSignal | null) {
		this.body = new ReadableStream({
			start: (controller) => {
				this.#controller = controller;
			},
			cancel: () => {
				this.open = false;
			},
		});
		signal?.addEventListener('abort', () => this.#end(() => this.#controller.error(signal.reason)), { once: true });
	}

	send(message: object): void {
		if (this.open) {
			const text = JSON.stringify({ jsonrpc: '2.0', ...message });
			this.#controller.enqueue(new TextEncoder().encode(`data: ${text}\n\n`));
		}
	}

	end(): void {
		this.#end(() => this.#controller.close());
	}

	cut(): void {
		this.#end(() => this.#controller.error(new TypeError('terminated')));
	}

	#end(how: () => void): void {
		if (this.open) {
			this.open = false;
			how();
		}
	}
}

/** The response that carries a stream. */
export function events(stream: EventStream): Response {
	return new Response(stream.body, { headers: { 'content-type': 'text/event-stream' } });
}
