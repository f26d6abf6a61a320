import { setTimeout as pause } from 'node:timers/promises';
import {
	type AuthProvider,
	extractWWWAuthenticateParams,
	type FetchLike,
	InsufficientScopeError,
	UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type HttpError, isPassing, lacksScopes, readRefusal, retryAfterOf, sentIn } from './httpError.ts';

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

/** Max attempts to resume the stream of a request while the server is unreachable. After that, its call fails. */
const MAX_RESUMPTIONS = 5;

/** Statuses, besides those that may pass, after which a stream that was open before is reopened. */
const TRANSIENT = new Set([400, 401, 404]);

/** Delay before an attempt, counted from 0 (ms), or the longer one that the server requests. */
export function pauseBefore(attempt: number, wanted = 0): number {
	return Math.min(Math.max(FIRST_PAUSE * 2 ** Math.min(attempt, 10), wanted), MAX_PAUSE);
}

/**
 * Waits for as long (ms), or until the user has signed in.
 * @param refused the token that was refused
 */
export async function waitForSignIn(
	ms: number,
	refused: string | undefined,
	init: Pick<RequestInit, 'signal'>,
	authProvider: AuthProvider | undefined,
): Promise<void> {
	for (let left = ms; left > 0; left -= FIRST_PAUSE) {
		const token = await authProvider?.token().catch(() => undefined);
		if (token !== undefined && token !== refused) {
			return;
		}
		await wait(Math.min(left, FIRST_PAUSE), init);
	}
}

/**
 * Keeps the GET streams of a session open (2025-11-25, listening for messages from the server; resumability). The SDK
 * gives up if the server is unreachable. The server's own stream is retried until the session ends, that of a request a
 * few times.
 */
export class ServerStream {
	#wasOpen = false;
	#isLost = false;
	#opening = Promise.resolve(false);
	/** When it was last told that the stream is open again. */
	#found = Number.NEGATIVE_INFINITY;
	/** The last token that was renewed for the server's own stream. */
	#renewed: string | undefined;

	constructor(
		private readonly tell: StreamEvents,
		private readonly inner: FetchLike,
		private readonly authProvider?: AuthProvider,
	) {}

	/** Whether the server's own stream is open, or will be for all that is known. */
	get isOpen(): Promise<boolean> {
		return this.#opening;
	}

	/** @param isOfRequest whether the stream of a request is resumed */
	fetch(isOfRequest: boolean): FetchLike {
		return (url, init = {}) => {
			if (isOfRequest) {
				return this.#ofRequest(url, init);
			}
			const opening = this.#own(url, init);
			this.#opening = opening.then(
				({ ok }) => ok,
				() => false,
			);
			return opening;
		};
	}

	async #ofRequest(url: string | URL, init: RequestInit): Promise<Response> {
		for (let attempt = 0; ; attempt++) {
			let requested = 0;
			try {
				const response = await this.inner(url, init);
				if (!mayPass(response.status)) {
					return response;
				}
				await response.body?.cancel().catch(() => {});
				if (attempt >= MAX_RESUMPTIONS) {
					return stop();
				}
				requested = retryAfterOf(response) ?? 0;
			} catch (error) {
				if (attempt >= MAX_RESUMPTIONS || init.signal?.aborted) {
					throw error;
				}
			}
			await wait(pauseBefore(attempt, requested * 1000), init);
		}
	}

	/** A server that never opened such a stream may refuse it with any status, unless it opens it for more scopes. */
	async #own(url: string | URL, init: RequestInit): Promise<Response> {
		for (let attempt = 0; ; attempt++) {
			let token: string | undefined;
			let response: Response;
			try {
				// The user may have signed in since the SDK began the request.
				token = await this.authProvider?.token();
				response = await this.inner(url, token === undefined ? init : authorized(init, token));
			} catch (error) {
				if (!this.#wasOpen || init.signal?.aborted) {
					throw error;
				}
				this.#lose(error);
				await wait(pauseBefore(attempt), init);
				continue;
			}
			const scopes = this.authProvider && insufficientScope(response);
			if (response.ok || (!this.#wasOpen && !scopes)) {
				this.#find(response.ok, new Headers(init.headers).has('last-event-id'));
				return response;
			}
			if (!scopes && !TRANSIENT.has(response.status) && !mayPass(response.status)) {
				return response;
			}
			const { error } = await readRefusal(response, sentIn(init, false));
			const refusal = response.status === 401 ? await this.#renew(url, response, error) : (scopes ?? error);
			if (refusal === undefined) {
				continue;
			}
			if (error.refusal.endsSession) {
				this.tell.forgotten();
				return stop();
			}
			this.#lose(refusal);
			const ms = pauseBefore(attempt, (error.refusal.retryAfter ?? 0) * 1000);
			await waitForSignIn(ms, token, init, this.authProvider);
		}
	}

	/**
	 * Renews the token that a stream was refused with, as the SDK does, which would give up if that isn't possible. Resolves
	 * to the reason then.
	 */
	async #renew(url: string | URL, response: Response, refusal: HttpError): Promise<unknown> {
		const { authProvider, inner: fetchFn } = this;
		if (!authProvider?.onUnauthorized) {
			return refusal;
		}
		const token = await authProvider.token();
		if (token !== undefined && token === this.#renewed) {
			return new UnauthorizedError('The server refuses a token that was just renewed.');
		}
		try {
			await authProvider.onUnauthorized({ response, serverUrl: new URL(url), fetchFn });
			this.#renewed = await authProvider.token();
			return undefined;
		} catch (error) {
			return error;
		}
	}

	#lose(error: unknown): void {
		this.#isLost = true;
		this.tell.lost(error);
	}

	/**
	 * @param resumes whether the server sends what was missed. Other streams may be cut again and again: that is told at
	 * most once a minute.
	 */
	#find(isOpen: boolean, resumes: boolean): void {
		const isAgain = this.#wasOpen && !resumes && performance.now() - this.#found >= MAX_PAUSE;
		this.#wasOpen ||= isOpen;
		if (this.#isLost || isAgain) {
			this.#isLost = false;
			this.#found = performance.now();
			this.tell.found();
		}
	}
}

function authorized(init: RequestInit, token: string): RequestInit {
	const headers = new Headers(init.headers);
	headers.set('authorization', `Bearer ${token}`);
	return { ...init, headers };
}

/** The scopes that a token lacks, as an error of the SDK. */
function insufficientScope(response: Response): InsufficientScopeError | undefined {
	const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
	return lacksScopes(response)
		? new InsufficientScopeError({
				...(scope !== undefined && { requiredScope: scope }),
				...(resourceMetadataUrl && { resourceMetadataUrl }),
			})
		: undefined;
}

/** A response that makes the SDK stop. */
function stop(): Response {
	return new Response(null, { status: 405 });
}

/** True also for what a proxy has for a stream that it takes to be open still. */
function mayPass(status: number): boolean {
	return isPassing(status) || status === 409 || status === 425;
}

function wait(ms: number, { signal }: Pick<RequestInit, 'signal'>): Promise<void> {
	return pause(ms, undefined, signal ? { signal } : {});
}
