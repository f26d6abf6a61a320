import type { FetchLike } from '@modelcontextprotocol/client';

/** A server that takes no more requests for a while. The SDK's errors do not tell for how long. */
export class ServerBusyError extends Error {
	constructor(
		/** The HTTP status. */
		readonly status: number,
		/** After how many seconds it may be asked again, where it tells. */
		readonly wait: number | undefined,
	) {
		super(`HTTP status ${status}`);
	}
}

/** What a server asks in "Retry-After", in seconds. */
export function retryAfterOf({ headers }: Response): number | undefined {
	const value = headers.get('retry-after')?.trim() ?? '';
	const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

/** Fails with Busy where the server says that it is. */
export function serverBusyFetch(inner: FetchLike): FetchLike {
	return async (url, init) => {
		const response = await inner(url, init);
		const wait = retryAfterOf(response);
		if (response.status === 429 || (response.status === 503 && wait !== undefined)) {
			await response.text().catch(() => {});
			throw new ServerBusyError(response.status, wait);
		}
		return response;
	};
}
