import { setImmediate } from 'node:timers/promises';
import { type FetchLike, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseJson, unmarkNumbers, writeJson } from '../../elicitation/exactJson.ts';
import { isObject, type Json, own } from '../../elicitation/json.ts';
import { MESSAGES_PER_TURN, readMessage } from '../wire/envelope.ts';
import { wrapRawMessage } from '../wire/rawMessage.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';
import { isSessionUnknown } from './sessionEnd.ts';

/**
 * Wraps each message of a response with `wrapRawMessage`. Only transports accept event streams, so other requests
 * (sign-in) are unaffected.
 */
export function rawMessageFetch(inner: FetchLike): FetchLike {
	return async (url, init) => {
		const { body } = init ?? {};
		const response = await inner(url, typeof body === 'string' ? { ...init, body: unmarkNumbers(body) } : init);
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
				replaceBody(response, response.body.pipeThrough(inEvents()));
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
		id !== undefined && isObject(answer) && isObject(own(answer, 'error')) && (isNameless || isSame(answered, id))
			? { ...answer, id }
			: null;
	// Nothing else would end the request.
	return readMessage(error).kind === 'response'
		? new Response(wrapRawMessage(writeJson(error)), { headers: { 'content-type': 'application/json' } })
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
	if (messages.some((message) => readMessage(message).kind === 'response' && isSame(own(message, 'id'), id))) {
		return new Response(wrapRawMessage(text), { status, headers });
	}
	// Servers that could not read the request don't know its id (JSON-RPC 2.0, response object).
	const nameless = messages.find((message) => isObject(own(message, 'error')) && (own(message, 'id') ?? null) === null);
	return isObject(nameless) && own(nameless, 'method') === undefined
		? new Response(wrapRawMessage(writeJson({ ...nameless, id })), { status, headers })
		: asEnded(written({ data: writeJson(body), event: undefined, id: undefined }), headers);
}

function parsed(text: string): Json | undefined {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

/** Some servers return the number as a string, which the SDK accepts. */
function isSame(id: Json | undefined, sent: Json): boolean {
	return id === sent || (typeof id === 'string' && Number(id) === sent);
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

function inEvents(): TransformStream<Uint8Array, Uint8Array> {
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let received = 0;
	const parsed: string[] = [];
	const parser = createParser({
		onEvent: (event) => parsed.push(written(event)),
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
function written({ id, event, data }: EventSourceMessage): string {
	const isMessage = event === undefined || event === 'message';
	const lines = (isMessage ? wrapRawMessage(data) : data).split('\n').map((line) => `data: ${line}\n`);
	return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}
