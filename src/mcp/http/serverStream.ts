import { setTimeout as pause } from 'node:timers/promises';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { own } from '../../elicitation/json.ts';
import { retryAfterOf } from './serverBusy.ts';
import { isSessionUnknown } from './sessionEnd.ts';

/** What becomes of the stream on which an HTTP server speaks by itself. */
export interface StreamEvents {
	/** It cannot be had just now; it is asked for again and again. */
	lost(error: unknown): void;
	/** It is there again. */
	found(): void;
	/** The server no longer knows the session that it belongs to. */
	forgotten(): void;
}

/** The first pause before a stream is asked for once more; each further one is twice as long, up to the longest (milliseconds). */
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 60_000;

/** So often the rest of an answer is asked for, of a server that cannot be reached, before its call has failed. */
const MAX_RESUMPTIONS = 5;

/** After these, as after any 5xx, a stream that there has been is asked for again. */
const TRANSIENT = new Set([400, 404, 429]);

/** The streams of so many requests are told apart from the server's own. */
const MAX_REQUESTS = 1_000;

/** The pause before an attempt (0 the first), unless the server asks for a longer one. */
export function pauseBefore(attempt: number, wanted = 0): number {
	return Math.min(Math.max(FIRST_PAUSE * 2 ** Math.min(attempt, 10), wanted), MAX_PAUSE);
}

/**
 * Holds on to the streams of a session that a client asks for with GET (2025-11-25, listening for messages from the server;
 * resumability): the SDK asks for one again when it was cut, and gives up when the server is not there at once. The server's
 * own stream is asked for until the session ends, that of a request for a while.
 */
export class ServerStream {
	/** The last event on the streams of requests. */
	readonly #events = new Map<unknown, string>();
	#wasOpen = false;
	#isLost = false;

	constructor(
		private readonly tell: StreamEvents,
		private readonly inner: FetchLike,
	) {}

	/** Hears which events belong to requests. */
	watch(transport: Transport): void {
		const send = transport.send.bind(transport);
		transport.send = (message, options) => {
			const id = own(message, 'id');
			if (id === undefined) {
				return send(message, options);
			}
			const onresumptiontoken = (token: string) => {
				this.#note(id, token);
				options?.onresumptiontoken?.(token);
			};
			return send(message, { ...options, onresumptiontoken });
		};
	}

	readonly fetch: FetchLike = (url, init) => {
		if (init?.method !== 'GET') {
			return this.inner(url, init);
		}
		const from = new Headers(init.headers).get('last-event-id');
		return from !== null && [...this.#events.values()].includes(from)
			? this.#ofRequest(url, init)
			: this.#own(url, init);
	};

	#note(request: unknown, event: string): void {
		this.#events.delete(request);
		this.#events.set(request, event);
		for (const oldest of this.#events.keys()) {
			if (this.#events.size <= MAX_REQUESTS) {
				return;
			}
			this.#events.delete(oldest);
		}
	}

	async #ofRequest(url: string | URL, init: RequestInit): Promise<Response> {
		for (let attempt = 0; ; attempt++) {
			try {
				return await this.inner(url, init);
			} catch (error) {
				if (attempt >= MAX_RESUMPTIONS || init.signal?.aborted) {
					throw error;
				}
				await wait(pauseBefore(attempt), init);
			}
		}
	}

	/** A server that never had such a stream may refuse it as it likes. */
	async #own(url: string | URL, init: RequestInit): Promise<Response> {
		for (let attempt = 0; ; attempt++) {
			let response: Response;
			try {
				response = await this.inner(url, init);
			} catch (error) {
				if (!this.#wasOpen || init.signal?.aborted) {
					throw error;
				}
				this.#lose(error);
				await wait(pauseBefore(attempt), init);
				continue;
			}
			if (response.ok || !this.#wasOpen) {
				this.#find(response.ok);
				return response;
			}
			if (!TRANSIENT.has(response.status) && response.status < 500) {
				return response;
			}
			const text = await response.text().catch(() => '');
			if (new Headers(init.headers).has('mcp-session-id') && isSessionUnknown(response.status, text)) {
				this.tell.forgotten();
				// The SDK asks no more.
				return new Response(null, { status: 405 });
			}
			this.#lose(Object.assign(new Error(`HTTP status ${response.status}`), { data: { status: response.status } }));
			await wait(pauseBefore(attempt, (retryAfterOf(response) ?? 0) * 1000), init);
		}
	}

	#lose(error: unknown): void {
		if (!this.#isLost) {
			this.#isLost = true;
			this.tell.lost(error);
		}
	}

	#find(isOpen: boolean): void {
		this.#wasOpen ||= isOpen;
		if (this.#isLost) {
			this.#isLost = false;
			this.tell.found();
		}
	}
}

function wait(ms: number, { signal }: RequestInit): Promise<void> {
	return pause(ms, undefined, signal ? { signal } : {});
}
