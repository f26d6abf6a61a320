import { setTimeout as pause } from 'node:timers/promises';
import {
	type AuthProvider,
	extractWWWAuthenticateParams,
	type FetchLike,
	InsufficientScopeError,
	type Transport,
	UnauthorizedError,
} from '@modelcontextprotocol/client';
import { own } from '../../elicitation/json.ts';
import { isPassing, retryAfterOf } from './serverBusy.ts';
import { isSessionUnknown } from './sessionEnd.ts';

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

/** Max requests whose last event is remembered. */
const MAX_REQUESTS = 1_000;

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
	/** The last event id of each request's stream. */
	readonly #events = new Map<unknown, string>();
	#wasOpen = false;
	#isLost = false;
	/** When it was last told that the stream is open again. */
	#found = Number.NEGATIVE_INFINITY;
	/** The last token that was renewed for the server's own stream. */
	#renewed: string | undefined;

	constructor(
		private readonly tell: StreamEvents,
		private readonly inner: FetchLike,
		private readonly authProvider?: AuthProvider,
	) {}

	/** Records which events belong to requests. */
	watch(transport: Transport): void {
		const send = transport.send.bind(transport);
		transport.send = (message, options) => {
			const id = own(message, 'id');
			if (id === undefined) {
				return send(message, options);
			}
			const onresumptiontoken = (token: string) => {
				this.#note(id, token);
				options?.onresumptiontoken?.(token);
			};
			return send(message, { ...options, onresumptiontoken });
		};
	}

	readonly fetch: FetchLike = (url, init) => {
		if (init?.method !== 'GET') {
			return this.inner(url, init);
		}
		const from = new Headers(init.headers).get('last-event-id');
		return from !== null && [...this.#events.values()].includes(from)
			? this.#ofRequest(url, init)
			: this.#own(url, init);
	};

	#note(request: unknown, event: string): void {
		this.#events.delete(request);
		this.#events.set(request, event);
		for (const oldest of this.#events.keys()) {
			if (this.#events.size <= MAX_REQUESTS) {
				return;
			}
			this.#events.delete(oldest);
		}
	}

	async #ofRequest(url: string | URL, init: RequestInit): Promise<Response> {
		for (let attempt = 0; ; attempt++) {
			let requested = 0;
			try {
				const response = await this.inner(url, init);
				if (!mayPass(response.status)) {
					return response;
				}
				await response.text().catch(() => '');
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
			const refusal = response.status === 401 ? await this.#renew(url, response) : (scopes ?? statusError(response));
			const text = await response.text().catch(() => '');
			if (refusal === undefined) {
				continue;
			}
			if (new Headers(init.headers).has('mcp-session-id') && isSessionUnknown(response.status, text)) {
				this.tell.forgotten();
				return stop();
			}
			this.#lose(refusal);
			const ms = pauseBefore(attempt, (retryAfterOf(response) ?? 0) * 1000);
			await waitForSignIn(ms, token, init, this.authProvider);
		}
	}

	/**
	 * Renews the token that a stream was refused with, as the SDK does, which would give up if that isn't possible. Resolves
	 * to the reason then.
	 */
	async #renew(url: string | URL, response: Response): Promise<unknown> {
		const { authProvider, inner: fetchFn } = this;
		if (!authProvider?.onUnauthorized) {
			return statusError(response);
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
	const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
	return response.status === 403 && error === 'insufficient_scope'
		? new InsufficientScopeError({
				...(scope !== undefined && { requiredScope: scope }),
				...(resourceMetadataUrl && { resourceMetadataUrl }),
			})
		: undefined;
}

function statusError({ status }: Response): Error {
	return Object.assign(new Error(`HTTP status ${status}`), { data: { status } });
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
