import {
	Agent,
	type ClientRequest,
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	request as requestHttp,
	type ServerResponse,
} from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { namesSecret } from '../elicitation/secretNames.ts';
import { isLocalRequest } from '../elicitation/url/localRequest.ts';
import type { Copy, Recorder } from './recorder.ts';

const HOST = '127.0.0.1';

/** Max size of the headers of a request or a response (bytes). Servers are to decide, not the tap. */
const MAX_HEADERS = 256 * 1024;

/** An idle connection to the server is closed after that time (ms), as clients do: servers close theirs a little later. */
const IDLE_TIMEOUT = 4_000;

/** Headers of one connection (RFC 9110, section 7.6.1), in addition to those that `Connection` names. */
const HOP_BY_HOP = new Set([
	'connection',
	'keep-alive',
	'proxy-connection',
	'proxy-authenticate',
	'proxy-authorization',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);

export interface HttpTap {
	/** Where a client is to connect to. */
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Stands in for a server: passes on the requests of programs on this machine, and its responses, as bytes, before anything is done
 * with them.
 * @param target the URL of the server
 * @param port 0 for any that is free
 * @throws Error of the operating system if the port is taken
 */
export async function tapHttp(target: URL, port: number, recorder: Pick<Recorder, 'open'>): Promise<HttpTap> {
	const agent = new (target.protocol === 'https:' ? SecureAgent : Agent)({ keepAlive: true, timeout: IDLE_TIMEOUT });
	// When connections and requests end is up to the client.
	const patient = { maxHeaderSize: MAX_HEADERS, requestTimeout: 0, keepAliveTimeout: 0 };
	const server = createServer(patient, (request, response) => {
		if (isLocalRequest(request.headers) && request.url?.startsWith('/') === true) {
			new Exchange(target, agent, recorder, request, response).begin(request.url);
		} else {
			refuse(response, 403, INVALID_REQUEST, 'Only programs on this machine are served.');
		}
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, HOST, resolve);
	});
	const { port: given } = server.address() as AddressInfo;
	return {
		url: `http://${HOST}:${given}${target.pathname}${target.search}`,
		close: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
			agent.destroy();
		},
	};
}

/** A request, and its response. */
class Exchange {
	/** What is recorded of the request, and of the response once there is one. */
	readonly #sent: Copy & { readonly id: number };
	#received: Copy | undefined;
	#hasEnded = false;

	constructor(
		private readonly target: URL,
		private readonly agent: Agent,
		private readonly recorder: Pick<Recorder, 'open'>,
		private readonly request: IncomingMessage,
		private readonly response: ServerResponse,
	) {
		const { method = '', url: path = '', headers } = request;
		this.#sent = recorder.open({ kind: 'request', method, path, ...headOf(headers) });
		// Only what the server sends.
		response.sendDate = false;
	}

	begin(path: string): void {
		const { target, agent, request, response } = this;
		const { method, rawHeaders, headers } = request;
		const upstream = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
			...{ method, path, agent, maxHeaderSize: MAX_HEADERS },
			headers: [
				...['Host', target.host],
				...passedOn(rawHeaders, headers, ['host']),
				...(headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']),
			],
		});
		upstream.on('response', (incoming) => this.#respond(incoming));
		upstream.on('error', (error) => this.#fail(error, upstream));
		response.on('close', () => {
			if (!response.writableFinished) {
				// The client has gone, which is how it cancels.
				upstream.destroy();
				this.#end('sent');
			}
		});
		request.pipe(upstream);
		request.on('data', (chunk: Buffer) => this.#sent.write(chunk));
		request.once('close', () => this.#sent.end(request.complete ? undefined : 'sent'));
		request.on('error', () => upstream.destroy());
	}

	#respond(incoming: IncomingMessage): void {
		const { response, recorder } = this;
		const { statusCode: status = 502, statusMessage: reason = '', rawHeaders, headers } = incoming;
		response.writeHead(status, reason, passedOn(rawHeaders, headers, []));
		response.flushHeaders();
		incoming.pipe(response);
		const received = recorder.open({ kind: 'response', request: this.#sent.id, status, reason, ...headOf(headers) });
		this.#received = received;
		// Called after the pipe has written the same bytes.
		incoming.on('data', (chunk: Buffer) => received.write(chunk));
		incoming.once('end', () => this.#end());
		incoming.on('error', () => {
			this.#end('received');
			response.destroy();
		});
	}

	#fail(error: Error, upstream: ClientRequest): void {
		const { request, response, target } = this;
		if (response.headersSent || response.destroyed || upstream.reusedSocket) {
			// The server has broken the connection off; the client decides whether it sends its request again.
			request.socket.destroy();
			return;
		}
		const why = `The tap could not reach ${target.host}: ${error.message}`;
		refuse(response, 502, INTERNAL_ERROR, why);
		this.#end(undefined, why);
	}

	/** @param why there is no response */
	#end(cut?: 'sent' | 'received', why = ''): void {
		if (!this.#hasEnded) {
			this.#hasEnded = true;
			const head = { kind: 'response', request: this.#sent.id, status: 502, reason: why, ...headOf({}) } as const;
			this.#received ??= this.recorder.open(head);
			this.#received.end(cut);
		}
	}
}

/** The names and values of headers without those that are for one connection only. */
function passedOn(
	raw: readonly string[],
	{ connection = '' }: IncomingHttpHeaders,
	without: readonly string[],
): string[] {
	const left = new Set([...HOP_BY_HOP, ...without, ...connection.toLowerCase().split(/\s*,\s*/)]);
	return raw.flatMap((name, at) => (at % 2 === 0 && !left.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : []));
}

/** What the recording needs of headers, and what must not be in it. */
function headOf(headers: IncomingHttpHeaders) {
	const text = (name: string) => [headers[name]].flat()[0];
	return {
		session: text('mcp-session-id'),
		type: text('content-type'),
		encoding: text('content-encoding'),
		secrets: Object.entries(headers).flatMap(([name, value]) =>
			namesSecret(name) ? [value ?? []].flat().flatMap(secretsIn) : [],
		),
	};
}

/** Shorter values are probably no secrets (characters). */
const SHORTEST_SECRET = 8;

/** The secrets in the value of a header: what follows a scheme (`Bearer …`), and what cookies contain. */
function secretsIn(value: string): string[] {
	const cookies = value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, ''));
	return [value.replace(/^[A-Za-z]+ +(?=\S)/, ''), ...cookies].filter(({ length }) => length >= SHORTEST_SECRET);
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
	const error = { jsonrpc: '2.0', id: null, error: { code, message } };
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(writeJson(error));
}
