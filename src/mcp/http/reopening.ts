import { setTimeout as pause } from 'node:timers/promises';
import type { AuthProvider } from '@modelcontextprotocol/client';

/** Events of the stream that carries the server's own messages. */
export interface StreamEvents {
	/** The stream is down, or an attempt to reopen it has failed. It is tried again. */
	lost(error: unknown): void;
	/** The stream is open again, and what was sent meanwhile may be missing. */
	found(): void;
	/** The server no longer knows the session. */
	forgotten(): void;
}

/** Delay before the first attempt to reopen a stream, doubled for each further one, up to a maximum (ms). */
const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 60_000;

/** Delay before an attempt, counted from 0 (ms), or the longer one that the server requests. */
export function pauseBefore(attempt: number, wanted = 0): number {
	return Math.min(Math.max(FIRST_PAUSE * 2 ** Math.min(attempt, 10), wanted), MAX_PAUSE);
}

/**
 * Waits for as long (ms), or until the user has signed in. Rejects once the signal aborts.
 * @param refused the token that was refused
 */
export async function waitForSignIn(
	ms: number,
	refused: string | undefined,
	signal: AbortSignal,
	authProvider: AuthProvider | undefined,
): Promise<void> {
	for (let left = ms; left > 0; left -= FIRST_PAUSE) {
		const token = await authProvider?.token().catch(() => undefined);
		if (token !== undefined && token !== refused) {
			return;
		}
		await pause(Math.min(left, FIRST_PAUSE), undefined, { signal });
	}
}
