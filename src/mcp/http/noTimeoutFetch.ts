import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { localizable } from '../../elicitation/sentence.ts';
import { Reason } from '../wire/failure.ts';

/** TCP keep-alive delay (ms). */
const KEEP_ALIVE = 30_000;

/** Statuses that must not have a body, not even an empty one. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` without a response timeout, because responses may wait for a user (A04). The platform's `fetch` gives up
 * after five minutes, and that can't be changed in the extension host. This one uses `node:http` and `node:https`, which
 * the editor patches to apply the user's proxy and certificates. Redirects are left to the caller.
 * @param socketPath a Unix socket or a named pipe to connect to, instead of the host
 */
export function noTimeoutFetch(target: string | URL, init: RequestInit = {}, socketPath?: string): Promise<Response> {
	const { method = 'GET', body, signal } = init;
	const url = new URL(target);
	const headers = new Headers(init.headers);
	if (!headers.has('user-agent')) {
		headers.set('user-agent', 'mcp-elicitation');
	}
	return new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(signal.reason);
			return;
		}
		if (signal) {
			// All requests of a connection share one signal. That many listeners aren't a leak.
			setMaxListeners(0, signal);
		}
		// Looked up on each call, because the editor patches it at any time.
		const request = (url.protocol === 'https:' ? https : http).request(url, {
			method,
			headers: Object.fromEntries(headers),
			...(signal && { signal }),
			...(socketPath !== undefined && { socketPath }),
		});
		// No connection reuse: a failure of a stale connection looks like a request that was cut.
		request.shouldKeepAlive = false;
		request.setSocketKeepAlive(true, KEEP_ALIVE);
		request.on('response', (incoming) => {
			try {
				resolve(responseOf(incoming));
			} catch (error) {
				incoming.destroy();
				reject(error);
			}
		});
		request.on('error', (error) =>
			reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })),
		);
		// MCP bodies are JSON strings.
		request.end(body as string | undefined);
	});
}

function responseOf(incoming: IncomingMessage): Response {
	const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
	if (status < 200 || status > 599) {
		throw new Reason(
			localizable('The server responded with {0}, which is not an HTTP status.', status),
			localizable('Check "url" in its definition, and look at its log.'),
			['url'],
		);
	}
	const headers = new Headers();
	for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
		headers.append(String(rawHeaders[at]), String(rawHeaders[at + 1]));
	}
	if (BODILESS.has(status)) {
		incoming.resume();
	}
	return new Response(BODILESS.has(status) ? null : bodyOf(incoming), { status, statusText, headers });
}

function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
	let over = false;
	return new ReadableStream<Uint8Array>({
		start(controller) {
			const end = (how: () => void) => {
				if (!over) {
					over = true;
					how();
				}
			};
			incoming.on('data', (chunk: Buffer) => {
				if (over) {
					return;
				}
				controller.enqueue(new Uint8Array(chunk));
				if ((controller.desiredSize ?? 0) <= 0) {
					incoming.pause();
				}
			});
			incoming.on('end', () => end(() => controller.close()));
			incoming.on('error', (error) => end(() => controller.error(new TypeError('terminated', { cause: error }))));
			incoming.on('close', () => end(() => controller.error(new TypeError('terminated'))));
		},
		pull() {
			incoming.resume();
		},
		cancel() {
			over = true;
			incoming.destroy();
		},
	});
}
