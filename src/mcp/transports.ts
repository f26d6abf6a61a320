import { setTimeout as pause } from 'node:timers/promises';
import {
	type AuthProvider,
	type FetchLike,
	SSEClientTransport,
	StreamableHTTPClientTransport,
	type Transport,
} from '@modelcontextprotocol/client';
import { type HttpDefinition, type StdioDefinition, socketOf } from '../config/definition.ts';
import { LONGEST_TIMER } from '../elicitation/clock.ts';
import { bearerFetch } from './http/bearerFetch.ts';
import { limitedFetch } from './http/limitedFetch.ts';
import { noTimeoutFetch } from './http/noTimeoutFetch.ts';
import { rawMessageFetch } from './http/rawMessageFetch.ts';
import { ServerStream, type StreamEvents } from './http/serverStream.ts';
import { streamEndFetch } from './http/streamEndFetch.ts';
import { environmentOf } from './process/environment.ts';
import type { Reaper } from './process/reaperClient.ts';
import { type StdioEvents, StdioTransport } from './process/stdioTransport.ts';

/**
 * @param definition as the user consented to it, with the variables of an `envFile` in `env`; the file isn't read again
 * on restarts
 */
export function stdioTransport(definition: StdioDefinition, events: StdioEvents, reaper: Reaper): StdioTransport {
	return new StdioTransport(
		{
			command: definition.command,
			args: definition.args,
			cwd: definition.cwd,
			env: environmentOf(definition.env),
		},
		events,
		reaper,
	);
}

export interface HttpWire extends Transport {
	/** Why the connection was closed, if that was the server's fault. */
	fault?: Error;
	/** Receives the events of the stream that carries the server's own messages. */
	stream?: StreamEvents;
	/** Resolves when more may be read; undefined if it may be at once. */
	ready?: () => Promise<void> | undefined;
}

export function httpTransport(
	definition: HttpDefinition,
	kind: 'http' | 'sse',
	signIn: AuthProvider | undefined,
): HttpWire {
	const socket = socketOf(definition.url);
	const url = new URL(socket ? `http://localhost${socket.path}` : definition.url);
	// Nothing about a socket tells where to sign in.
	const authProvider = socket ? undefined : signIn;
	const options = { requestInit: { headers: { ...definition.headers } }, ...(authProvider && { authProvider }) };
	const tooLong = (error: Error) => {
		transport.fault = error;
		transport.onerror?.(error);
		void transport.close();
	};
	const plain = bearerFetch((target, init) => noTimeoutFetch(target, init, socket?.socketPath));
	const limited = limitedFetch(tooLong, plain, () => transport.ready?.());
	let transport: HttpWire;
	if (kind === 'sse') {
		// Close instead of reconnecting: a new SSE stream is a new session, which the SDK wouldn't initialize.
		const fetch = streamEndFetch(rawMessageFetch({ fetch: limited, authProvider }), () => void transport.close());
		transport = tellingWhy(fetch, (fetch) => new SSEClientTransport(url, { ...options, fetch }));
		return transport;
	}
	const stream = new ServerStream(
		{
			lost: (error) => transport.stream?.lost(error),
			found: () => transport.stream?.found(),
			forgotten: () => transport.stream?.forgotten(),
		},
		limited,
		authProvider,
	);
	transport = endingItsSession(
		new StreamableHTTPClientTransport(url, {
			...options,
			fetch: rawMessageFetch({ fetch: limited, stream, authProvider }),
			reconnectionScheduler: reconnect,
		}),
	);
	return transport;
}

/** Makes `start` reject with the cause, which the SSE transport's errors lack. */
function tellingWhy(fetch: FetchLike, create: (fetch: FetchLike) => HttpWire): HttpWire {
	let cause: unknown;
	const transport = create((url, init) =>
		fetch(url, init).catch((error) => {
			cause = error;
			throw error;
		}),
	);
	const start = transport.start.bind(transport);
	transport.start = () =>
		start().catch((error) => {
			throw cause ?? error;
		});
	return transport;
}

/** Min reconnection delay that the server may choose (ms). */
const MIN_WAIT = 50;

function reconnect(start: () => void, delay: number): () => void {
	const timer = setTimeout(start, Math.min(Math.max(delay, MIN_WAIT), LONGEST_TIMER));
	return () => clearTimeout(timer);
}

/** Max time to wait for the DELETE of a session (ms). */
const TERMINATE_TIMEOUT = 500;

/** Ends the session with a DELETE on close (transports, session management). The SDK leaves that to its callers. */
function endingItsSession(transport: StreamableHTTPClientTransport & HttpWire): HttpWire {
	const close = transport.close.bind(transport);
	transport.close = async () => {
		// Errors while closing don't matter.
		delete transport.onerror;
		if (!transport.fault) {
			const timeout = new AbortController();
			await Promise.race([
				transport.terminateSession().catch(() => {}),
				pause(TERMINATE_TIMEOUT, undefined, { signal: timeout.signal }).catch(() => {}),
			]);
			timeout.abort();
		}
		await close();
	};
	return transport;
}
