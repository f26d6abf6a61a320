import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { delay } from '../../elicitation/abort.ts';
import { type Call, isCallMethod } from '../../elicitation/call.ts';
import { INTERNAL_ERROR } from '../../elicitation/errorCodes.ts';
import { idKey, isObject, type Json, own } from '../../elicitation/json.ts';
import { isTooDeep } from '../../elicitation/nesting.ts';
import type { Direction } from '../../trace/log.ts';
import { isNamelessError } from './envelope.ts';
import { ConnectionCut, type NoResponse, NotMcp, ResponseTooDeep, wordsIn } from './failure.ts';
import { truncateDepth } from './nesting.ts';
import { type Arrival, unwrapRawMessage } from './rawMessage.ts';
import type { SdkShim, ShimResult } from './sdkShim.ts';

/**
 * The call in whose async context code runs. Over HTTP, it also covers messages on the response's own stream, so that a
 * server request there can be linked to its call.
 */
export const callContext = new AsyncLocalStorage<Call>();

/** The message that a transport is sending, so that what reads its body need not parse it. */
export const sending = new AsyncLocalStorage<JSONRPCMessage>();

/** Max time that a response waits for a cancellation to be sent (ms). */
const CANCEL_TIMEOUT = 2_000;

/**
 * How long the stream of a cancelled call stays open (ms), so that requests the server sent before it learned of the
 * cancellation get a response. The server may never end the stream itself.
 */
const CANCELLED_STREAM_GRACE = 2_000;

/** Sends a response, with retries. `id` is that of the request if this is its only response. */
export type Deliver = (id: unknown, send: (signal: AbortSignal) => Promise<void>) => Promise<void>;

/** The methods with which a call that runs as a task goes on. */
const TASKS: ReadonlySet<unknown> = new Set(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);

export type RecordMessage = (direction: Direction, message: JSONRPCMessage, call: Call | undefined) => void;

interface OpenRequest {
	/** The call that the request belongs to. */
	readonly call: Call | undefined;
	/** Whether its response is that of the call. */
	readonly answersCall: boolean;
	/** The task that it is about. */
	readonly taskId: unknown;
	/** Closes the stream that would carry the response. */
	readonly stream: AbortController;
	/** Rejects the request, if that is possible. */
	readonly fail: ((error: NoResponse) => void) | undefined;
	/** What the server wrote on its stream that is no message. */
	words?: string;
}

/** How a message came. */
interface Arrived {
	readonly of: Arrival['of'] | undefined;
	readonly isRepeated: boolean | undefined;
	readonly batched: boolean;
}

