import type { FetchLike } from '@modelcontextprotocol/client';
import { MAX_MESSAGE_LENGTH, MessageTooLongError } from '../wire/failure.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';

const LF = 10;
const CR = 13;

/** The editor replaces it when it likes, to put the user's proxy and certificates to use. */
const platformFetch: FetchLike = (url, init) => fetch(url, init);

/**
 * A fetch for a server that may send without an end (fault 13): every message, be it a whole body or one event of a stream, has
 * a limit, beyond which the body fails and `onTooLong` is told.
 */
export function limitedFetch(onTooLong: (error: MessageTooLongError) => void, inner = platformFetch): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		if (response.body) {
			replaceBody(response, response.body.pipeThrough(limit(isEventStream(response), onTooLong)));
		}
		return response;
	};
}

/** @param inEvents an empty line ends a message (server-sent events) */
function limit(
	inEvents: boolean,
	onTooLong: (error: MessageTooLongError) => void,
): TransformStream<Uint8Array, Uint8Array> {
	let length = 0;
	let empty = true;
	let last = 0;
	const count = (byte: number) => {
		length++;
		if (byte === CR || (byte === LF && last !== CR)) {
			length = empty ? 0 : length;
			empty = true;
		} else if (byte !== LF) {
			empty = false;
		}
		last = byte;
	};
	return new TransformStream({
		transform(chunk, controller) {
			if (inEvents) {
				chunk.forEach(count);
			} else {
				length += chunk.length;
			}
			if (length > MAX_MESSAGE_LENGTH) {
				const error = new MessageTooLongError();
				// First the end, which explains why the body fails.
				onTooLong(error);
				controller.error(error);
				return;
			}
			controller.enqueue(chunk);
		},
	});
}
