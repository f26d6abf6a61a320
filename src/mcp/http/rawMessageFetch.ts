import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type FetchLike, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { idKey, isObject, type Json, own } from '../../elicitation/json.ts';
import { MESSAGES_PER_TURN, readMessage } from '../wire/envelope.ts';
import { wrapRawMessage } from '../wire/rawMessage.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';
import { isSessionUnknown } from './sessionEnd.ts';

/**
 * Wraps each message of a response with `wrapRawMessage`. Only transports accept event streams, so other requests
 * (sign-in) are unaffected.
 */
export function rawMessageFetch(inner: FetchLike): FetchLike {
	const replays = new Replays();
	return async (url, init) => {
		const response = await inner(url, init);
		const forMessages = new Headers(init?.headers).get('accept')?.includes('text/event-stream');
		if (!forMessages) {
			return response;
		}
		if (response.status === 400 || response.status === 404) {
			return refusal(response, messageIn(init?.body));
		}
		if (!response.ok) {
			return response;
		}
		const message = messageIn(init?.body);
		const id = own(message, 'method') === undefined ? undefined : own(message, 'id');
		if (response.status === 202 && id !== undefined) {
			// In a session, some servers send the response on their own stream.
			return isModern(message) ? unanswered(response) : response;
		}
		if (isEventStream(response)) {
			if (response.body) {
				replaceBody(response, response.body.pipeThrough(inEvents(replays.follow(init))));
			}
			return response;
		}
		const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
		return isJson && id !== undefined ? answerTo(id, response) : response;
	};
}

/** The message that is sent. */
function messageIn(body: unknown): Json {
	return typeof body === 'string' ? JSON.parse(body) : null;
}

/** True for a request of 2026-07-28 or later. */
function isModern(message: Json): boolean {
	return own(own(own(message, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined;
}

/**
 * Since 2026-07-28, servers respond to unknown methods with status 404 and a JSON-RPC error (Streamable HTTP, protocol
 * version header), which the SDK would take for a wrong address, as it would an error that doesn't tell the id. The probe
 * is left alone: to it, the status says more.
 */
async function refusal(response: Response, message: Json): Promise<Response> {
	if (!isModern(message) || own(message, 'method') === 'server/discover') {
		return response;
	}
	const text = await response.text();
	const { headers, status } = response;
	const answer = parsed(text);
	const [id, answered] = [own(message, 'id'), own(answer, 'id') ?? null];
	const isNameless = answered === null && !(status === 400 && isSessionUnknown(status, text));
	const error =
		id !== undefined &&
		isObject(answer) &&
		isObject(own(answer, 'error')) &&
		(isNameless || idKey(answered) === idKey(id))
			? { ...answer, id }
			: null;
	// Nothing else would end the request.
	return readMessage(error).kind === 'response'
		? new Response(wrapRawMessage(JSON.stringify(error)), { headers: { 'content-type': 'application/json' } })
		: new Response(text, { status, headers });
}

/**
 * The whole response to a request. If nothing in it belongs to the request, it becomes an event stream that ends: the SDK
 * reports the end of a stream, but would wait forever after anything else.
 */
async function answerTo(id: Json, response: Response): Promise<Response> {
	const text = await response.text();
	const { headers, status } = response;
	const body = parsed(text);
	if (body === undefined) {
		return new Response(text, { status, headers });
	}
	const messages = (Array.isArray(body) ? body : [body]) as readonly Json[];
	if (messages.some((message) => readMessage(message).kind === 'response' && idKey(own(message, 'id')) === idKey(id))) {
		return new Response(wrapRawMessage(text), { status, headers });
	}
	// Servers that could not read the request don't know its id (JSON-RPC 2.0, response object).
	const nameless = messages.find((message) => isObject(own(message, 'error')) && (own(message, 'id') ?? null) === null);
	return isObject(nameless) && own(nameless, 'method') === undefined
		? new Response(wrapRawMessage(JSON.stringify({ ...nameless, id })), { status, headers })
		: asEnded(written({ data: JSON.stringify(body), event: undefined, id: undefined }), headers);
}

function parsed(text: string): Json | undefined {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return undefined;
	}
}

/** For a request that was accepted, but whose response cannot follow. */
async function unanswered(response: Response): Promise<Response> {
	await response.body?.cancel();
	return asEnded('', response.headers);
}

function asEnded(events: string, before: Headers): Response {
	const headers = new Headers(before);
	headers.set('content-type', 'text/event-stream');
	return new Response(events, { headers });
}

/** Max events that are remembered. */
const MAX_EVENTS = 1_000;

/**
 * Recognizes events that a server sends again when a stream is resumed, though it should only send what follows
 * (2025-11-25, resumability). What came after the last event id may have been lost on the way, so it counts as new.
 */
class Replays {
	/** The received events, oldest first: what they are, by id. */
	readonly #events = new Map<string, { readonly order: number; readonly digest: string }>();
	#order = 0;

	/** Tells of each event of a response, in order, whether it was received before. */
	follow(init: RequestInit | undefined): (event: EventSourceMessage) => boolean {
		const from = new Headers(init?.headers).get('last-event-id');
		const last = (from !== null && this.#events.get(from)?.order) || 0;
		return ({ id, data }) => {
			if (!id || data === '') {
				return false;
			}
			const digest = createHash('sha1').update(data).digest('base64');
			const before = this.#events.get(id);
			// Some servers count the events of each stream by itself: their ids alone say little.
			if (before && before.order <= last && before.digest === digest) {
				return true;
			}
			this.#events.delete(id);
			this.#events.set(id, { order: ++this.#order, digest });
			if (this.#events.size > MAX_EVENTS) {
				const [oldest = ''] = this.#events.keys();
				this.#events.delete(oldest);
			}
			return false;
		};
	}
}

/** @param isRepeated whether an event was received before */
function inEvents(isRepeated: (event: EventSourceMessage) => boolean): TransformStream<Uint8Array, Uint8Array> {
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let received = 0;
	const parsed: string[] = [];
	const parser = createParser({
		onEvent: (event) => parsed.push(written(event, isRepeated(event))),
		onRetry: (ms) => parsed.push(`retry: ${ms}\n\n`),
	});
	return new TransformStream({
		async transform(chunk, controller) {
			parser.feed(decoder.decode(chunk, { stream: true }));
			for (const text of parsed.splice(0)) {
				controller.enqueue(encoder.encode(text));
				if (++received % MESSAGES_PER_TURN === 0) {
					await setImmediate();
				}
			}
		},
	});
}

/** Serializes an event. Message data is wrapped. */
function written({ id, event, data }: EventSourceMessage, isRepeated = false): string {
	const isMessage = event === undefined || event === 'message';
	const lines = (isMessage ? wrapRawMessage(data, isRepeated) : data).split('\n').map((line) => `data: ${line}\n`);
	return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