/** Records every message in both directions, and applies the SDK shim. */
export class TracingTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: NonNullable<Transport['onmessage']>;
	readonly hasPerRequestStream?: boolean;
	/** Serializes the delivery of received messages. */
	#delivery: Promise<void> = Promise.resolve();
	/** Cancellations being sent. Responses to elicitations of those calls wait for them (D03). */
	#cancelling: Promise<unknown> = Promise.resolve();
	readonly #closed = new AbortController();
	/** Our pending requests, by id. */
	readonly #open = new Map<string | undefined, OpenRequest>();
	/** The ids of calls that were cancelled and have got no response. */
	readonly #cancelled = new Set<string | undefined>();

	/**
	 * @param settled called with the response to a request of a call, or with `undefined` if its stream has ended without
	 * one
	 * @param late called with the response to a call that was cancelled
	 */
	constructor(
		private readonly inner: Transport,
		private readonly record: RecordMessage,
		private readonly sdkShim: SdkShim,
		private readonly settled: (call: Call, response: JSONRPCMessage | undefined) => void,
		private readonly deliver: Deliver,
		private readonly late: (response: JSONRPCMessage) => void,
	) {
		if (inner.hasPerRequestStream !== undefined) {
			this.hasPerRequestStream = inner.hasPerRequestStream;
		}
		if ('pid' in inner) {
			// The SDK recognizes a stdio transport by these two members, and probes it differently from HTTP.
			Object.defineProperties(this, { pid: { get: () => inner.pid }, stderr: { value: null } });
		}
		// Every recently cancelled call adds a listener.
		setMaxListeners(0, this.#closed.signal);
		inner.onclose = () => {
			this.#closed.abort();
			this.onclose?.();
		};
		inner.onerror = (error) => this.onerror?.(error);
		inner.onmessage = (message, extra) => {
			const { message: raw, of, isAll, isRepeated } = unwrapRawMessage(message);
			const isBatch = Array.isArray(raw);
			// Responds to each message individually, which 2025-03-26 allows: a request that waits for the user must not delay
			// the rest.
			for (const each of isBatch ? (raw as readonly Json[]) : [raw]) {
				this.#receive(each, { of, isRepeated, batched: isBatch }, extra);
			}
			if (of !== undefined && isAll) {
				this.#onEnd(of, ({ words = '' }) => new NotMcp(words));
			}
		};
	}

	get sessionId(): string | undefined {
		return this.inner.sessionId;
	}

	start(): Promise<void> {
		return callContext.exit(() => this.inner.start());
	}

	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const sent = this.sdkShim.sent(message);
		if (!sent) {
			return Promise.resolve();
		}
		// Other requests sent during a call (for example, to refresh lists) don't belong to it.
		const method = own(sent, 'method');
		return isCallMethod(method) || TASKS.has(method)
			? this.#send(sent, options)
			: callContext.exit(() => this.#send(sent, options));
	}

	#send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const call = callContext.getStore();
		this.record('sent', message, call);
		const id = own(message, 'id');
		const method = own(message, 'method');
		if (method === 'notifications/cancelled') {
			return this.#cancel(message, options);
		}
		if (method === undefined) {
			return this.deliver(id, (requestSignal) => this.#respond(message, { ...options, requestSignal }));
		}
		if (id === undefined) {
			return this.#write(message, options);
		}
		return new Promise((resolve, reject) => {
			// To the SDK, whatever is no response to this means an older server.
			const fail = method === 'server/discover' ? undefined : reject;
			this.#request(message, options, call, fail).then(fail ? undefined : resolve, reject);
		});
	}

	/** Sends a request. The response comes by itself; `fail` is called if there won't be one. */
	#request(
		message: JSONRPCMessage,
		options: TransportSendOptions | undefined,
		call: Call | undefined,
		fail: OpenRequest['fail'],
	): Promise<void> {
		const id = own(message, 'id');
		const method = own(message, 'method');
		const stream = new AbortController();
		const requestSignal = options?.requestSignal ?? stream.signal;
		const forget = () => this.#forget(idKey(id));
		const taskId = own(own(message, 'params'), 'taskId');
		this.#open.set(idKey(id), { call, answersCall: isCallMethod(method), taskId, stream, fail });
		const send = () =>
			this.hasPerRequestStream
				? this.#write(message, {
						...options,
						requestSignal,
						// For subscriptions, the SDK handles the end of the stream itself.
						onRequestStreamEnd: options?.onRequestStreamEnd ?? (() => this.#onStreamEnd(id)),
					})
				: this.#write(message, options);
		// No response is read any more.
		requestSignal.addEventListener('abort', forget, { once: true });
		return (method === 'tasks/cancel' ? this.#holdResponses(send) : send()).catch((error) => {
			forget();
			throw error;
		});
	}

	/** Closes the streams of a task whose call has ended before it, after a grace period. */
	abandon(taskId: string): void {
		void delay(CANCELLED_STREAM_GRACE, this.#closed.signal).then(() => {
			for (const request of this.#open.values()) {
				if (request.taskId === taskId) {
					request.stream.abort();
				}
			}
		});
	}

	/** Sends a cancellation and closes the request's stream after a grace period. */
	#cancel(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const id = idKey(own(own(message, 'params'), 'requestId'));
		const stream = this.#open.get(id)?.stream;
		this.#forget(id);
		return this.#holdResponses(() => this.#write(message, options)).finally(() => {
			void delay(CANCELLED_STREAM_GRACE, this.#closed.signal).then(() => stream?.abort());
		});
	}

	/** The response is no longer waited for. */
	#forget(id: string | undefined): void {
		if (this.#open.get(id)?.answersCall) {
			this.#cancelled.add(id);
		}
		this.#open.delete(id);
	}

	/** Responses to elicitations wait until a cancellation has been sent. */
	#holdResponses(send: () => Promise<void>): Promise<void> {
		const taken = new AbortController();
		const before = this.#cancelling;
		this.#cancelling = delay(CANCEL_TIMEOUT, taken.signal).then(() => before);
		return send().finally(() => taken.abort());
	}

	async #respond(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		await this.#cancelling;
		await this.#write(message, options);
	}

	#write(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		return sending.run(message, () => this.inner.send(message, options));
	}

	close(): Promise<void> {
		return this.inner.close();
	}

	setProtocolVersion(version: string): void {
		this.inner.setProtocolVersion?.(version);
	}

	setSupportedProtocolVersions(versions: string[]): void {
		this.inner.setSupportedProtocolVersions?.(versions);
	}

	#receive(raw: Json, { of, isRepeated, batched }: Arrived, extra?: MessageExtraInfo): void {
		const isDeep = isTooDeep(raw);
		const told = isDeep ? truncateDepth(raw) : raw;
		// A server that could not read a request doesn't know its id (JSON-RPC 2.0, response object).
		const message = of !== undefined && this.#open.has(idKey(of)) && isNamelessError(told) ? { ...told, id: of } : told;
		if (isObject(message)) {
			this.record('received', message as unknown as JSONRPCMessage, callContext.getStore());
		}
		if (isRepeated) {
			this.onerror?.(new Error(`Ignored a message that the server sent again: ${JSON.stringify(message)}`));
			return;
		}
		this.#deliver(message, { isDeep, batched, of }, extra);
	}

	/**
	 * In order: the SDK handles notifications later than responses, and would lose progress that arrives together with the
	 * result.
	 */
	#deliver(
		message: Json,
		{ isDeep, batched, of }: { readonly isDeep: boolean; readonly batched: boolean; readonly of: Json | undefined },
		extra?: MessageExtraInfo,
	): void {
		this.#delivery = this.#delivery.then(() => {
			try {
				const id = own(message, 'id');
				const isResponse = own(message, 'method') === undefined;
				if (isDeep && isResponse) {
					this.#fail(id, new ResponseTooDeep('The response is nested too deeply.'), message);
					return;
				}
				const passage = this.sdkShim.received(message, batched, this.#open.get(idKey(id))?.answersCall);
				if ('fail' in passage) {
					this.#fail(id, passage.fail, message);
					return;
				}
				if (!('pass' in passage)) {
					this.#withhold(passage);
					this.#noteWords(message, of);
					return;
				}
				const isSettled = isResponse && this.#settle(id, message as unknown as JSONRPCMessage);
				if (isResponse && !isSettled) {
					this.#noteWords(message, of);
				}
				// The second response to a call is not late: the first one counts.
				if (isResponse && !isSettled && this.#cancelled.delete(idKey(id))) {
					this.late(passage.pass);
				}
				this.onmessage?.(passage.pass, extra);
			} catch (error) {
				this.onerror?.(error instanceof Error ? error : new Error(String(error)));
			}
		});
	}

	/** Hides a message from the SDK, and sends the response if there is one. */
	#withhold({ reason, response }: Extract<ShimResult, { reason: unknown }>): void {
		this.onerror?.(new Error(reason));
		if (response) {
			this.record('sent', response, callContext.getStore());
			this.deliver(undefined, (requestSignal) => this.#respond(response, { requestSignal })).catch((error) =>
				this.onerror?.(error),
			);
		}
	}

	/**
	 * What is no message may be all that a request gets. If it is an error, or the result under its id, it is.
	 * @param of the request on whose stream it came
	 */
	#noteWords(message: Json, of: Json | undefined): void {
		if (own(message, 'method') !== undefined) {
			return;
		}
		const named = own(message, 'id');
		const isNamed = this.#open.has(idKey(named));
		const id = isNamed ? named : of;
		const request = this.#open.get(idKey(id));
		if (!request) {
			return;
		}
		request.words = wordsIn(typeof message === 'string' ? message : JSON.stringify(message), null);
		const isError = (own(message, 'error') ?? null) !== null;
		const isAbout = isNamed || (own(message, 'id') ?? null) === null;
		if ((isError && isAbout) || (isNamed && own(message, 'result') !== undefined)) {
			this.#fail(id, new NotMcp(request.words));
		}
	}

	/**
	 * Fails the request. With older revisions, the SDK would wait forever for a response on a closed stream (A02, fault
	 * 17).
	 */
	#onStreamEnd(id: unknown): void {
		this.#onEnd(id, ({ words }) => (words === undefined ? new ConnectionCut() : new NotMcp(words)));
	}

	/** Nothing more comes for a request. */
	#onEnd(id: unknown, why: (request: OpenRequest) => NoResponse): void {
		this.#delivery = this.#delivery.then(() => {
			const request = this.#open.get(idKey(id));
			if (request) {
				this.#fail(id, why(request));
			}
		});
	}

	/** @param response what was no response, if the server has responded */
	#fail(id: unknown, error: NoResponse, response?: Json): void {
		const { fail } = this.#open.get(idKey(id)) ?? {};
		if (!this.#settle(id, response as JSONRPCMessage | undefined)) {
			return;
		}
		if (fail) {
			fail(error);
		} else {
			this.onmessage?.({ jsonrpc: '2.0', id: id as string, error: { code: INTERNAL_ERROR, message: error.message } });
		}
	}

	#settle(given: unknown, response: JSONRPCMessage | undefined): boolean {
		const id = idKey(given);
		const { call, answersCall = false } = this.#open.get(id) ?? {};
		if (call && answersCall) {
			this.settled(call, response);
		}
		return this.#open.delete(id);
	}
}
