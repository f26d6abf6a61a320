import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AuthProvider, type FetchLike, UnauthorizedError } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { idKey, isObject, type Json, own } from '../../elicitation/json.ts';
import { parsedJson, unmarkNumbers, writeJson } from '../../elicitation/jsonText.ts';
import { isNamelessError, MESSAGES_PER_TURN, readMessage } from '../wire/envelope.ts';
import { ConnectionCut, NotMcp, wordsIn } from '../wire/failure.ts';
import { wrapRawMessage } from '../wire/rawMessage.ts';
import { boundedText, HttpError, isChallenge, lacksScopes, readRefusal, type Sent, sentIn } from './httpError.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';
import type { ServerStream } from './serverStream.ts';

/** The wire below. */
export interface MessageWire {
	readonly fetch: FetchLike;
	/** Absent over HTTP+SSE, where all responses come on the one stream that there is. */
	readonly stream?: ServerStream;
	readonly authProvider: AuthProvider | undefined;
}

/**
 * Reads what a server responds to a transport: wraps each message with `wrapRawMessage`, and throws an error for what is
 * none. The SDK sees only what it has to act on, such as a status that leads to a sign-in.
 */
export function rawMessageFetch(wire: MessageWire): FetchLike {
	const replays = new Replays();
	return async (url, init = {}) => {
		const sent = sentIn(init, wire.stream === undefined);
		if (init.method !== 'POST') {
			return asked(url, init, sent, wire, replays);
		}
		const { body } = init;
		const exact = typeof body === 'string' ? { ...init, body: unmarkNumbers(body) } : init;
		const response = await renewing(wire, sent)(url, exact);
		return response.ok ? accepted(response, sent, wire, replays) : refused(response, sent, wire, url, init);
	};
}

/** Requests a stream, or the end of the session. */
async function asked(
	url: string | URL,
	init: RequestInit,
	sent: Sent,
	wire: MessageWire,
	replays: Replays,
): Promise<Response> {
	const headers = new Headers(init.headers);
	const { of, last } = placeIn(headers.get('last-event-id'));
	if (last !== undefined) {
		headers.set('last-event-id', last);
	}
	const fetch = init.method === 'GET' ? (wire.stream?.fetch(of !== null) ?? wire.fetch) : wire.fetch;
	const response = await fetch(url, { ...init, headers });
	if (response.ok) {
		return asMessages(response, { of, last, isRepeated: replays.follow(of, last) });
	}
	// That there is no such stream is no error.
	return response.status === 405 ? response : refused(response, sent, wire, url, init);
}

/** Reads what comes back for a message that the server has accepted. */
async function accepted(
	response: Response,
	{ id, isModern, isProbe }: Sent,
	{ stream }: MessageWire,
	replays: Replays,
): Promise<Response> {
	const { status, headers } = response;
	const type = headers.get('content-type');
	if (id === undefined || !stream) {
		return taken(response);
	}
	if (status !== 202 && isEventStream(response)) {
		return asMessages(response, { of: id, isRepeated: replays.follow(id) });
	}
	const text = status !== 202 ? await wholeText(response) : isEventStream(response) ? '' : await boundedText(response);
	// In a session, some servers send the response on their own stream.
	if (status === 202 && !isModern && (await stream.isOpen)) {
		return empty(response);
	}
	if (status === 202 && isProbe) {
		return withMessages(response, wrapRawMessage('[]', { of: id, isAll: true }));
	}
	if (status === 202 || parsedJson(text) === undefined) {
		const isPage = text.trim() !== '' && type?.startsWith('application/json') !== true;
		throw new NotMcp(wordsIn(text, type), isPage ? type?.split(';')[0] : undefined);
	}
	return withMessages(response, wrapRawMessage(text, { of: id, isAll: true }));
}

/** Needs no messages from a response, but throws what the server says against what was sent. */
async function taken(response: Response): Promise<Response> {
	const type = response.headers.get('content-type');
	if (type?.startsWith('application/json') !== true) {
		await response.body?.cancel().catch(() => {});
		return empty(response);
	}
	const text = await boundedText(response);
	if ((own(parsedJson(text), 'error') ?? null) !== null) {
		throw new HttpError(response.status, { words: wordsIn(text, type) });
	}
	return empty(response);
}

