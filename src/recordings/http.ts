import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { type Json, type JsonObject, own } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { isLocalRequest } from '../elicitation/url/localRequest.ts';
import { Playback, Progress } from './playback.ts';
import type { RecordedServer } from './recordedServer.ts';
import { parseMessage, type Served } from './stdio.ts';

const HOST = '127.0.0.1';
const PATH = '/mcp';

/** Max size of a request's body (bytes). */
const MAX_BODY = 4 * 1024 * 1024;

/** Max number of sessions; the oldest is ended first. */
const MAX_SESSIONS = 100;

/**
 * Serves a recorded server over Streamable HTTP, to programs on this machine only.
 * @param port 0 for any that is free
 * @throws Error of the operating system if the port is taken
 */
export async function serveHttp(server: RecordedServer, port: number): Promise<Served & { readonly url: string }> {
	const endpoint = new Endpoint(server);
	const http = createServer((request, response) => {
		endpoint.handle(request, response).catch(() => {
			// The client has gone, or broken off its request.
			response.destroy();
		});
	});
	await new Promise<void>((resolve, reject) => {
		http.once('error', reject);
		http.listen(port, HOST, resolve);
	});
	const closed = new Promise<void>((resolve) => {
		http.on('close', () => {
			endpoint.close();
			resolve();
		});
	});
	return {
		url: `http://${HOST}:${(http.address() as AddressInfo).port}${PATH}`,
		closed,
		close: () => {
			http.close();
			http.closeAllConnections();
			return closed;
		},
	};
}

interface Session {
	readonly id: string;
	readonly playback: Playback;
	/** The stream for messages that belong to no request. */
	stream?: ServerResponse;
}

class Endpoint {
	/** By id, oldest first. */
	readonly #sessions = new Map<string, Session>();
	/** That of the clients of 2026-07-28, which has no sessions. */
	readonly #progress = new Progress();

	constructor(private readonly server: RecordedServer) {}

	close(): void {
		for (const { playback } of this.#sessions.values()) {
			playback.close();
		}
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const refusal = refusalOf(request);
		if (refusal !== undefined) {
			refuse(response, ...refusal);
			return;
		}
		const id = String(request.headers['mcp-session-id'] ?? '');
		if (request.method === 'DELETE') {
			const session = this.#sessions.get(id);
			if (session) {
				this.#end(session);
			}
			response.writeHead(session ? 204 : 404).end();
			return;
		}
		if (request.method === 'GET') {
			const session = this.#sessions.get(id);
			if (session) {
				session.stream = response.writeHead(200, EVENTS);
				response.flushHeaders();
			} else {
				refuse(response, 405, 'There is no stream without a session.');
			}
			return;
		}
		const body = await bodyOf(request);
		if (body === undefined) {
			response.shouldKeepAlive = false;
			refuse(response, 413, `The body is larger than ${MAX_BODY} bytes.`);
			return;
		}
		const message = parseMessage(body);
		const opens = own(message, 'method') === 'initialize' && this.server.hasSessions;
		const session = opens ? this.#open() : id === '' ? this.#stateless() : this.#sessions.get(id);
		if (!session) {
			refuse(response, 404, 'There is no such session.');
		} else if (session.id === '' && !this.server.isStateless && own(message, 'method') !== 'server/discover') {
			refuse(response, 400, 'The header Mcp-Session-Id is missing.');
		} else {
			await play(session, message, response);
		}
	}

	/** Ids of requests are unique only within each, because they may come from several clients. */
	#stateless(): Session {
		return { id: '', playback: new Playback(this.server, this.#progress) };
	}

	#open(): Session {
		const opened: Session = { id: randomUUID(), playback: new Playback(this.server) };
		this.#sessions.set(opened.id, opened);
		const [oldest] = this.#sessions.values();
		if (oldest && this.#sessions.size > MAX_SESSIONS) {
			this.#end(oldest);
		}
		return opened;
	}

	#end({ id, playback, stream }: Session): void {
		playback.close();
		stream?.end();
		this.#sessions.delete(id);
	}
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const EVENTS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' };

/** Handles one message. A request gets a stream of events, which ends with its response. */
async function play(session: Session, message: Json, response: ServerResponse): Promise<void> {
	const { id: sessionId, playback } = session;
	const [method, id] = [own(message, 'method'), own(message, 'id')];
	if (method === undefined || id === undefined) {
		let error: JsonObject | undefined;
		await playback.receive(message, (sent) => {
			error = sent;
		});
		if (error) {
			response.writeHead(400, JSON_BODY).end(writeJson(error));
		} else {
			response.writeHead(202).end();
		}
		return;
	}
	response.writeHead(200, { ...EVENTS, ...(sessionId !== '' && { 'Mcp-Session-Id': sessionId }) });
	if (sessionId === '') {
		// In 2026-07-28, a client cancels a request by closing its stream. In a session, that means nothing.
		response.on('close', () => playback.cancel(id));
	}
	await playback.receive(message, (sent) => {
		const stream = response.writableEnded || response.destroyed ? session.stream : response;
		stream?.write(`event: message\ndata: ${writeJson(sent)}\n\n`);
	});
	if (method !== 'subscriptions/listen') {
		response.end();
	}
}

/** Status and reason if a request must not be served: a page of another origin may have sent it. */
function refusalOf({ headers, method, url }: IncomingMessage): readonly [number, string] | undefined {
	if (!isLocalRequest(headers)) {
		return [403, 'Only programs on this machine are served.'];
	}
	if (url?.replace(/\?.*$/s, '') !== PATH) {
		return [404, `The endpoint is ${PATH}.`];
	}
	return method === 'POST' || method === 'GET' || method === 'DELETE'
		? undefined
		: [405, 'Only POST, GET, and DELETE are served.'];
}

function refuse(response: ServerResponse, status: number, message: string): void {
	const error = { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } };
	response.writeHead(status, JSON_BODY).end(writeJson(error));
}

/** Undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request) {
		size += (chunk as Buffer).length;
		if (size > MAX_BODY) {
			return undefined;
		}
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks).toString('utf8');
}
