import type { FetchLike } from '@modelcontextprotocol/client';

/** The server refuses requests temporarily. Exists because the SDK's errors lack `Retry-After`. */
export class ServerBusyError extends Error {
	constructor(
		readonly status: number,
		/** Requested delay before a retry (s), if any. */
		readonly wait: number | undefined,
	) {
		super(`HTTP status ${status}`);
	}
}

/** True for a status that may be gone on a retry. It says nothing about what the server has. */
export function isPassing(status: number): boolean {
	return status === 408 || status === 429 || status >= 500;
}

/** The `Retry-After` header (s). */
export function retryAfterOf({ headers }: Response): number | undefined {
	const value = headers.get('retry-after')?.trim() ?? '';
	const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

/** Throws a ServerBusyError for 429, and for 503 with `Retry-After`. */
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
