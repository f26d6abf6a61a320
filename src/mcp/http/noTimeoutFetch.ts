import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { localizable } from '../../elicitation/sentence.ts';
import { Reason } from '../wire/failure.ts';

/** After this long a silent connection is asked whether the other side still exists (milliseconds). */
const KEEP_ALIVE = 30_000;

/** Answers that may not have a body, not even an empty one. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A fetch for requests whose answer may wait for a user. The platform's own gives up on a server that has said nothing for
 * five minutes, with no way to say otherwise in an editor; a user may well think longer (A04). This one waits as long as the
 * connection stands. It goes through `node:http` and `node:https`, on which the editor puts the user's proxy and
 * certificates. Redirections are left to the caller.
 */
export function noTimeoutFetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
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
			// All requests of a connection share one; that many listeners are no leak.
			setMaxListeners(0, signal);
		}
		// Looked up when it is called: the editor replaces it when it likes.
		const request = (url.protocol === 'https:' ? https : http).request(url, {
			method,
			headers: Object.fromEntries(headers),
			...(signal && { signal }),
		});
		// One connection each: one that was kept may be gone by now, which cannot be told from a request that was cut.
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
		// The protocol's bodies are JSON.
		request.end(body as string | undefined);
	});
}

function responseOf(incoming: IncomingMessage): Response {
	const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
	if (status < 200 || status > 599) {
		throw new Reason(localizable('The server answered with {0}, which is no HTTP status.', status));
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
