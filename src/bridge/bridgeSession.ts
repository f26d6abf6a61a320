import { type RequestId, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import { idKey, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { CAPABILITIES, LIST_NAMES, LISTS, type ListName } from '../elicitation/lists.ts';
import type { CallOptions, Connection } from '../mcp/index.ts';
import { BridgeTasks } from './bridgeTasks.ts';
import type { BridgeHost } from './host.ts';
import { serveRequest, WireError } from './requests.ts';

type Lists = ReadonlyMap<ListName, readonly Json[]>;

/** How messages reach a client. */
export interface Wire {
	/**
	 * Never rejects.
	 * @param related the request on whose stream it goes, if each has its own
	 */
	send(message: object, related?: RequestId): Promise<void>;
	/** Called when no more is sent for the requests that came together with this one. */
	ended(id: RequestId): void;
}

/** What requests came in together, such as an HTTP request. Its signal aborts when the client no longer waits for them. */
export interface Batch {
	readonly signal: AbortSignal;
}

/** A request from the client. */
interface ClientRequest {
	readonly id: RequestId;
	readonly method: string;
	readonly params: Json | undefined;
	readonly batch: Batch | undefined;
}

interface RunningRequest {
	readonly id: RequestId;
	readonly abort: AbortController;
	readonly batch: Batch | undefined;
}

/**
 * One client's session with one server. Messages aren't parsed with the SDK's schemas, which would drop unknown members.
 * Elicitations are never passed on to the client.
 */
export class BridgeSession {
	/** By `idKey`. */
	readonly #running = new Map<string | undefined, RunningRequest>();
	/** Absent if the client's calls can't be tasks. */
	readonly #tasks: BridgeTasks | undefined;
	readonly #subscription: { dispose(): unknown };
	#lists: Lists;

	/** @param connection provides the initialize result; the server may restart during the session */
	constructor(
		private readonly host: BridgeHost,
		private readonly server: string,
		private readonly connection: Connection,
		private readonly wire: Wire,
	) {
		this.#lists = listsOf(connection);
		if (connection.runsTasks) {
			this.#tasks = new BridgeTasks(host, server, (method, params) => {
				void this.#send({ jsonrpc: '2.0', method, params });
			});
		}
		this.#subscription = host.onDidChange(() => this.#compare());
	}

	/** True if no request is in flight and no task is running. */
	get idle(): boolean {
		return this.#running.size === 0 && !this.#tasks?.busy;
	}

	/** True if a request with this id waits for its response. */
	isOpen(id: RequestId): boolean {
		return this.#running.get(idKey(id))?.abort.signal.aborted === false;
	}

	/** Cancels every call of this session: its client is gone. */
	close(): void {
		this.#subscription.dispose();
		this.#tasks?.close();
		for (const { abort } of this.#running.values()) {
			abort.abort();
		}
	}

	/** Handles a message of the client. */
	receive({ id, method, params }: JsonObject, batch?: Batch): void {
		if (method === 'notifications/cancelled') {
			this.#cancel(own(params, 'requestId'));
		} else if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
			void this.#serve({ id, method, params, batch });
		}
	}

	#cancel(id: unknown): void {
		const running = this.#running.get(idKey(id));
		if (running) {
			running.abort.abort();
			// The cancelled request gets no response.
			this.#end(running);
		}
	}

	/** Others of its batch may still wait for their responses. */
	#end({ id, batch }: RunningRequest): void {
		const running = [...this.#running.values()];
		if (!running.some((each) => each.batch === batch && !each.abort.signal.aborted)) {
			this.wire.ended(id);
		}
	}

	/** Never rejects. */
	async #serve({ id, method, params, batch }: ClientRequest): Promise<void> {
		const abort = new AbortController();
		const running = { id, abort, batch };
		const { signal } = abort;
		const gone = () => abort.abort();
		this.#running.set(idKey(id), running);
		batch?.signal.addEventListener('abort', gone);
		try {
			const result = await this.#result(id, method, params, signal);
			await this.#send({ jsonrpc: '2.0', id, result }, signal);
		} catch (error) {
			await this.#send({ jsonrpc: '2.0', id, error: wireError(error) }, signal);
		} finally {
			batch?.signal.removeEventListener('abort', gone);
			if (this.#running.get(idKey(id)) === running) {
				this.#running.delete(idKey(id));
				this.#end(running);
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
			await this.wire.send(message);
		}
	}

	#initialize(params: unknown): JsonObject {
		const { serverInfo, capabilities, instructions } = this.connection.initializeResult ?? {};
		const wanted = own(params, 'protocolVersion');
		const known = SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === wanted);
		const offered = CAPABILITIES.filter((capability) => capabilities?.[capability]);
		const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
		return {
			protocolVersion: known ?? (SUPPORTED_PROTOCOL_VERSIONS[0] as string),
			capabilities: {
				...Object.fromEntries(offered.map((capability) => [capability, { listChanged: true }])),
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
				void this.wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params }, relatedRequestId);
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
		const changed = LIST_NAMES.filter((list) => !same(before.get(list), this.#lists.get(list)));
		for (const capability of new Set(changed.map((list) => LISTS[list][0]))) {
			void this.#send({ jsonrpc: '2.0', method: `notifications/${capability}/list_changed` });
		}
	}
}

function listsOf(connection: Connection): Lists {
	return new Map(LIST_NAMES.map((list) => [list, connection.listed(list)]));
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
