import type { JSONRPCMessage, JSONRPCRequest, ProtocolEra, ServerCapabilities } from '@modelcontextprotocol/client';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Json, JsonObject } from '../../elicitation/json.ts';
import type { Sentence } from '../../elicitation/sentence.ts';
import type { Direction } from '../../trace/log.ts';

/* What a peer stands between: the wire below it, and the session above. */

/** What the server sends to one of our requests, where a wire tells that apart. */
export interface Stream {
	/** False once the request has its response, or needs none any more. */
	readonly isOpen: boolean;
	/** Aborts when nothing more of it is read. */
	readonly signal: AbortSignal;
	/** @param isRepeated whether it was received before: the server sends it again */
	received(message: Json, isRepeated?: boolean): void;
	/**
	 * Nothing more comes.
	 * @param isWhole whether the server has sent all that it meant to, rather than been cut off
	 */
	ended(isWhole: boolean): void;
}

export interface SendOptions {
	/** Of a request: what comes back. */
	readonly stream?: Stream;
	/** Gives up when it aborts. */
	readonly signal?: AbortSignal;
	/** HTTP headers. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** Carries messages to a server and back, each parsed once, and none of them read. */
export interface Wire {
	/** Whether each request has a stream of its own, whose end ends the request. */
	readonly hasStreams: boolean;
	/** Set while the server keeps a session. */
	readonly sessionId?: string | undefined;
	/** Why the connection was closed, if that was the server's fault. */
	readonly fault: Error | undefined;
	/** The negotiated protocol revision; undefined before. Some wires tell it with each message. */
	revision?: string | undefined;
	/** Resolves when more may be read; undefined if it may be at once. */
	ready?: (() => Promise<void> | undefined) | undefined;
	/** Called with a message or a batch that belongs to no stream. */
	onmessage?: ((message: Json, isRepeated?: boolean) => void) | undefined;
	onerror?: ((error: Error) => void) | undefined;
	onclose?: (() => void) | undefined;
	start(): Promise<void>;
	/** Resolves when the server has taken the message. */
	send(message: JSONRPCMessage, options?: SendOptions): Promise<void>;
	close(): Promise<void>;
}

/** Options of a request of ours. */
export interface RequestOptions {
	/** The call that it belongs to. */
	readonly call?: Call | undefined;
	/** Cancels it. A text is the reason that the server is told. */
	readonly signal?: AbortSignal | undefined;
	/** How long its response may take (ms); as long as it does if absent. */
	readonly timeout?: number;
	/** HTTP headers. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Called when the server has acknowledged a subscription. */
	readonly acknowledged?: () => void;
}

/** Sends messages as the negotiated revision has them. */
export interface Requester {
	readonly era: ProtocolEra | undefined;
	/** What the server can do; undefined before it says so. */
	readonly capabilities: ServerCapabilities | undefined;
	/** See `Peer.request`. */
	request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>;
	notify(method: string, params?: JsonObject): Promise<void>;
}

/** A request of the server, with everything that belongs to it. */
export interface ServerRequest {
	/** As the server sent it. */
	readonly raw: JSONRPCRequest;
	readonly method: string;
	readonly params: Json;
	/** Aborts when the server cancels it, with the reason, or when the connection ends. */
	readonly signal: AbortSignal;
	/** The call on whose stream it came. */
	readonly call: Call | undefined;
	/** The elicitation whose response it gets. */
	elicitation?: Elicitation;
}

/** Sends a response. Gives up when the signal aborts. */
export type SendResponse = (signal: AbortSignal) => Promise<void>;

/** What a peer needs from its session. */
export interface PeerHost {
	record(direction: Direction, message: JSONRPCMessage, call: Call | undefined): void;
	/** Resolves to the result; to undefined if there is to be no response. Rejects with the error to respond with. */
	serve(request: ServerRequest): Promise<JsonObject | undefined>;
	/** Throws for a notification that is malformed. */
	notified(method: string, params: JsonObject): void;
	/** Delivers a response, with retries. The request is undefined if another response to it is being sent. */
	deliver(request: ServerRequest | undefined, send: SendResponse): Promise<void>;
	/** Called for a malformed elicitation, to tell the user why it was refused. */
	refused(params: Json, reason: Sentence): void;
	/** A request of a call has its response, or won't get one. */
	settled(call: Call, response: JSONRPCMessage | undefined): void;
	/** The result of a call has come after the call was cancelled. */
	late(result: JsonObject): void;
	/** Something is wrong with what the server sends. */
	problem(line: string): void;
	closed(): void;
}
