import {
	type JSONRPCMessage,
	type MessageExtraInfo,
	type RequestId,
	SUPPORTED_PROTOCOL_VERSIONS,
	WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { idKey, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import type { CallOptions, Connection, ListName } from '../mcp/index.ts';
import { BridgeTasks } from './bridgeTasks.ts';
import type { BridgeHost } from './host.ts';
import { serveRequest, WireError } from './requests.ts';

type Capability = 'tools' | 'prompts' | 'resources';

/** The capability whose `list_changed` notification a changed list triggers. */
const CAPABILITY_OF: { readonly [List in ListName]: Capability } = {
	tools: 'tools',
	prompts: 'prompts',
	resources: 'resources',
	resourceTemplates: 'resources',
};

const LISTS = Object.keys(CAPABILITY_OF) as ListName[];

type Lists = ReadonlyMap<ListName, readonly Json[]>;

/** A request from the client. The signal of the HTTP request aborts when the client disconnects. */
interface ClientRequest {
	readonly id: RequestId;
	readonly method: string;
	readonly params: Json | undefined;
	readonly request: Request | undefined;
}

interface RunningRequest {
	readonly id: RequestId;
	readonly abort: AbortController;
	/** The HTTP request that it came in. The requests of a batch share it, and the stream of its response. */
	readonly request: Request | undefined;
}

/**
 * One client's session with one server. Messages aren't parsed with the SDK's schemas, which would drop unknown members.
 * Elicitations are never passed on to the client.
 */
export class BridgeSession {
	readonly #transport: WebStandardStreamableHTTPServerTransport;
	/** By `idKey`. */
	readonly #running = new Map<string | undefined, RunningRequest>();
	/** Absent if the client's calls can't be tasks. */
	readonly #tasks: BridgeTasks | undefined;
	readonly #subscription: { dispose(): unknown };
	#lists: Lists;

	/**
	 * @param connection provides the initialize result; the server may restart during the session
	 * @param opened called with the session id once the client has initialized
	 * @param closed called when the session is over
	 */
	constructor(
		private readonly host: BridgeHost,
		private readonly server: string,
		private readonly connection: Connection,
		opened: (id: string) => void,
		closed: () => void,
	) {
		this.#lists = listsOf(connection);
		if (connection.runsTasks) {
			this.#tasks = new BridgeTasks(host, server, (method, params) => {
				void this.#send({ jsonrpc: '2.0', method, params });
			});
		}
		this.#subscription = host.onDidChange(() => this.#compare());
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => crypto.randomUUID(),
			onsessioninitialized: opened,
		});
		transport.onmessage = (message, extra) => this.#receive(message, extra);
		transport.onclose = () => {
			this.#subscription.dispose();
			this.#tasks?.close();
			for (const { abort } of this.#running.values()) {
				abort.abort();
			}
			closed();
		};
		this.#transport = transport;
	}

	/** True if no request is in flight and no task is running. */
	get idle(): boolean {
		return this.#running.size === 0 && !this.#tasks?.busy;
	}

	/** Handles one HTTP request whose body has been read. Its signal cancels the MCP requests in it. */
	async handle(request: Request, parsedBody: unknown): Promise<Response> {
		const ids = [parsedBody].flat().flatMap(requestId);
		const keys = ids.map(idKey);
		const id = ids.find(
			(_, index) => keys.indexOf(keys[index]) < index || this.#running.get(keys[index])?.abort.signal.aborted === false,
		);
		if (id !== undefined) {
			// The transport would send the response of the first request to the second, and its client may take this one for that.
			const message = `A request with the id ${JSON.stringify(id)} is open already.`;
			return Response.json({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } }, { status: 400 });
		}
		return this.#transport.handleRequest(request, { parsedBody });
	}

	/** Closes every stream and cancels every call of this session. */
	close(): Promise<void> {
		return this.#transport.close();
	}

	#receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		const { id, method, params } = message as unknown as JsonObject;
		if (method === 'notifications/cancelled') {
			this.#cancel(own(params, 'requestId'));
		} else if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
			void this.#serve({ id, method, params, request: extra?.request });
		}
	}

	#cancel(id: unknown): void {
		const running = this.#running.get(idKey(id));
		if (running) {
			running.abort.abort();
			// The cancelled request gets no response.
			this.#closeStream(running);
		}
	}

	/** Closes the stream of a request, unless others of its batch still wait for their responses. */
	#closeStream({ id, request }: RunningRequest): void {
		const running = [...this.#running.values()];
		if (!running.some((each) => each.request === request && !each.abort.signal.aborted)) {
			this.#transport.closeSSEStream(id);
		}
	}

	/** Never rejects. */
	async #serve({ id, method, params, request }: ClientRequest): Promise<void> {
		const abort = new AbortController();
		const running = { id, abort, request };
		const { signal } = abort;
		const gone = () => abort.abort();
		this.#running.set(idKey(id), running);
		request?.signal.addEventListener('abort', gone);
		try {
			const result = await this.#result(id, method, params, signal);
			await this.#send({ jsonrpc: '2.0', id, result }, signal);
		} catch (error) {
			await this.#send({ jsonrpc: '2.0', id, error: wireError(error) }, signal);
		} finally {
			request?.signal.removeEventListener('abort', gone);
			if (this.#running.get(idKey(id)) === running) {
				this.#running.delete(idKey(id));
				this.#closeStream(running);
			}
		}
	}

	async #result(id: RequestId, method: string, params: unknown, signal: AbortSignal): Promise<JsonObject> {
		if (method === 'initialize') {
			return this.#initialize(params);
		}
		if (this.#tasks?.serves(method, params)) {
			// The progress of a task outlives the stream of the request that creates it.
			return this.#tasks.serve(method, params, { signal, ...this.#progress(params) });
		}
		return serveRequest(this.host, this.server, method, params, { signal, ...this.#progress(params, id) });
	}

	/** Sends nothing if the client has cancelled the request or disconnected. */
	async #send(message: object, signal?: AbortSignal): Promise<void> {
		if (!signal?.aborted) {
			await this.#transport.send(message as JSONRPCMessage).catch(() => {});
		}
	}

	#initialize(params: unknown): JsonObject {
		const { serverInfo, capabilities, instructions } = this.connection.initializeResult ?? {};
		const wanted = own(params, 'protocolVersion');
		const known = SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === wanted);
		const offered = new Set(Object.values(CAPABILITY_OF).filter((capability) => capabilities?.[capability]));
		const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
		return {
			protocolVersion: known ?? (SUPPORTED_PROTOCOL_VERSIONS[0] as string),
			capabilities: {
				...Object.fromEntries([...offered].map((capability) => [capability, { listChanged: true }])),
				...(this.#tasks && { tasks }),
			},
			serverInfo: (serverInfo as JsonObject | undefined) ?? { name: this.server, version: '' },
			...(instructions !== undefined && { instructions }),
		};
	}

	/** @param relatedRequestId the request on whose stream it is sent */
	#progress(params: unknown, relatedRequestId?: RequestId): Pick<CallOptions, 'onProgress'> {
		const progressToken = own(own(params, '_meta'), 'progressToken');
		if (progressToken === undefined) {
			return {};
		}
		return {
			onProgress: (progress) => {
				const params = { ...progress, progressToken };
				const message = { jsonrpc: '2.0', method: 'notifications/progress', params };
				const options = relatedRequestId === undefined ? undefined : { relatedRequestId };
				this.#transport.send(message as JSONRPCMessage, options).catch(() => {});
			},
		};
	}

	/** Skipped while the server is stopped: clients would read the lists again and thereby restart it. */
	#compare(): void {
		const connection = this.host.running(this.server);
		if (!connection) {
			return;
		}
		const before = this.#lists;
		this.#lists = listsOf(connection);
		const changed = LISTS.filter((list) => !same(before.get(list), this.#lists.get(list)));
		for (const capability of new Set(changed.map((list) => CAPABILITY_OF[list]))) {
			void this.#send({ jsonrpc: '2.0', method: `notifications/${capability}/list_changed` });
		}
	}
}

function listsOf(connection: Connection): Lists {
	return new Map(LISTS.map((list) => [list, connection.listed(list)]));
}

/** The id of a message that is a request; none of any other. */
function requestId(message: unknown): RequestId[] {
	const id = own(message, 'id');
	return own(message, 'method') !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
}

/** Reading a list again often returns the same entries. */
function same(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The message of our own errors already names the server and says what to do. */
export function wireError(error: unknown): JsonObject {
	if (error instanceof WireError) {
		const { code, message, data } = error;
		return { code, message, ...(data !== undefined && { data: data as Json }) };
	}
	return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) };
}

/** True for an `initialize` request. */
export function isInitializeRequest(body: unknown): body is JsonObject {
	return isObject(body) && own(body, 'method') === 'initialize';
}
