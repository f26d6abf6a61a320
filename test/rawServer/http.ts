import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MODERN, RawServer, type RawServerOptions, type Wire } from './rawServer.ts';

export interface HttpOptions extends RawServerOptions {
	/** Events have ids, and a stream that was cut can be resumed (2025-11-25, resumability). */
	readonly resumable?: boolean;
	/** Serves TLS with this certificate. */
	readonly tls?: Certificate;
}

export interface Certificate {
	readonly key: string;
	readonly cert: string;
}

/** The messages for one request, or the server's own; sent over one response, or over several if it is cut. */
interface Stream {
	readonly key: string;
	/** Complete events. */
	readonly events: string[];
	response: ServerResponse | undefined;
}

/** The stream of the server's own messages. */
const OWN = 'own';

const EVENTS = 'text/event-stream';

/** A raw HTTP server: Streamable HTTP with one session (2025-11-25), or stateless requests (2026-07-28). */
export class RawHttpServer extends RawServer {
	readonly definition: Readonly<Record<string, unknown>>;
	/** The HTTP requests, as `GET last-event-id`, `DELETE`, `POST tools/call`. */
	readonly log: string[] = [];
	/** How to refuse a POST or break its connection; `undefined` accepts it. */
	refusePosts: (
		message: Wire,
		headers: IncomingHttpHeaders,
	) => { status: number; headers?: Record<string, string>; body?: string } | 'broken' | undefined = () => undefined;
	/** What answers a request before the server sees it, such as a check of its token; `undefined` lets it through. */
	front: (
		request: IncomingMessage,
	) => Promise<{ status: number; headers?: Record<string, string>; body?: string } | undefined> = async () => undefined;
	/** The id of the next session; empty for a server without sessions. */
	session = 'raw-server';
	/** The status with which every GET is refused, and the body. */
	refuseStreams: number | undefined;
	refusalOfStreams = '';
	/** The event after which a resumed stream begins, instead of that which the client names. */
	resumesFrom: number | undefined;
	readonly #server: Server;
	readonly #streams = new Map<string, Stream>();
	readonly #resumable: boolean;
	readonly #doomed = new Set<Stream>();

