/** A JSON-RPC 2.0 message, or a part of one, of which nothing is known yet. */
export type Wire = Readonly<Record<string, unknown>>;

/** JSON-RPC's codes, and those of MCP (2026-07-28, and -32042 of 2025-11-25). */
export const ErrorCode = {
	methodNotFound: -32601,
	invalidParams: -32602,
	internalError: -32603,
	missingClientCapability: -32021,
	unsupportedProtocolVersion: -32022,
	urlElicitationRequired: -32042,
} as const;

/** An error that crosses the wire as it is. */
export class RpcError extends Error {
	constructor(
		readonly code: number,
		message: string,
		readonly data?: Wire,
	) {
		super(message);
	}
}

export interface AskOptions {
	/** Milliseconds after which the client is told that the answer is no longer wanted. */
	readonly timeout: number;
	readonly signal: AbortSignal;
}

/** Answers one request of the client; the signal fires when the client does not want the answer any more. */
export type Serve = (method: string, params: Wire, signal: AbortSignal) => Promise<object>;

export function isObject(value: unknown): value is Wire {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The conversation with one client: serves its requests and asks it in turn. */
export class Rpc {
	/** What the client was asked, by id. */
	readonly #asked = new Map<unknown, (response: Wire) => void>();
	/** What is being served, by the client's id. */
	readonly #serving = new Map<unknown, AbortController>();
	#lastId = 0;
	#closed = false;

	constructor(
		private readonly write: (message: Wire) => void,
		private readonly serve: Serve,
	) {}

	/** Takes one message of the client. What is no message is not answered. */
	receive(message: unknown): void {
		if (!isObject(message)) return;
		const { id, method } = message;
		const params = isObject(message.params) ? message.params : {};
		if (typeof method !== 'string') this.#asked.get(id)?.(message);
		else if (id !== undefined) void this.#answer(id, method, params);
		else if (method === 'notifications/cancelled') this.#serving.get(params.requestId)?.abort();
	}

	/** Asks the client. Rejects with its error, and when nobody wants the answer any more, which the client is told. */
	async ask(method: string, params: Wire, { timeout, signal }: AskOptions): Promise<unknown> {
		signal.throwIfAborted();
		const id = ++this.#lastId;
		const response = await new Promise<Wire>((resolve, reject) => {
			const giveUp = () => {
				settle();
				this.notify('notifications/cancelled', { requestId: id });
				reject(new Error('The question was withdrawn.'));
			};
			const timer = setTimeout(giveUp, timeout);
			const settle = () => {
				clearTimeout(timer);
				signal.removeEventListener('abort', giveUp);
				this.#asked.delete(id);
			};
			signal.addEventListener('abort', giveUp);
			this.#asked.set(id, (message) => {
				settle();
				resolve(message);
			});
			this.#send({ id, method, params });
		});
		if (isObject(response.error)) {
			throw new RpcError(Number(response.error.code), String(response.error.message));
		}
		return response.result;
	}

	notify(method: string, params: Wire): void {
		this.#send({ method, params });
	}

	/** Ends everything that is being served or asked; nothing is sent any more. */
	close(): void {
		this.#closed = true;
		for (const serving of this.#serving.values()) serving.abort();
	}

	async #answer(id: unknown, method: string, params: Wire): Promise<void> {
		const abort = new AbortController();
		this.#serving.set(id, abort);
		const outcome = await this.serve(method, params, abort.signal).then(
			(result) => ({ result }),
			(error: unknown) => ({ error: wireError(error) }),
		);
		this.#serving.delete(id);
		// Who has cancelled gets no answer.
		if (!abort.signal.aborted) this.#send({ id, ...outcome });
	}

	#send(message: Wire): void {
		if (!this.#closed) this.write({ jsonrpc: '2.0', ...message });
	}
}

function wireError(error: unknown): Wire {
	if (error instanceof RpcError) {
		const { code, message, data } = error;
		return { code, message, ...(data !== undefined && { data }) };
	}
	return { code: ErrorCode.internalError, message: error instanceof Error ? error.message : String(error) };
}