function empty({ status, headers }: Response): Response {
	return new Response(null, { status, headers });
}

async function wholeText(response: Response): Promise<string> {
	try {
		return await response.text();
	} catch (error) {
		throw new ConnectionCut({ cause: error });
	}
}

function withMessages({ headers: before }: Response, text: string): Response {
	const headers = new Headers(before);
	headers.set('content-type', 'application/json');
	return new Response(text, { headers });
}

async function refused(
	response: Response,
	sent: Sent,
	{ authProvider }: MessageWire,
	url: string | URL,
	init: RequestInit,
): Promise<Response> {
	const { status, statusText, headers } = response;
	const to = redirectOf(url, response);
	if (to !== undefined) {
		if (isFollowed(new URL(url), to, status, init.method)) {
			return response;
		}
		throw new HttpError(status, { redirect: shownRedirect(new URL(url), to) });
	}
	const { error, text, body } = await readRefusal(response, sent);
	// To the probe, the status says more. A sign-in is up to the SDK, too.
	const isForProbe = sent.isProbe && status < 500 && status !== 429 && status !== 401;
	const isForSignIn = status === 401 && authProvider && !error.refusal.endsSession;
	if (isForProbe || isForSignIn || lacksScopes(response)) {
		return new Response(text, { status, statusText, headers });
	}
	const answer =
		sent.isModern && !error.refusal.isOlder && (status === 400 || status === 404)
			? errorIn(body, sent.id ?? null)
			: undefined;
	if (answer) {
		return withMessages(response, wrapRawMessage(writeJson(answer)));
	}
	throw error;
}

/**
 * The error in a refusal of a request. Since 2026-07-28, servers respond to unknown methods with status 404 and a JSON-RPC
 * error (Streamable HTTP, protocol version header), which the SDK would take for a wrong address, as it would an error
 * that doesn't tell the id.
 */
function errorIn(answer: Json | undefined, id: Json): Json | undefined {
	const isMeant = isNamelessError(answer) || idKey(own(answer, 'id')) === idKey(id);
	const error = isObject(answer) && isObject(own(answer, 'error')) && isMeant ? { ...answer, id } : null;
	return readMessage(error).kind === 'response' ? error : undefined;
}

/**
 * Renews the token where a session gets status 401 without a challenge. The SDK would take it for the beginning of a
 * sign-in, but what has ended may be the session.
 */
