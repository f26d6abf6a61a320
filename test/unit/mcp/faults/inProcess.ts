import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { CAPABILITIES, EXTENSION, taskTool } from '../tasks/taskFixtures.ts';
import type { Wire } from '../testClient.ts';
import { EventStream, events } from './eventStream.ts';
import type { InProcessTask } from './inProcessTask.ts';

const SERVER = 'http://127.0.0.1:9/mcp';
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const ISSUER = 'http://127.0.0.1:10';

/** Requests that need no session. */
const UNBOUND: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/** How to refuse the next message that carries a response. */
export interface Refusal {
	readonly status: number | 'broken';
	/** `Retry-After` (s). */
	readonly wait?: number;
}

/** How servers say that they do not know a session: the specification's way, and those of the field. */
export const FORGOTTEN = [
	() => new Response('Session not found', { status: 404 }),
	() => new Response('Invalid session ID\n', { status: 400 }),
	() =>
		Response.json({ jsonrpc: '2.0', error: { code: -32000, message: 'No such session' }, id: null }, { status: 400 }),
	() => new Response('Unauthorized: Session not found', { status: 401 }),
] as const;

/** A call from the server's point of view. */
export interface CallOnWire {
	readonly id: string | number;
	readonly progressToken: string | number | undefined;
	readonly stream: EventStream;
	/** Whether the client accepts a task in place of the result. */
	readonly mayBeTask: boolean;
}

/**
 * A Streamable HTTP server with authorization, with sessions (2025-11-25) or without (2026-07-28), and its authorization
 * server, both without sockets: it replaces `noTimeoutFetch` and the platform's `fetch`.
 */
export class InProcessServer {
	readonly definition = { url: SERVER };
	readonly modern: boolean;
	/** The client's stored credentials of an earlier sign-in. */
	readonly secret = JSON.stringify({
		audience: JSON.stringify([SERVER, null, null]),
		current: ISSUER,
		accounts: {
			[ISSUER]: {
				client: { client_id: 'client' },
				tokens: { access_token: 'token-0', refresh_token: 'refresh', token_type: 'Bearer' },
				endpoints: [`${ISSUER}/token`],
			},
		},
	});
	/** Number of starts. */
	life = 0;
	tools = ['act', 'long'];
	refusals: Refusal[] = [];
	/** How to refuse the next requests for the state or result of a task. */
	pollRefusals: Refusal[] = [];
	/** Number of calls to refuse. */
	refuseCalls = 0;
	/** Accepted responses by request id. */
	readonly responses = new Map<unknown, Wire[]>();
	/** The latest request of each call, by its argument `n`. */
	readonly calls = new Map<number, CallOnWire>();
	/** The tasks that it remembers, by id. */
	readonly tasks = new Map<string, InProcessTask>();
	own: EventStream | undefined;
	#forgotten: (typeof FORGOTTEN)[number] = FORGOTTEN[0];
	#token = 0;

	constructor(revision: typeof LEGACY | typeof MODERN) {
		this.modern = revision === MODERN;
	}

	/** Sends on the stream of a call, or on its own. Returns false if there is no such stream. */
	send(message: object, n?: number): boolean {
		const stream = n === undefined ? this.own : this.calls.get(n)?.stream;
		stream?.send(message);
		return stream?.open === true;
	}

	/** Expires the access token but not the refresh token. */
	expire(): void {
		this.#token++;
	}

	/**
	 * Forgets its sessions and their streams.
	 * @param way how it says so, an index of `FORGOTTEN`
	 */
	restart(way = 0): void {
		this.#forgotten = FORGOTTEN[way] ?? FORGOTTEN[0];
		this.life++;
		for (const { stream } of this.calls.values()) stream.cut();
		this.calls.clear();
		for (const { listening } of this.tasks.values()) listening?.stream.cut();
		this.tasks.clear();
		this.own?.cut();
	}