	private constructor(server: Server, { resumable = false, tls, ...options }: HttpOptions) {
		super(options);
		this.#server = server;
		this.#resumable = resumable;
		this.refuseStreams = options.revision === MODERN ? 405 : undefined;
		this.definition = { url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
		server.on('request', (request, response) => void this.#serve(request, response));
	}

	static async open(options: HttpOptions = {}): Promise<RawHttpServer> {
		const server = options.tls ? createSecureServer(options.tls) : createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new RawHttpServer(server, options);
	}

	/** Switches to another certificate. */
	certify(tls: Certificate): void {
		(this.#server as SecureServer).setSecureContext(tls);
	}

	/** Sends the response headers before there is a message. */
	open(request: Wire, type = EVENTS): void {
		const stream = this.#stream(request);
		if (type !== EVENTS && stream.response) {
			head(stream.response, type);
		}
		this.#write(stream, '');
	}

	line(text: string, during?: Wire): void {
		const stream = this.#stream(during);
		const id = this.#resumable ? `id: ${stream.key}/${stream.events.length + 1}\n` : '';
		this.#write(stream, `${id}data: ${text}\n\n`);
		if (during !== undefined && during.method === undefined) {
			// The response ends its stream.
			stream.response?.end();
			this.#streams.delete(stream.key);
		}
	}

	raw(bytes: string | Buffer, during?: Wire): void {
		const { response } = this.#stream(during);
		if (!response) {
			throw new Error('Nothing can be written on a stream that is not open.');
		}
		head(response);
		response.write(bytes);
	}

	/** Cuts the stream of a request, or the server's own; `how` is like a crash or like a regular end. */
	cut(during?: Wire, how: 'destroy' | 'end' = 'destroy'): void {
		const stream = this.#stream(during);
		const { response } = stream;
		stream.response = undefined;
		how === 'destroy' ? response?.destroy() : response?.end();
	}

	/** Cuts the stream of a request now and after every resumption. */
	cutAlways(request: Wire): void {
		this.#doomed.add(this.#stream(request));
		this.cut(request);
	}

	/** Sends the reconnection delay of a stream (server-sent events, `retry`). */
	retryIn(ms: number, request: Wire): void {
		this.open(request);
		this.raw(`retry: ${ms}\n\n`, request);
	}

	/** Waits until the client has closed the stream of a request, or the server's own. */
	async left(during?: Wire): Promise<void> {
		const { response } = this.#stream(during);
		await this.until(() => response?.destroyed === true || response?.closed === true);
	}

	async die(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
		this.#server.closeAllConnections();
		await closed;
	}

	/** Listens on the same port again after `die`. */
	override async rise(): Promise<void> {
		const { port } = new URL(String(this.definition['url']));
		await new Promise<void>((resolve) => this.#server.listen(Number(port), '127.0.0.1', resolve));
	}

	async close(): Promise<void> {
		if (this.#server.listening) {
			await this.die();
		}
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		response.on('close', () => this.wake());
		const answer = await this.front(request);
		if (answer) {
			response.writeHead(answer.status, answer.headers).end(answer.body);
			return;
		}
		if (request.method === 'POST') {
			await this.#post(request, response);
			return;
		}
		const last = request.headers['last-event-id'];
		this.log.push([request.method, last].filter(Boolean).join(' '));
		this.wake();
		if (request.method !== 'GET' || this.refuseStreams !== undefined) {
			response.writeHead(request.method === 'GET' ? (this.refuseStreams ?? 405) : 200).end(this.refusalOfStreams);
			return;
		}
		const [key = OWN, seen = '0'] = String(last ?? '').split('/');
		const stream = this.#streams.get(key || OWN) ?? this.#create(OWN);
		stream.response = response;
		head(response);
		for (const event of stream.events.slice(this.resumesFrom ?? Number(seen))) {
			response.write(event);
		}
		if (this.#doomed.has(stream)) {
			response.end();
		}
	}

	async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk);
		}
		const text = Buffer.concat(chunks).toString();
		const message = JSON.parse(text);
		this.log.push(`POST ${message.method ?? 'response'}`);
		const refusal = this.refusePosts(message, request.headers);
		if (refusal === 'broken') {
			response.destroy();
			this.wake();
			return;
		}
		if (refusal) {
			response.writeHead(refusal.status, refusal.headers).end(refusal.body);
			this.wake();
			return;
		}
		if (message.method === 'initialize' && this.session !== '') {
			response.setHeader('mcp-session-id', this.session);
		}
		if (message.method === undefined || message.id === undefined) {
			response.writeHead(202).end();
		} else {
			this.#create(String(message.id), response);
		}
		this.take(message, text);
	}

	/** The stream of a request; without a request, the server's own. */
	#stream(during: Wire): Stream {
		const key = during?.id === undefined ? OWN : String(during.id);
		const stream = this.#streams.get(key) ?? (key === OWN ? this.#create(OWN) : undefined);
		if (!stream) {
			throw new Error(`There is no request with the id ${key}, or it has been answered.`);
		}
		return stream;
	}

	#create(key: string, response?: ServerResponse): Stream {
		const stream: Stream = { key, events: [], response };
		this.#streams.set(key, stream);
		return stream;
	}

	/** Events are queued while the stream is closed. */
	#write(stream: Stream, event: string): void {
		const { response } = stream;
		const first = response !== undefined && !response.headersSent;
		if (first) {
			head(response);
			if (this.#resumable && stream.key !== OWN) {
				response.write(`id: ${stream.key}/0\ndata: \n\n`);
			}
		}
		if (event !== '') {
			stream.events.push(event);
			response?.write(event);
		}
	}
}

function head(response: ServerResponse, type = EVENTS): void {
	if (!response.headersSent) {
		response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
		response.flushHeaders();
	}
}
