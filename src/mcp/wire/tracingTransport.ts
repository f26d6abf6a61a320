import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { passed } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import { isObject, type Json, own } from '../../elicitation/json.ts';
import type { Direction } from '../../trace/log.ts';
import { STREAM_CUT } from './failure.ts';
import { isTooDeep, truncateDepth, withoutTruncatedResult } from './nesting.ts';
import { unwrapRawMessage } from './rawMessage.ts';
import type { SdkShim, ShimResult } from './sdkShim.ts';

/**
 * The call in whose course code runs. It follows a request into the transport and, over HTTP, back out of the response's
 * own stream: there the protocol does tell which call a server's request belongs to.
 */
export const callContext = new AsyncLocalStorage<Call>();

/** How long a response waits for a server to take note that a call was cancelled (milliseconds). */
const CANCEL_TIMEOUT = 2_000;

/**
 * How long the stream of a cancelled call is still heard (milliseconds): what the server asked before it knew is to get its
 * response. A server that was told may never end the stream by itself.
 */
const CANCELLED_STREAM_GRACE = 2_000;

/** Sends a response, again if need be; `id` is that of the request that it alone answers. */
export type Deliver = (id: unknown, send: () => Promise<void>) => Promise<void>;

/** The requests that calls consist of. */
const CALLS: ReadonlySet<unknown> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export type RecordMessage = (direction: Direction, message: JSONRPCMessage, call: Call | undefined) => void;

interface OpenRequest {
	/** The call that it belongs to. */
	readonly call: Call | undefined;
	/** Ends the stream on which it would be answered. */
	readonly stream: AbortController;
}

/** A transport that lets every message be seen in both directions as it crosses the wire, and mends what the SDK gets of it. */
export class TracingTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: NonNullable<Transport['onmessage']>;
	readonly hasPerRequestStream?: boolean;
	/** The handing over of what has come. */
	#delivery: Promise<void> = Promise.resolve();
	/** Notices of cancelled calls that are on their way: what answers questions of those calls comes after them (D03). */
	#cancelling: Promise<unknown> = Promise.resolve();
	readonly #closed = new AbortController();
	/** Requests of ours that have no answer yet. */
	readonly #open = new Map<unknown, OpenRequest>();

	/** @param settled told when a request of a call has got its response, or (undefined) will never get one because its stream has ended */
	constructor(
		private readonly inner: Transport,
		private readonly record: RecordMessage,
		private readonly sdkShim: SdkShim,
		private readonly settled: (call: Call, response: JSONRPCMessage | undefined) => void,
		private readonly deliver: Deliver,
	) {
		if (inner.hasPerRequestStream !== undefined) {
			this.hasPerRequestStream = inner.hasPerRequestStream;
		}
		if ('pid' in inner) {
			// The SDK recognises a pipe to a process by these two, and probes it differently from HTTP.
			Object.defineProperties(this, { pid: { get: () => inner.pid }, stderr: { value: null } });
		}
		// Of every call that was cancelled a moment ago.
		setMaxListeners(0, this.#closed.signal);
		inner.onclose = () => {
			this.#closed.abort();
			this.onclose?.();
		};
		inner.onerror = (error) => this.onerror?.(error);
		inner.onmessage = (message, extra) => {
			const raw = unwrapRawMessage(message);
			if (!Array.isArray(raw)) {
				this.#receive(raw, false, extra);
				return;
			}
			// Answered one by one (2025-03-26 demands no more): a user need not hold up the rest of the batch.
			for (const each of raw as readonly Json[]) {
				this.#receive(each, true, extra);
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
		if (!this.sdkShim.sent(message)) {
			return Promise.resolve();
		}
		// What else is sent in the course of a call (asking for lists that have changed, say) is not the call's own.
		if (!CALLS.has(own(message, 'method'))) {
			return callContext.exit(() => this.#send(message, options));
		}
		return this.#send(message, options);
	}

	#send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const call = callContext.getStore();
		this.record('sent', message, call);
		const id = own(message, 'id');
		if (own(message, 'method') === 'notifications/cancelled') {
			return this.#cancel(message, options);
		}
		if (own(message, 'method') === undefined) {
			return this.deliver(id, () => this.#respond(message, options));
		}
		if (id === undefined) {
			return this.inner.send(message, options);
		}
		const stream = new AbortController();
		this.#open.set(id, { call, stream });
		if (!this.hasPerRequestStream) {
			return this.inner.send(message, options);
		}
		return this.inner.send(message, {
			...options,
			requestSignal: options?.requestSignal ?? stream.signal,
			// Where the SDK itself watches the end of the stream (subscriptions), it is not waiting for an answer.
			onRequestStreamEnd: options?.onRequestStreamEnd ?? (() => this.#onStreamEnd(id as string | number)),
		});
	}

	/** Nobody waits for that answer any more. */
	#cancel(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const id = own(own(message, 'params'), 'requestId');
		const stream = this.#open.get(id)?.stream;
		this.#open.delete(id);
		const taken = new AbortController();
		const before = this.#cancelling;
		this.#cancelling = passed(CANCEL_TIMEOUT, taken.signal).then(() => before);
		return this.inner.send(message, options).finally(() => {
			taken.abort();
			void passed(CANCELLED_STREAM_GRACE, this.#closed.signal).then(() => stream?.abort());
		});
	}

	async #respond(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		await this.#cancelling;
		await this.inner.send(message, options);
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

	#receive(raw: Json, batched: boolean, extra?: MessageExtraInfo): void {
		const isDeep = isTooDeep(raw);
		const message = isDeep ? truncateDepth(raw) : raw;
		if (isObject(message)) {
			this.record('received', message as unknown as JSONRPCMessage, callContext.getStore());
		}
		this.#deliver(isDeep ? withoutTruncatedResult(message) : message, batched, extra);
	}

	/**
	 * One after the other: the SDK handles notifications a moment later than responses, and would lose the progress that came
	 * in one piece with the result.
	 */
	#deliver(message: Json, batched: boolean, extra?: MessageExtraInfo): void {
		this.#delivery = this.#delivery.then(() => {
			try {
				const passage = this.sdkShim.received(message, batched);
				if (!('pass' in passage)) {
					this.#withhold(passage);
					return;
				}
				if (own(message, 'method') === undefined) {
					this.#settle(own(message, 'id'), message as unknown as JSONRPCMessage);
				}
				this.onmessage?.(passage.pass, extra);
			} catch (error) {
				this.onerror?.(error instanceof Error ? error : new Error(String(error)));
			}
		});
	}

	/** The SDK gets to see nothing of it. */
	#withhold(passage: Exclude<ShimResult, { pass: unknown }>): void {
		if ('ignored' in passage) {
			this.onerror?.(new Error(passage.ignored));
			return;
		}
		this.onerror?.(new Error(passage.reason));
		const { reply } = passage;
		this.record('sent', reply, callContext.getStore());
		this.deliver(undefined, () => this.#respond(reply)).catch((error) => this.onerror?.(error));
	}

	/** The SDK waits for ever for the answer that a closed stream of an older revision owes (A02, fault 17). */
	#onStreamEnd(id: string | number): void {
		this.#delivery = this.#delivery.then(() => {
			if (this.#settle(id, undefined)) {
				const error = { code: STREAM_CUT, message: 'The connection was cut before the server had answered.' };
				this.onmessage?.({ jsonrpc: '2.0', id, error });
			}
		});
	}

	#settle(id: unknown, response: JSONRPCMessage | undefined): boolean {
		const call = this.#open.get(id)?.call;
		if (call) {
			this.settled(call, response);
		}
		return this.#open.delete(id);
	}
}