	readonly fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
		const headers = new Headers(init.headers);
		init.signal?.throwIfAborted();
		if (headers.get('authorization') !== `Bearer token-${this.#token}`) {
			const metadata = new URL('/.well-known/oauth-protected-resource/mcp', target).href;
			return new Response(null, {
				status: 401,
				headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` },
			});
		}
		const message: Wire = init.method === 'POST' ? JSON.parse(String(init.body)) : undefined;
		if (!this.modern && message && !UNBOUND.has(message.method) && headers.get('mcp-session-id') !== this.#session) {
			return this.#forgotten();
		}
		if (init.method === 'GET') {
			if (this.modern) return new Response(null, { status: 405 });
			if (headers.get('mcp-session-id') !== this.#session) return this.#forgotten();
			this.own = new EventStream(init.signal);
			return events(this.own);
		}
		return message === undefined ? new Response(null, { status: 200 }) : this.#post(message, init);
	};

	/** Serves the metadata documents and the tokens. */
	readonly authorize = async (target: string | URL): Promise<Response> => {
		const { pathname } = new URL(target);
		if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
			return Response.json({ resource: SERVER, authorization_servers: [ISSUER] });
		}
		if (pathname === '/token') {
			return Response.json({ access_token: `token-${this.#token}`, refresh_token: 'refresh', token_type: 'Bearer' });
		}
		return Response.json({
			issuer: ISSUER,
			authorization_endpoint: `${ISSUER}/authorize`,
			token_endpoint: `${ISSUER}/token`,
			response_types_supported: ['code'],
			code_challenge_methods_supported: ['S256'],
		});
	};

	get #session(): string {
		return `session-${this.life}`;
	}

	#post(message: Wire, { signal }: RequestInit): Response {
		const { id, method, params } = message;
		if (method === undefined) {
			return this.#respond(message);
		}
		if (id === undefined) {
			return new Response(null, { status: 202 });
		}
		if (method === 'tools/call') {
			if (!params.inputResponses && this.refuseCalls > 0) {
				this.refuseCalls--;
				return new Response(null, { status: 503 });
			}
			const refusal = params.inputResponses && this.#receive(params.inputResponses);
			if (refusal) return refusal;
			const stream = new EventStream(signal);
			const { progressToken } = params._meta ?? {};
			const mayBeTask = this.modern || params.task !== undefined;
			this.calls.set(params.arguments.n, { id, progressToken, stream, mayBeTask });
			return events(stream);
		}
		if (method.startsWith('tasks/')) return this.#task(message, signal);
		const result = this.#answer(method);
		return Response.json(
			{ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) },
			method === 'initialize' ? { headers: { 'mcp-session-id': this.#session } } : {},
		);
	}

	#task({ id, method, params }: Wire, signal: RequestInit['signal']): Response {
		const task = this.tasks.get(params.taskId);
		if (!task) return responseTo(id, { error: { code: -32602, message: 'Task not found' } });
		switch (method) {
			case 'tasks/get':
				task.notePoll();
				return refusalOf(this.pollRefusals) ?? responseTo(id, { result: task.report() });
			case 'tasks/result':
				return refusalOf(this.pollRefusals) ?? task.listen(id, signal);
			case 'tasks/cancel':
				task.cancel();
				return responseTo(id, { result: task.report() });
		}
		return this.#receive(params.inputResponses) ?? responseTo(id, { result: { resultType: 'complete' } });
	}

	/** Takes the responses of a round or a task, unless it refuses them. */
	#receive(inputResponses: object): Response | undefined {
		const refusal = refusalOf(this.refusals);
		if (refusal) return refusal;
		for (const [key, result] of Object.entries(inputResponses)) this.#take(key, { result });
		return undefined;
	}

	#respond(message: Wire): Response {
		const refusal = refusalOf(this.refusals);
		if (refusal) return refusal;
		this.#take(message.id, message);
		return new Response(null, { status: 202 });
	}

	#take(id: string, response: Wire): void {
		this.responses.set(id, [...(this.responses.get(id) ?? []), response]);
	}

	#answer(method: string): object | undefined {
		switch (method) {
			case 'server/discover':
				return this.modern
					? { ...COMPLETE, supportedVersions: [MODERN], capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } }
					: undefined;
			case 'initialize':
				return {
					protocolVersion: LEGACY,
					capabilities: { tools: { listChanged: true }, tasks: CAPABILITIES },
					serverInfo: { name: 'in process', version: '1.0.0' },
				};
			case 'tools/list':
				return {
					...(this.modern && COMPLETE),
					tools: this.tools.map((name) => taskTool(name === 'long' ? 'required' : undefined, name)),
				};
			case 'ping':
				return {};
		}
		return undefined;
	}
}

function refusalOf(refusals: Refusal[]): Response | undefined {
	const { status, wait } = refusals.shift() ?? {};
	if (status === 'broken') {
		throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
	}
	const headers = wait === undefined ? {} : { 'retry-after': String(wait) };
	return status === undefined ? undefined : new Response(null, { status, headers });
}

function responseTo(id: string | number, outcome: object): Response {
	return Response.json({ jsonrpc: '2.0', id, ...outcome });
}
