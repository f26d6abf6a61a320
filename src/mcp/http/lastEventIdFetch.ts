import type { FetchLike } from '@modelcontextprotocol/client';
import { isEventStream, replaceBody } from './replaceBody.ts';

/**
 * Prepends an event with the `Last-Event-ID` to a resumed stream. The SDK forgets the id if the stream is cut again
 * before its next event, and would open a new stream instead (fault 17).
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
