import { setMaxListeners } from 'node:events';
import {
	type JSONRPCMessage,
	type JSONRPCRequest,
	ProtocolError,
	SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/client';
import { delay } from '../../elicitation/abort.ts';
import { type Call, isCallMethod } from '../../elicitation/call.ts';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../elicitation/errorCodes.ts';
import { isSameRequest } from '../../elicitation/form/flatten.ts';
import { idKey, isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { isTooDeep } from '../../elicitation/nesting.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { isNamelessError, type Malformed, type Response, readMessage } from './envelope.ts';
import {
	ConnectionCut,
	ConnectionEnded,
	type NoResponse,
	NotMcp,
	RequestTimedOut,
	ResponseTooDeep,
	ResultMissing,
	wordsIn,
} from './failure.ts';
import { truncateDepth } from './nesting.ts';
import type { PeerHost, RequestOptions, ServerRequest, Stream, Wire } from './wire.ts';

/** The last revision with JSON-RPC batches (2025-03-26, batching). */
const LAST_WITH_BATCHES = '2025-03-26';

/** Max time that a response waits for a cancellation to be sent (ms). */
const CANCEL_TIMEOUT = 2_000;

/**
 * How long the stream of a cancelled call stays open (ms), so that requests the server sent before it learned of the
 * cancellation get a response. The server may never end the stream itself.
 */
const CANCELLED_STREAM_GRACE = 2_000;

/** A request of ours until it has its response: what comes on its stream needs no id to belong to it. */
class OpenRequest implements Stream {
	isOpen = true;
	/** What the server wrote in place of a response. */
	words: string | undefined;
	readonly closing = new AbortController();
	resolve!: (result: JsonObject) => void;
	reject!: (error: unknown) => void;
	readonly response = new Promise<JsonObject>((resolve, reject) => {
		this.resolve = resolve;
		this.reject = reject;
	});

	constructor(
		readonly id: number,
		readonly message: JSONRPCRequest,
		readonly options: RequestOptions,
		readonly received: (message: Json, isRepeated?: boolean) => void,
		private readonly fail: (error: NoResponse) => void,
	) {}

	get signal(): AbortSignal {
		return this.closing.signal;
	}

	get answersCall(): boolean {
		return isCallMethod(this.message.method);
	}

	ended(isWhole: boolean): void {
		const { words } = this;
		this.fail(words === undefined && !isWhole ? new ConnectionCut() : new NotMcp(words ?? ''));
	}
}

/** How a message came. */
interface Arrival {
	/** The request on whose stream. */
	readonly stream: OpenRequest | undefined;
	readonly isRepeated: boolean;
	readonly isBatched: boolean;
}

/** A request of the server until its response is delivered. */
interface Asked extends ServerRequest {
	readonly abort: AbortController;
	hasResponse: boolean;
}

/**
 * One side of a JSON-RPC connection: records every message in both directions, finds the request that a response belongs
 * to, and hands requests of the server over raw. It knows nothing of what they are about.
 */
export class Peer {
	#nextId = 0;
	readonly #open = new Map<string, OpenRequest>();
	readonly #asked = new Map<string, Asked>();
	/** The ids of calls that were cancelled and have got no response. */
	readonly #cancelled = new Set<string>();
	/** Cancellations being sent. Responses to elicitations of those calls wait for them (D03). */
	#cancelling: Promise<unknown> = Promise.resolve();
	readonly #closed = new AbortController();
	#isClosing = false;
	#envelope: JsonObject | undefined;

	constructor(
		private readonly wire: Wire,
		private readonly host: PeerHost,
	) {
		// Every recently cancelled call adds a listener.
		setMaxListeners(0, this.#closed.signal);
		wire.onclose = () => this.#end();
		wire.onerror = (error) => host.problem(error.message);
		wire.onmessage = (message, isRepeated) => this.#arrive(message, undefined, isRepeated);
	}

	start(): Promise<void> {
		return this.wire.start();
	}

	/**
	 * Both sides speak that revision from now on.
	 * @param envelope what the `_meta` of every message of ours says; undefined if nothing
	 */
	agree(revision: string, envelope: JsonObject | undefined): void {
		this.wire.revision = revision;
		this.#envelope = envelope;
	}

	get #isModern(): boolean {
		return (this.wire.revision ?? '') >= STATELESS;
	}

	/** No request is sent from now on: to close may take the server a while, and what ends with the connection is not canceled. */
	close(): Promise<void> {
		this.#isClosing = true;
		return this.wire.close();
	}

	/**
	 * Resolves to the result as the server sent it. Rejects with a `ProtocolError` that the server responds with, a
	 * `NoResponse`, the reason of the signal, or why the request could not be sent.
	 */
	async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
		const { signal, timeout, headers, call } = options;
		signal?.throwIfAborted();
		if (this.#isClosing || this.#closed.signal.aborted) {
			throw new ConnectionEnded();
		}
		const id = this.#nextId++;
		const message = this.#addressed({ jsonrpc: '2.0', id, method, params }) as JSONRPCRequest;
		const request = new OpenRequest(
			id,
			message,
			options,
			(received, isRepeated) => this.#arrive(received, request, isRepeated),
			(error) => this.#fail(request, error),
		);
		this.#open.set(String(id), request);
		const abort = () => this.#cancel(request, signal?.reason);
		const late = timeout && setTimeout(() => this.#cancel(request, new RequestTimedOut(timeout)), timeout);
		signal?.addEventListener('abort', abort, { once: true });
		try {
			this.host.record('sent', message, call);
			const send = () => this.wire.send(message, { stream: request, ...(headers && { headers }) });
			(method === 'tasks/cancel' ? this.#holdResponses(send) : send()).catch((error) => {
				this.#forget(request);
				request.reject(error);
			});
			return await request.response;
		} finally {
			clearTimeout(late);
			signal?.removeEventListener('abort', abort);
		}
	}

	/** Resolves when the server has taken the notification. */
	async notify(method: string, params?: JsonObject): Promise<void> {
		const message = this.#addressed({ jsonrpc: '2.0', method, ...(params && { params }) });
		this.host.record('sent', message, undefined);
		await this.wire.send(message);
	}

	/** Closes the streams of a task whose call has ended before it, after a grace period. */
	abandon(taskId: string): void {
		void delay(CANCELLED_STREAM_GRACE, this.#closed.signal).then(() => {
			for (const request of this.#open.values()) {
				if (own(request.message.params, 'taskId') === taskId) {
					request.closing.abort();
					this.#fail(request, new ConnectionCut());
				}
			}
		});
	}

	#addressed(message: JSONRPCMessage): JSONRPCMessage {
		const params = own(message, 'params') as JsonObject | undefined;
		const meta = own(params, '_meta') as JsonObject | undefined;
		return (this.#envelope
			? { ...message, params: { ...params, _meta: { ...this.#envelope, ...meta } } }
			: message) as unknown as JSONRPCMessage;
	}

	#end(): void {
		if (this.#closed.signal.aborted) {
			return;
		}
		this.#closed.abort();
		const [open, asked] = [[...this.#open.values()], [...this.#asked.values()]];
		this.#open.clear();
		this.#asked.clear();
		try {
			this.host.closed();
		} finally {
			for (const request of open) {
				request.isOpen = false;
				request.reject(new ConnectionEnded());
			}
			for (const { abort } of asked) {
				abort.abort();
			}
		}
	}

	/** The response is no longer waited for. False if it isn't already. */
	#forget(request: OpenRequest): boolean {
		if (!request.isOpen) {
			return false;
		}
		request.isOpen = false;
		this.#open.delete(String(request.id));
		if (request.answersCall) {
			this.#cancelled.add(String(request.id));
		}
		return true;
	}

	#cancel(request: OpenRequest, reason: unknown): void {
		if (!this.#forget(request)) {
			return;
		}
		request.reject(reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError'));
		const { method } = request.message;
		if (this.wire.hasStreams && this.#isModern) {
			// Since 2026-07-28, to close the stream is to cancel (Streamable HTTP, cancellation).
			request.closing.abort();
			return;
		}
		if (method === 'initialize') {
			return;
		}
		const params = { requestId: request.id, ...(typeof reason === 'string' && { reason }) };
		const message = this.#addressed({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
		this.host.record('sent', message, request.options.call);
		this.#holdResponses(() => this.wire.send(message))
			.catch((error) => this.host.problem(`Failed to send a cancellation: ${error}`))
			.finally(() => {
				void delay(CANCELLED_STREAM_GRACE, this.#closed.signal).then(() => request.closing.abort());
			});
	}

	/** Responses to elicitations wait until a cancellation has been sent. */
	#holdResponses(send: () => Promise<void>): Promise<void> {
		const taken = new AbortController();
		const before = this.#cancelling;
		this.#cancelling = delay(CANCEL_TIMEOUT, taken.signal).then(() => before);
		return send().finally(() => taken.abort());
	}

	#arrive(raw: Json, stream: OpenRequest | undefined, isRepeated = false): void {
		const isBatched = Array.isArray(raw);
		// Responds to each message individually, which 2025-03-26 allows: a request that waits for the user must not delay
		// the rest.
		for (const each of isBatched ? (raw as readonly Json[]) : [raw]) {
			try {
				this.#receive(each, { stream, isRepeated, isBatched });
			} catch (error) {
				this.host.problem(String(error));
			}
		}
	}

	#receive(raw: Json, arrival: Arrival): void {
		const { stream } = arrival;
		const isDeep = isTooDeep(raw);
		const told = isDeep ? truncateDepth(raw) : raw;
		// A server that could not read a request doesn't know its id (JSON-RPC 2.0, response object).
		const message = stream?.isOpen && isNamelessError(told) ? { ...told, id: stream.id } : told;
		if (isObject(message)) {
			this.host.record('received', message as unknown as JSONRPCMessage, stream?.options.call);
		}
		if (arrival.isRepeated) {
			this.host.problem(`Ignored a message that the server sent again: ${JSON.stringify(message)}`);
			return;
		}
		if (isDeep && own(message, 'method') === undefined) {
			this.#fail(this.#named(message), new ResponseTooDeep('The response is nested too deeply.'), message);
			return;
		}
		const received = readMessage(message);
		switch (received.kind) {
			case 'request':
				this.#ask(received.request, arrival);
				break;
			case 'malformed':
				this.#refuse(received, stream?.options.call);
				break;
			case 'notification':
				this.#notice(received.method, received.params);
				break;
			case 'response':
				this.#respond(received, message, stream);
				break;
			case 'resultless':
				this.#fail(this.#named(message), new ResultMissing('The result is not an object.'), message);
				break;
			case 'noise':
				this.host.problem(`Ignored what is no JSON-RPC message: ${JSON.stringify(message)}`);
				this.#noteWords(message, stream);
		}
	}

	/** The request of ours that a message names. */
	#named(message: Json): OpenRequest | undefined {
		return this.#open.get(idKey(own(message, 'id')) ?? '');
	}

	#respond({ id, result, error }: Response, message: Json, stream: OpenRequest | undefined): void {
		const request = this.#settle(this.#named(message), message);
		if (request) {
			if (result) {
				request.resolve(result);
			} else {
				const { code = INTERNAL_ERROR, message: words = '', data } = error ?? {};
				request.reject(new ProtocolError(code, words, data));
			}
			return;
		}
		this.#noteWords(message, stream);
		// The second response to a call is not late: the first one counts.
		if (this.#cancelled.delete(idKey(id) ?? '') && result) {
			this.host.late(result);
		}
		this.host.problem(`Received a response to no request that waits for one: ${JSON.stringify(message)}`);
	}

	/** @param response what was no response, if the server has responded */
	#fail(request: OpenRequest | undefined, error: NoResponse, response?: Json): void {
		this.#settle(request, response)?.reject(error);
	}

	#settle(request: OpenRequest | undefined, response: Json | undefined): OpenRequest | undefined {
		if (!request?.isOpen) {
			return undefined;
		}
		request.isOpen = false;
		this.#open.delete(String(request.id));
		const { call } = request.options;
		if (call && request.answersCall) {
			this.host.settled(call, response as unknown as JSONRPCMessage | undefined);
		}
		return request;
	}

	/**
	 * What is no message may be all that a request gets. If it is an error, or the result under its id, it is.
	 * @param stream the request on whose stream it came
	 */
	#noteWords(message: Json, stream: OpenRequest | undefined): void {
		const named = this.#named(message);
		const request = named ?? stream;
		if (!request?.isOpen || own(message, 'method') !== undefined) {
			return;
		}
		const words = wordsIn(typeof message === 'string' ? message : JSON.stringify(message), null);
		request.words = words;
		const isError = (own(message, 'error') ?? null) !== null;
		const isAbout = named !== undefined || (own(message, 'id') ?? null) === null;
		if ((isError && isAbout) || (named && own(message, 'result') !== undefined)) {
			this.#fail(request, new NotMcp(words));
		}
	}

	#notice(method: string, params: JsonObject): void {
		const of = (id: unknown) => this.#open.get(idKey(id) ?? '');
		if (method === 'notifications/subscriptions/acknowledged') {
			of(own(own(params, '_meta'), SUBSCRIPTION_ID_META_KEY))?.options.acknowledged?.();
			return;
		}
		if (method !== 'notifications/cancelled') {
			this.host.notified(method, params);
			return;
		}
		const { requestId, reason } = params;
		if (this.#isModern) {
			// Servers send no requests, and end subscriptions so.
			const request = of(requestId);
			if (request?.options.acknowledged && this.#forget(request)) {
				request.closing.abort();
				request.reject(new Error('The server has cancelled it.'));
			}
			return;
		}
		const key = idKey(requestId) ?? '';
		const asked = this.#asked.get(key);
		this.#asked.delete(key);
		asked?.abort.abort(typeof reason === 'string' ? reason : undefined);
	}

	#ask(request: JSONRPCRequest, { stream, isBatched }: Arrival): void {
		const { id, method } = request;
		const call = stream?.options.call;
		const params = (own(request, 'params') ?? null) as Json;
		const key = idKey(id) ?? '';
		const open = this.#asked.get(key);
		const isOpen = open?.hasResponse === false;
		const reason = this.#whyRefused(request, isBatched, isOpen);
		if (reason && isOpen && isSameRequest(open.raw as unknown as JsonObject, request as unknown as JsonObject)) {
			this.host.problem(
				`Ignored a request (${JSON.stringify(method)}, id ${JSON.stringify(id)}) that the server sent again.`,
			);
		} else if (reason) {
			// A response with this id would be taken for that of the open request.
			const answered = isOpen ? null : id;
			this.#refuse({ kind: 'malformed', id: answered, method, params, code: INVALID_REQUEST, reason }, call);
		} else {
			const abort = new AbortController();
			const asked: Asked = { raw: request, method, params, call, abort, signal: abort.signal, hasResponse: false };
			this.#asked.set(key, asked);
			void this.#serve(asked, key);
		}
	}

	#whyRefused({ id }: JSONRPCRequest, isBatched: boolean, isOpen: boolean): Sentence | undefined {
		const { revision = '' } = this.wire;
		if (isBatched && revision > LAST_WITH_BATCHES) {
			return localizable('Protocol revision {0} has no batches of messages.', revision);
		}
		if (this.#isModern) {
			return localizable('Protocol revision {0} has no requests from servers.', revision);
		}
		return isOpen ? localizable('A request with the id {0} is open already.', JSON.stringify(id)) : undefined;
	}

	async #serve(request: Asked, key: string): Promise<void> {
		const response = await this.host.serve(request).then(
			(result) => result && { result },
			(error) => ({ error: errorFor(error) }),
		);
		const isWaiting = () => this.#asked.get(key) === request;
		if (response && isWaiting()) {
			request.hasResponse = true;
			const message = { jsonrpc: '2.0', id: request.raw.id, ...response } as JSONRPCMessage;
			await this.#send(message, request, request.call);
		}
		if (isWaiting()) {
			this.#asked.delete(key);
		}
	}

	/** Returns an error, except since 2026-07-28, when clients must not send responses. */
	#refuse({ id, method, params, code, reason }: Malformed, call: Call | undefined): void {
		const message = render(reason, english);
		if (method === 'elicitation/create') {
			this.host.refused(params, reason);
		}
		this.host.problem(`Refused a request (${JSON.stringify(method)}, id ${JSON.stringify(id)}): ${message}`);
		if (!this.#isModern) {
			// The SDK's types lack the null id that JSON-RPC requires here.
			void this.#send({ jsonrpc: '2.0', id: id as string, error: { code, message } }, undefined, call);
		}
	}

	/** Never rejects. */
	async #send(message: JSONRPCMessage, request: ServerRequest | undefined, call: Call | undefined): Promise<void> {
		this.host.record('sent', message, call);
		try {
			await this.host.deliver(request, async (signal) => {
				await this.#cancelling;
				await this.wire.send(message, { signal });
			});
		} catch (error) {
			this.host.problem(`Failed to send a response: ${error}`);
		}
	}
}

function errorFor(error: unknown): { code: number; message: string; data?: unknown } {
	const { code, message, data } = error as Partial<ProtocolError>;
	return {
		code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
		message: message ?? 'Internal error',
		...(data !== undefined && { data }),
	};
}
