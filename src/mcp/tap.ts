import { AsyncLocalStorage } from 'node:async_hooks';
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Call } from '../elicitation/call.ts';
import type { Direction } from '../trace/log.ts';

/**
 * The call in whose course code runs. It follows a request into the transport and, over HTTP, back out of the response's
 * own stream: there the protocol does tell which call a server's request belongs to.
 */
export const callContext = new AsyncLocalStorage<Call>();

export type Record = (direction: Direction, message: JSONRPCMessage, call: Call | undefined) => void;

/** A transport that lets every message be seen in both directions, and changes none. */
export class Tap implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: NonNullable<Transport['onmessage']>;
	readonly hasPerRequestStream?: boolean;

	constructor(
		private readonly inner: Transport,
		private readonly record: Record,
	) {
		if (inner.hasPerRequestStream !== undefined) {
			this.hasPerRequestStream = inner.hasPerRequestStream;
		}
		if ('pid' in inner) {
			// The SDK recognises a pipe to a process by these two, and probes it differently from HTTP.
			Object.defineProperties(this, { pid: { get: () => inner.pid }, stderr: { value: null } });
		}
		inner.onclose = () => this.onclose?.();
		inner.onerror = (error) => this.onerror?.(error);
		inner.onmessage = (message, extra) => {
			this.record('received', message, callContext.getStore());
			this.onmessage?.(message, extra);
		};
	}

	get sessionId(): string | undefined {
		return this.inner.sessionId;
	}

	start(): Promise<void> {
		return callContext.exit(() => this.inner.start());
	}

	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		this.record('sent', message, callContext.getStore());
		return this.inner.send(message, options);
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
}
