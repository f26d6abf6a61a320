import { setTimeout as pause } from 'node:timers/promises';
import {
	type JSONRPCMessage,
	type JSONRPCRequest,
	PROTOCOL_VERSION_META_KEY,
	UnauthorizedError,
} from '@modelcontextprotocol/client';
import { LONGEST_TIMER } from '../../elicitation/clock.ts';
import { idKey, isObject, type Json, own } from '../../elicitation/json.ts';
import { parsedJson, writeJson } from '../../elicitation/jsonText.ts';
import { isNamelessError, readMessage } from '../wire/envelope.ts';
import { ConnectionCut, MessageTooLongError, NotMcp, wordsIn } from '../wire/failure.ts';
import type { SendOptions, Stream, Wire } from '../wire/wire.ts';
import { boundedText, discard, isEventStream, readEvents, wholeText } from './body.ts';
import type { HttpClient, HttpRequest } from './httpClient.ts';
import { HttpError, httpErrorIn, insufficientScope, mayPass, readRefusal, type Sent } from './httpError.ts';
import { mirroredName } from './mirroredHeaders.ts';
import { pauseBefore, type StreamEvents, waitForSignIn } from './reopening.ts';
import { Replays } from './replays.ts';

/** Max attempts to resume the stream of a request while the server is unreachable. After that, its call fails. */
const MAX_RESUMPTIONS = 5;

/** Delay before a stream is resumed unless the server asks for another one, and the least that it may ask for (ms). */
const RETRY = 1_000;
const MIN_RETRY = 50;

/** At most once in this time (ms) is told that a stream is open again whose cuts nobody has noticed. */
const FOUND_AGAIN = 60_000;

/** Statuses, besides those that may pass, after which a stream that was open before is reopened. */
const TRANSIENT = new Set([400, 401, 404]);

/** Max time to wait for the DELETE of a session (ms). */
const TERMINATE_TIMEOUT = 500;

/**
 * Streamable HTTP (2025-03-26 and later). In a session, the server's own stream is kept open as long as the session; that
 * of a request is resumed until the request has its response.
 */
export class StreamableHttp implements Wire {
	readonly hasStreams = true;
	sessionId: string | undefined;
	revision: string | undefined;
	fault: Error | undefined;
	ready?: () => Promise<void> | undefined;
	onmessage?: (message: Json, isRepeated?: boolean) => void;
	onerror?: (error: Error) => void;
	onclose?: () => void;
	/** Receives the events of the server's own stream. */
	stream?: StreamEvents;
	readonly #closed = new AbortController();
	#closing: Promise<void> | undefined;
	/** Whether the server's own stream is open, or will be for all that is known. */
	#isListening: Promise<boolean> = Promise.resolve(false);
	#wasOpen = false;
	#isLost = false;
	/** When it was last told that the stream is open again. */
	#found = Number.NEGATIVE_INFINITY;
	/** The last token that was renewed for the server's own stream. */
	#renewed: string | undefined;
	#retry = RETRY;

	constructor(
		private readonly url: URL,
		private readonly client: HttpClient,
	) {}

	async start(): Promise<void> {}

	async send(message: JSONRPCMessage, { stream, signal = stream?.signal, headers }: SendOptions = {}): Promise<void> {
		const revision = own(own(own(message, 'params'), '_meta'), PROTOCOL_VERSION_META_KEY);
		const method = own(message, 'method');
		const isHandshake = method === 'initialize';
		const sent: Sent = {
			message,
			isModern: revision !== undefined,
			inSession: this.sessionId !== undefined && !isHandshake,
		};
		const request: HttpRequest = {
			method: 'POST',
			url: this.url,
			headers: {
				...headers,
				...this.#headers(isHandshake),
				...(typeof revision === 'string' && stream && mirroredName(revision, message as JSONRPCRequest)),
				'content-type': 'application/json',
			},
			accept: ['application/json', 'text/event-stream'],
			body: writeJson(message),
			signal: this.#until(signal),
		};
		const response = await this.client.send(request, sent).catch(async (error) => {
			const answer = sent.isModern ? this.#answerIn(error, message) : undefined;
			if (!stream || !answer) {
				throw error;
			}
			stream.received(answer);
		});
		if (!response) {
			return;
		}
		if (isHandshake) {
			this.sessionId = response.headers.get('mcp-session-id') || undefined;
		}
		if (stream) {
			await this.#accepted(response, sent, stream);
		} else {
			await taken(response);
		}
		if (method === 'notifications/initialized' && response.status === 202) {
			void this.#listen();
		}
	}

	close(): Promise<void> {
		this.#closing ??= this.#end();
		return this.#closing;
	}

