import { setImmediate } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MESSAGES_PER_TURN } from '../wire/envelope.ts';
import { wrapRawMessage } from '../wire/rawMessage.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';

/**
 * Wraps each message of a response with `wrapRawMessage`. Only transports accept event streams, so other requests
 * (sign-in) are unaffected.
 */
export function rawMessageFetch(inner: FetchLike): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		const forMessages = new Headers(init?.headers).get('accept')?.includes('text/event-stream');
		if (forMessages && response.ok && response.body) {
			if (isEventStream(response)) {
				replaceBody(response, response.body.pipeThrough(inEvents()));
			} else if (response.headers.get('content-type')?.startsWith('application/json')) {
				replaceBody(response, response.body.pipeThrough(asWhole()));
			}
		}
		return response;
	};
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

function asWhole(): TransformStream<Uint8Array, Uint8Array> {
	const decoder = new TextDecoder();
	const parts: string[] = [];
	return new TransformStream({
		transform(chunk) {
			parts.push(decoder.decode(chunk, { stream: true }));
		},
		flush(controller) {
			controller.enqueue(new TextEncoder().encode(wrapRawMessage(parts.join('') + decoder.decode())));
		},
	});
}
