import {
	type JSONRPCMessage,
	type MessageExtraInfo,
	type RequestId,
	SUPPORTED_PROTOCOL_VERSIONS,
	WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import type { CallOptions, Connection, ListName } from '../mcp/index.ts';
import type { BridgeHost } from './host.ts';
import { INTERNAL_ERROR, serveRequest, WireError } from './requests.ts';

type Capability = 'tools' | 'prompts' | 'resources';

/** What a client is told to read again when one of these lists has changed. */
const TOLD: { readonly [List in ListName]: Capability } = {
	tools: 'tools',
	prompts: 'prompts',
	resources: 'resources',
	resourceTemplates: 'resources',
};

const LISTS = Object.keys(TOLD) as ListName[];

type Lists = ReadonlyMap<ListName, readonly Json[]>;

/** A request of the client; the signal of the HTTP request aborts when nobody waits for its answer any more. */
interface ClientRequest {
	readonly id: RequestId;
	readonly method: string;
	readonly params: Json | undefined;
	readonly request: Request | undefined;
}

/**
 * One session of a client with one server. What passes is not read by an SDK's schemas, which would leave out what they do not
 * know; and nothing that the server asks the user ever passes.
 */
export class BridgeSession {
	readonly #transport: WebStandardStreamableHTTPServerTransport;
	readonly #running = new Map<RequestId, AbortController>();
	readonly #subscription: { dispose(): unknown };
	#lists: Lists;

	/**
	 * @param connection which it is introduced by; the server may be started again under it
	 * @param opened told its id when the client has shaken hands
	 * @param closed told when it is over
	 */
	constructor(
		private readonly host: BridgeHost,
		private readonly server: string,
		private readonly connection: Connection,
		opened: (id: string) => void,
		closed: () => void,
	) {
		this.#lists = listsOf(connection);
		this.#subscription = host.onDidChange(() => this.#compare());
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => crypto.randomUUID(),
			onsessioninitialized: opened,
		});
		transport.onmessage = (message, extra) => this.#receive(message, extra);
		transport.onclose = () => {
			this.#subscription.dispose();
			for (const abort of this.#running.values()) {
				abort.abort();
			}
			closed();
		};
		this.#transport = transport;
	}

	/** Nothing is being answered. */
	get idle(): boolean {
		return this.#running.size === 0;
	}

	/** Answers one HTTP request whose body has been read; its signal ends what was asked in it. */
	handle(request: Request, parsedBody: unknown): Promise<Response> {
		return this.#transport.handleRequest(request, { parsedBody });
	}

	/** Ends every stream and every call of it. */
	close(): Promise<void> {
		return this.#transport.close();
	}

	#receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
		const { id, method, params } = message as unknown as JsonObject;
		if (method === 'notifications/cancelled') {
			this.#cancel(own(params, 'requestId') as RequestId);
		} else if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
			void this.#serve({ id, method, params, request: extra?.request });
		}
	}

	#cancel(id: RequestId): void {
		this.#running.get(id)?.abort();
		// There will be no answer.
		this.#transport.closeSSEStream(id);
	}

	/** Never rejects. */
	async #serve({ id, method, params, request }: ClientRequest): Promise<void> {
		const abort = new AbortController();
		const { signal } = abort;
		const gone = () => abort.abort();
		this.#running.set(id, abort);
		request?.signal.addEventListener('abort', gone);
		try {
			const result =
				method === 'initialize'
					? this.#introduce(params)
					: await serveRequest(this.host, this.server, method, params, { signal, ...this.#progress(id, params) });
			await this.#send({ jsonrpc: '2.0', id, result }, signal);
		} catch (error) {
			await this.#send({ jsonrpc: '2.0', id, error: wireError(error) }, signal);
		} finally {
			request?.signal.removeEventListener('abort', gone);
			this.#running.delete(id);
		}
	}

	/** A client that has cancelled, or is gone, gets no answer. */
	async #send(message: object, signal?: AbortSignal): Promise<void> {
		if (!signal?.aborted) {
			await this.#transport.send(message as JSONRPCMessage).catch(() => {});
		}
	}

	#introduce(params: unknown): JsonObject {
		const { serverInfo, capabilities, instructions } = this.connection.initializeResult ?? {};
		const wanted = own(params, 'protocolVersion');
		const known = SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === wanted);
		const offered = new Set(Object.values(TOLD).filter((capability) => capabilities?.[capability]));
		return {
			protocolVersion: known ?? (SUPPORTED_PROTOCOL_VERSIONS[0] as string),
			capabilities: Object.fromEntries([...offered].map((capability) => [capability, { listChanged: true }])),
			serverInfo: (serverInfo as JsonObject | undefined) ?? { name: this.server, version: '' },
			...(instructions !== undefined && { instructions }),
		};
	}

	#progress(id: RequestId, params: unknown): Pick<CallOptions, 'onProgress'> {
		const progressToken = own(own(params, '_meta'), 'progressToken');
		if (progressToken === undefined) {
			return {};
		}
		return {
			onProgress: (progress) => {
				const params = { ...progress, progressToken };
				const message = { jsonrpc: '2.0', method: 'notifications/progress', params };
				this.#transport.send(message as JSONRPCMessage, { relatedRequestId: id }).catch(() => {});
			},
		};
	}

	/** A server that has ended offers nothing; whoever asked for its lists now would start it again. */
	#compare(): void {
		const connection = this.host.running(this.server);
		if (!connection) {
			return;
		}
		const before = this.#lists;
		this.#lists = listsOf(connection);
		const changed = LISTS.filter((list) => !same(before.get(list), this.#lists.get(list)));
		for (const capability of new Set(changed.map((list) => TOLD[list]))) {
			void this.#send({ jsonrpc: '2.0', method: `notifications/${capability}/list_changed` });
		}
	}
}

function listsOf(connection: Connection): Lists {
	return new Map(LISTS.map((list) => [list, connection.listed(list)]));
}

/** A list that was read again may well say the same. */
function same(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** An error of our own making says in its message which server it is about, and what to do. */
export function wireError(error: unknown): JsonObject {
	if (error instanceof WireError) {
		const { code, message, data } = error;
		return { code, message, ...(data !== undefined && { data: data as Json }) };
	}
	return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) };
}

/** What a client shakes hands with. */
export function isInitializeRequest(body: unknown): body is JsonObject {
	return isObject(body) && own(body, 'method') === 'initialize';
}