	/** Ends the session with a DELETE (transports, session management). */
	async #end(): Promise<void> {
		// Errors while closing don't matter.
		delete this.onerror;
		if (this.sessionId !== undefined && !this.fault) {
			const signal = AbortSignal.timeout(TERMINATE_TIMEOUT);
			const request: HttpRequest = { method: 'DELETE', url: this.url, headers: this.#headers(), signal };
			// Nothing is renewed for it.
			const token = await this.client.authProvider?.token().catch(() => undefined);
			await this.client.fetch(request, token).then(discard, () => {});
		}
		this.#closed.abort();
		this.onclose?.();
	}

	#headers(isHandshake = false): Record<string, string> {
		return {
			...(this.sessionId !== undefined && !isHandshake && { 'mcp-session-id': this.sessionId }),
			...(this.revision !== undefined && { 'mcp-protocol-version': this.revision }),
		};
	}

	#until(signal: AbortSignal | undefined): AbortSignal {
		return signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
	}

	/**
	 * The error in a refusal of a request. Since 2026-07-28, servers respond to unknown methods with status 404 and a JSON-RPC
	 * error (Streamable HTTP, protocol version header).
	 */
	#answerIn(error: unknown, message: JSONRPCMessage): Json | undefined {
		const { status, refusal } = error instanceof HttpError ? error : {};
		if ((status !== 400 && status !== 404) || refusal?.isOlder) {
			return undefined;
		}
		const { body } = refusal ?? {};
		const id = own(message, 'id') as Json;
		const isMeant = isNamelessError(body) || idKey(own(body, 'id')) === idKey(id);
		const answer = isObject(body) && isObject(own(body, 'error')) && isMeant ? { ...body, id } : null;
		return readMessage(answer).kind === 'response' ? answer : undefined;
	}

	/** Reads what comes back for a request that the server has accepted. */
	async #accepted(response: Response, { isModern }: Sent, stream: Stream): Promise<void> {
		const { status, headers } = response;
		if (status !== 202 && isEventStream(response)) {
			void this.#follow(response, stream);
			return;
		}
		const text =
			status !== 202 ? await this.#textOf(response) : isEventStream(response) ? '' : await boundedText(response);
		// In a session, some servers send the response on their own stream.
		if (status === 202 && !isModern && (await this.#isListening)) {
			return;
		}
		const message = status === 202 ? undefined : parsedJson(text.trim());
		if (message === undefined) {
			const type = headers.get('content-type');
			const isPage = text.trim() !== '' && type?.startsWith('application/json') !== true;
			throw new NotMcp(wordsIn(text, type), isPage ? type?.split(';')[0] : undefined);
		}
		stream.received(message);
		stream.ended(true);
	}

	async #textOf(response: Response): Promise<string> {
		try {
			return await wholeText(response);
		} catch (error) {
			this.#giveUp(error);
			throw error instanceof MessageTooLongError ? error : new ConnectionCut({ cause: error });
		}
	}

	/** Ends the connection if it is because of what the server sent. */
	#giveUp(error: unknown): void {
		if (error instanceof MessageTooLongError) {
			this.fault = error;
			this.onerror?.(error);
			void this.close();
		}
	}

	/** Reads the stream of a request, and resumes it as long as the request has no response. */
	async #follow(first: Response, stream: Stream): Promise<void> {
		const replays = new Replays();
		let last: string | undefined;
		for (let response: Response | undefined = first; response; response = await this.#resume(last, stream)) {
			replays.begin(last);
			last = await this.#read(response, replays, stream, last);
			if (last === undefined || !stream.isOpen || this.#closed.signal.aborted) {
				break;
			}
		}
		if (!stream.signal.aborted && !this.#closed.signal.aborted) {
			stream.ended(false);
		}
	}

	/** Undefined if that is not possible. */
	async #resume(last: string | undefined, stream: Stream): Promise<Response | undefined> {
		const signal = this.#until(stream.signal);
		const request = this.#get(last, signal);
		for (let [attempt, delay] = [0, this.#retry]; ; attempt++) {
			try {
				await wait(delay, signal);
				const response = await this.client.send(request, { inSession: true });
				return isEventStream(response) ? response : void discard(response);
			} catch (error) {
				const { status, refusal } = httpErrorIn(error) ?? {};
				if (attempt >= MAX_RESUMPTIONS || signal.aborted || (status !== undefined && !mayPass(status))) {
					return undefined;
				}
				delay = pauseBefore(attempt, (refusal?.retryAfter ?? 0) * 1000);
			}
		}
	}

	#get(last: string | undefined, signal: AbortSignal): HttpRequest {
		const headers = { ...this.#headers(), ...(last !== undefined && { 'last-event-id': last }) };
		return { method: 'GET', url: this.url, headers, accept: ['text/event-stream'], signal };
	}

	/** Reads an event stream to its end. Resolves to the id of its last event. Never rejects. */
	async #read(
		response: Response,
		replays: Replays,
		stream: Stream | undefined,
		last: string | undefined,
	): Promise<string | undefined> {
		let lastId = last;
		try {
			await readEvents(response, {
				ready: () => this.ready?.(),
				retry: (ms) => {
					this.#retry = Math.min(Math.max(ms, MIN_RETRY), LONGEST_TIMER);
				},
				event: (event) => {
					lastId = event.id || lastId;
					const isError = event.event === 'error' && stream !== undefined;
					if (event.data.trim() === '' || !(event.event === undefined || event.event === 'message' || isError)) {
						return;
					}
					// Some programs begin with a byte order mark, which counts as space.
					const message = parsedJson(event.data.trim());
					if (stream) {
						stream.received(message ?? event.data, replays.has(event));
					} else if (message === undefined) {
						this.onerror?.(new Error(`Ignored an event that is not JSON: ${event.data}`));
					} else {
						this.onmessage?.(message, replays.has(event));
					}
				},
			});
		} catch (error) {
			this.#giveUp(error);
		}
		return lastId;
	}

	/** Keeps the stream open on which the server sends by itself, until the session ends. */
	async #listen(): Promise<void> {
		const { signal } = this.#closed;
		const replays = new Replays();
		let last: string | undefined;
		try {
			for (;;) {
				const opening = this.#open(last, signal);
				this.#isListening = opening.then(
					(response) => response !== undefined,
					() => false,
				);
				const response = await opening;
				if (!response) {
					return;
				}
				replays.begin(last);
				last = await this.#read(response, replays, undefined, last);
				await wait(this.#retry, signal);
			}
		} catch (error) {
			if (!signal.aborted) {
				this.onerror?.(error as Error);
			}
		}
	}

	/** Undefined if there is no such stream. A server that never opened one may refuse it with any status. */
	async #open(last: string | undefined, signal: AbortSignal): Promise<Response | undefined> {
		const { authProvider } = this.client;
		const request = this.#get(last, signal);
		for (let attempt = 0; ; attempt++) {
			let token: string | undefined;
			let response: Response;
			try {
				token = await authProvider?.token();
				response = await this.client.fetch(request, token);
			} catch (error) {
				if (!this.#wasOpen || signal.aborted) {
					throw error;
				}
				this.#lose(error);
				await wait(pauseBefore(attempt), signal);
				continue;
			}
			if (response.ok) {
				this.#find(isEventStream(response), last !== undefined);
				return isEventStream(response) ? response : void discard(response);
			}
			const { status } = response;
			const scopes = authProvider && insufficientScope(response);
			const isForSignIn = status === 401 && authProvider !== undefined;
			const error = await readRefusal(response, { inSession: true });
			if (!scopes && !isForSignIn && !(this.#wasOpen && (TRANSIENT.has(status) || mayPass(status)))) {
				this.#find(false, false);
				if (status !== 405) {
					this.onerror?.(error);
				}
				return undefined;
			}
			const refusal = isForSignIn ? await this.#renew(response, token) : (scopes ?? error);
			if (refusal === undefined) {
				continue;
			}
			if (!this.#wasOpen && !scopes) {
				throw refusal;
			}
			if (error.refusal.endsSession) {
				this.stream?.forgotten();
				return undefined;
			}
			this.#lose(refusal);
			const ms = pauseBefore(attempt, (error.refusal.retryAfter ?? 0) * 1000);
			await waitForSignIn(ms, token, signal, authProvider);
		}
	}

	/** Renews the token that the stream was refused with. Resolves to the reason if that isn't possible. */
	async #renew(response: Response, token: string | undefined): Promise<unknown> {
		if (token !== undefined && token === this.#renewed) {
			return new UnauthorizedError('The server refuses a token that was just renewed.');
		}
		try {
			await this.client.renew(this.url, response);
			this.#renewed = await this.client.authProvider?.token();
			return undefined;
		} catch (error) {
			return error;
		}
	}

	#lose(error: unknown): void {
		this.#isLost = true;
		this.stream?.lost(error);
	}

	/** @param resumes whether the server sends what was missed */
	#find(isOpen: boolean, resumes: boolean): void {
		const isAgain = this.#wasOpen && !resumes && performance.now() - this.#found >= FOUND_AGAIN;
		this.#wasOpen ||= isOpen;
		if (this.#isLost || isAgain) {
			this.#isLost = false;
			this.#found = performance.now();
			this.stream?.found();
		}
	}
}

/** Needs no messages from a response, but throws what the server says against what was sent. */
export async function taken(response: Response): Promise<void> {
	const type = response.headers.get('content-type');
	if (type?.startsWith('application/json') !== true) {
		discard(response);
		return;
	}
	const text = await boundedText(response);
	if ((own(parsedJson(text), 'error') ?? null) !== null) {
		throw new HttpError(response.status, { words: wordsIn(text, type) });
	}
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
	return pause(ms, undefined, { signal });
}
