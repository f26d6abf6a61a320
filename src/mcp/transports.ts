import { setTimeout as pause } from 'node:timers/promises';
import {
	type AuthProvider,
	type FetchLike,
	SSEClientTransport,
	StreamableHTTPClientTransport,
	type Transport,
} from '@modelcontextprotocol/client';
import type { HttpDefinition, StdioDefinition } from '../config/definition.ts';
import { lastEventIdFetch } from './http/lastEventIdFetch.ts';
import { limitedFetch } from './http/limitedFetch.ts';
import { noTimeoutFetch } from './http/noTimeoutFetch.ts';
import { rawMessageFetch } from './http/rawMessageFetch.ts';
import { serverBusyFetch } from './http/serverBusy.ts';
import { ServerStream, type StreamEvents } from './http/serverStream.ts';
import { streamEndFetch } from './http/streamEndFetch.ts';
import { environmentOf } from './process/environment.ts';
import type { Reaper } from './process/reaperClient.ts';
import { type StdioEvents, StdioTransport } from './process/stdioTransport.ts';

/**
 * @param definition as it was consented to: an `envFile` was read then, its variables are in `env`, and nothing is read again,
 * however often the server is restarted
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

/** A transport over HTTP. */
export interface HttpWire extends Transport {
	/** Why it was ended, when that was the server's fault. */
	fault?: Error;
	/** Told of the stream on which the server speaks by itself. */
	stream?: StreamEvents;
}

export function httpTransport(
	definition: HttpDefinition,
	kind: 'http' | 'sse',
	authProvider: AuthProvider | undefined,
): HttpWire {
	const url = new URL(definition.url);
	const options = { requestInit: { headers: { ...definition.headers } }, ...(authProvider && { authProvider }) };
	const limited = limitedFetch((error) => {
		transport.fault = error;
		transport.onerror?.(error);
		void transport.close();
	}, noTimeoutFetch);
	let transport: HttpWire;
	if (kind === 'sse') {
		// The SDK would open another stream, and with it another session, which has never shaken hands.
		const fetch = streamEndFetch(rawMessageFetch(serverBusyFetch(limited)), () => void transport.close());
		transport = tellingWhy(fetch, (fetch) => new SSEClientTransport(url, { ...options, fetch }));
		return transport;
	}
	const stream = new ServerStream(
		{
			lost: (error) => transport.stream?.lost(error),
			found: () => transport.stream?.found(),
			forgotten: () => transport.stream?.forgotten(),
		},
		lastEventIdFetch(limited),
	);
	transport = endingItsSession(
		new StreamableHTTPClientTransport(url, {
			...options,
			fetch: rawMessageFetch(serverBusyFetch(stream.fetch)),
			reconnectionScheduler: reconnect,
		}),
	);
	stream.watch(transport);
	return transport;
}

/** The errors of the older transport do not tell what caused them: its start fails with the cause. */
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

/** Asks for the rest of a stream after a while that the server may choose, between these (milliseconds). */
const MIN_WAIT = 50;
const MAX_WAIT = 2 ** 31 - 1;

function reconnect(start: () => void, delay: number): () => void {
	const timer = setTimeout(start, Math.min(Math.max(delay, MIN_WAIT), MAX_WAIT));
	return () => clearTimeout(timer);
}

/** How long a server may take to hear that its session is over (milliseconds). */
const TERMINATE_TIMEOUT = 500;

/** A session that is no longer needed is ended with a DELETE (transports, session management), which the SDK leaves to us. */
function endingItsSession(transport: StreamableHTTPClientTransport & HttpWire): HttpWire {
	const close = transport.close.bind(transport);
	transport.close = async () => {
		// Nobody is interested in how the end goes.
		delete transport.onerror;
		if (!transport.fault) {
			const patience = new AbortController();
			await Promise.race([
				transport.terminateSession().catch(() => {}),
				pause(TERMINATE_TIMEOUT, undefined, { signal: patience.signal }).catch(() => {}),
			]);
			patience.abort();
		}
		await close();
	};
	return transport;
}
