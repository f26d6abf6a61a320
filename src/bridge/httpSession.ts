import {
	type JSONRPCMessage,
	type RequestId,
	WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { idKey, type JsonObject, own } from '../elicitation/json.ts';
import type { Connection } from '../mcp/index.ts';
import { BridgeSession } from './bridgeSession.ts';
import type { BridgeHost } from './host.ts';

/** A session with a client that speaks Streamable HTTP. */
export class HttpSession {
	readonly #session: BridgeSession;
	readonly #transport: WebStandardStreamableHTTPServerTransport;

	/**
	 * @param connection see `BridgeSession`
	 * @param opened called with the session id once the client has initialized
	 * @param closed called when the session is over
	 */
	constructor(
		host: BridgeHost,
		server: string,
		connection: Connection,
		opened: (id: string) => void,
		closed: () => void,
	) {
		const transport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => crypto.randomUUID(),
			onsessioninitialized: opened,
		});
		const session = new BridgeSession(host, server, connection, {
			send: (message, relatedRequestId) =>
				transport
					.send(message as unknown as JSONRPCMessage, relatedRequestId === undefined ? undefined : { relatedRequestId })
					.catch(() => {}),
			ended: (id) => transport.closeSSEStream(id),
		});
		transport.onmessage = (message, extra) => session.receive(message as unknown as JsonObject, extra?.request);
		transport.onclose = () => {
			session.close();
			closed();
		};
		this.#session = session;
		this.#transport = transport;
	}

	/** True if no request is in flight and no task is running. */
	get idle(): boolean {
		return this.#session.idle;
	}

	/** Handles one HTTP request whose body has been read. Its signal cancels the MCP requests in it. */
	async handle(request: Request, parsedBody: unknown): Promise<Response> {
		const ids = [parsedBody].flat().flatMap(requestId);
		const keys = ids.map(idKey);
		const id = ids.find((each, index) => keys.indexOf(keys[index]) < index || this.#session.isOpen(each));
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
}

/** The id of a message that is a request; none of any other. */
function requestId(message: unknown): RequestId[] {
	const id = own(message, 'id');
	return own(message, 'method') !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
}
