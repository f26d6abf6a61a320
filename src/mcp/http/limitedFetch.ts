import type { FetchLike } from '@modelcontextprotocol/client';
import { MAX_MESSAGE_LENGTH, MessageTooLongError } from '../wire/failure.ts';
import { isEventStream, replaceBody } from './replaceBody.ts';

const LF = 10;
const CR = 13;

/** Looked up on each call, because the editor patches `fetch` to apply the user's proxy and certificates. */
const platformFetch: FetchLike = (url, init) => fetch(url, init);

/**
 * Limits the size of each message, a whole body or one event of a stream (fault 13). Beyond the limit, the body fails
 * and `onTooLong` is called.
 * @param ready resolves when more events may be read; undefined if they may be at once
 */
export function limitedFetch(
	onTooLong: (error: MessageTooLongError) => void,
	inner = platformFetch,
	ready: () => Promise<void> | undefined = () => undefined,
): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		if (response.body) {
			replaceBody(response, response.body.pipeThrough(limit(isEventStream(response), onTooLong, ready)));
		}
		return response;
	};
}

/** @param inEvents whether the body is an event stream, in which an empty line ends a message */
function limit(
	inEvents: boolean,
	onTooLong: (error: MessageTooLongError) => void,
	ready: () => Promise<void> | undefined,
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
		async transform(chunk, controller) {
			if (inEvents) {
				await ready();
				chunk.forEach(count);
			} else {
				length += chunk.length;
			}
			if (length > MAX_MESSAGE_LENGTH) {
				const error = new MessageTooLongError();
				// Called first, because it explains why the body fails.
				onTooLong(error);
				controller.error(error);
				return;
			}
			controller.enqueue(chunk);
		},
	});
}
