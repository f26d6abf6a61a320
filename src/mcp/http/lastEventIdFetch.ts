import type { FetchLike } from '@modelcontextprotocol/client';
import { isEventStream, replaceBody } from './replaceBody.ts';

/**
 * A stream that is asked for from an event on begins with that event here. The SDK forgets which one it was when the stream is
 * cut again before the next one, and would ask for another stream (fault 17).
 */
export function lastEventIdFetch(inner: FetchLike): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		const last = new Headers(init?.headers).get('last-event-id');
		if (last !== null && response.body && isEventStream(response)) {
			const event = new TextEncoder().encode(`id: ${last}\ndata: \n\n`);
			replaceBody(
				response,
				response.body.pipeThrough(
					new TransformStream({
						start: (controller) => controller.enqueue(event),
					}),
				),
			);
		}
		return response;
	};
}
