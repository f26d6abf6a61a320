import type { FetchLike } from '@modelcontextprotocol/client';
import { isEventStream, replaceBody } from './replaceBody.ts';

/** Calls `tell` when an event stream ends or fails, unless the caller cancelled it. */
export function streamEndFetch(inner: FetchLike, tell: () => void): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		if (!response.body || !isEventStream(response)) {
			return response;
		}
		const reader = response.body.getReader();
		const end = () => {
			if (!init?.signal?.aborted) {
				tell();
			}
		};
		replaceBody(
			response,
			new ReadableStream({
				async pull(controller) {
					try {
						const { done, value } = await reader.read();
						if (!done) {
							controller.enqueue(value);
							return;
						}
						controller.close();
					} catch (error) {
						controller.error(error);
					}
					end();
				},
				cancel: (reason) => reader.cancel(reason),
			}),
		);
		return response;
	};
}