function renewing({ fetch, authProvider }: MessageWire, { inSession }: Sent): FetchLike {
	return async (url, init = {}) => {
		const response = await fetch(url, init);
		const headers = new Headers(init.headers);
		const isDoubtful = response.status === 401 && inSession && !isChallenge(response);
		if (!isDoubtful || !authProvider?.onUnauthorized || !headers.has('authorization')) {
			return response;
		}
		try {
			await authProvider.onUnauthorized({ response, serverUrl: new URL(url), fetchFn: fetch });
		} catch (error) {
			if (error instanceof UnauthorizedError) {
				return response;
			}
			throw error;
		}
		headers.set('authorization', `Bearer ${await authProvider.token()}`);
		await response.body?.cancel().catch(() => {});
		return fetch(url, { ...init, headers });
	};
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function redirectOf(url: string | URL, { status, headers }: Response): URL | undefined {
	const location = headers.get('location');
	return REDIRECTS.has(status) && location && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** True if the SDK follows a redirect: within the origin, with the same method. */
function isFollowed(from: URL, to: URL, status: number, method: string | undefined): boolean {
	const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
	const isWithin = from.origin === to.origin || (isUpgrade && !from.port && !to.port);
	return (
		isWithin && (method === 'GET' || status >= 307) && to.username === from.username && to.password === from.password
	);
}

/** Where a redirect leads, without what may be secret in it; never from TLS to none. */
function shownRedirect(from: URL, to: URL): string {
	const shown = new URL(to.pathname, to);
	shown.username = '';
	shown.password = '';
	shown.protocol = from.protocol === 'https:' && to.protocol === 'http:' ? 'https:' : to.protocol;
	return shown.href;
}

/**
 * The place of an event: the id of the request to whose stream it belongs, null for the server's own, and its id there.
 * The SDK gets both as one id, because servers may use the same ids in several streams.
 */
function placeIn(id: string | null): { readonly of: Json; readonly last: string | undefined } {
	const at = id?.indexOf(' ') ?? -1;
	return id === null || at < 0
		? { of: null, last: id ?? undefined }
		: { of: JSON.parse(id.slice(0, at)) as Json, last: id.slice(at + 1) };
}

/** Key of an event: the SDK gets it as the id. */
const keyOf = (of: Json, id: string) => `${JSON.stringify(of)} ${id}`;

const digestOf = (text: string) => createHash('sha1').update(text).digest('base64');

/** Max events that are remembered. */
const MAX_EVENTS = 1_000;

/**
 * Recognizes events that a server sends again when a stream is resumed, though it should only send what follows
 * (2025-11-25, resumability). What came after the last event id may have been lost on the way, so it counts as new.
 */
class Replays {
	/** The received events, oldest first: digests of what they are, by those of their keys. Both may be long. */
	readonly #events = new Map<string, { readonly order: number; readonly digest: string }>();
	#order = 0;

	/**
	 * Tells of each event of a response, in order, whether it was received before.
	 * @param from the event after which the stream was resumed
	 */
	follow(of: Json, from?: string): (event: EventSourceMessage) => boolean {
		const last = (from !== undefined && this.#events.get(digestOf(keyOf(of, from)))?.order) || 0;
		return ({ id, data }) => {
			if (!id || data === '') {
				return false;
			}
			const key = digestOf(keyOf(of, id));
			const digest = digestOf(data);
			const before = this.#events.get(key);
			if (before && before.order <= last && before.digest === digest) {
				return true;
			}
			this.#events.delete(key);
			this.#events.set(key, { order: ++this.#order, digest });
			if (this.#events.size > MAX_EVENTS) {
				const [oldest = ''] = this.#events.keys();
				this.#events.delete(oldest);
			}
			return false;
		};
	}
}

/** A stream of events. */
interface EventSource {
	/** The id of the request whose stream it is, null for the server's own. */
	readonly of: Json;
	/**
	 * The event after which it was resumed. The SDK forgets it if the stream is cut again before its next event, and would
	 * open a new stream instead (fault 17).
	 */
	readonly last?: string | undefined;
	/** Whether an event was received before. */
	isRepeated(event: EventSourceMessage): boolean;
}

/** Wraps the messages in an event stream. */
function asMessages(response: Response, source: EventSource): Response {
	if (response.body && isEventStream(response)) {
		replaceBody(response, response.body.pipeThrough(inEvents(source)));
	}
	return response;
}

function inEvents({ of, last, isRepeated }: EventSource): TransformStream<Uint8Array, Uint8Array> {
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let received = 0;
	const read: string[] = [];
	const parser = createParser({
		onEvent: (event) => read.push(written(event, of, isRepeated(event))),
		onRetry: (ms) => read.push(`retry: ${ms}\n\n`),
	});
	return new TransformStream({
		start: (controller) =>
			last === undefined
				? undefined
				: controller.enqueue(encoder.encode(written({ id: last, event: undefined, data: '' }, of))),
		async transform(chunk, controller) {
			parser.feed(decoder.decode(chunk, { stream: true }));
			for (const text of read.splice(0)) {
				controller.enqueue(encoder.encode(text));
				if (++received % MESSAGES_PER_TURN === 0) {
					await setImmediate();
				}
			}
		},
	});
}

/** Serializes an event. Message data is wrapped, and so is an error on the stream of a request. */
function written({ id, event, data }: EventSourceMessage, of: Json, isRepeated = false): string {
	const isError = event === 'error' && of !== null;
	const isMessage = event === undefined || event === 'message' || isError;
	const lines = (
		isMessage ? wrapRawMessage(data, { ...(of !== null && { of }), ...(isRepeated && { isRepeated }) }) : data
	).split('\n');
	return [
		id === undefined ? '' : `id: ${id === '' ? '' : keyOf(of, id)}\n`,
		event === undefined || isError ? '' : `event: ${event}\n`,
		...lines.map((line) => `data: ${line}\n`),
		'\n',
	].join('');
}
