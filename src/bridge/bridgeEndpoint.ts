import { INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { own } from '../elicitation/json.ts';
import { isInitializeRequest, wireError } from './bridgeSession.ts';
import type { BridgeHost } from './host.ts';
import { HttpSession } from './httpSession.ts';

/**
 * Max sessions to keep. A client that disconnects doesn't announce it, so the oldest idle session is dropped; its client
 * is told so and initializes again.
 */
const MAX_SESSIONS = 20;

/** The endpoint of one server. Each client that initializes gets its own session. */
export class BridgeEndpoint {
	/** Most recently used last. */
	readonly #sessions = new Map<string, HttpSession>();
	#closed = false;

	constructor(
		private readonly host: BridgeHost,
		private readonly server: string,
	) {}

	/** Handles one authorized HTTP request. */
	async handle(request: Request, body: unknown): Promise<Response> {
		const id = request.headers.get('mcp-session-id');
		const session = id === null ? undefined : this.#sessions.get(id);
		if (id !== null && session) {
			this.#sessions.delete(id);
			this.#sessions.set(id, session);
			return session.handle(request, body);
		}
		if (id !== null || this.#closed) {
			return new Response(null, { status: 404 });
		}
		if (!isInitializeRequest(body)) {
			const message = 'A session begins with an "initialize" request, which is not part of a batch.';
			return Response.json({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } }, { status: 400 });
		}
		try {
			return await this.#initialize(request, body);
		} catch (error) {
			return Response.json({ jsonrpc: '2.0', id: own(body, 'id') ?? null, error: wireError(error) });
		}
	}

	/** Closes every session. */
	async close(): Promise<void> {
		this.#closed = true;
		await Promise.all([...this.#sessions.values()].map((session) => session.close()));
	}

	/** The initialize result is the server's own, so the server has to run first. */
	async #initialize(request: Request, body: unknown): Promise<Response> {
		const connection = await this.host.connect(this.server);
		let id: string | undefined;
		const session = new HttpSession(
			this.host,
			this.server,
			connection,
			(given) => {
				id = given;
				this.#sessions.set(given, session);
			},
			() => void (id !== undefined && this.#sessions.delete(id)),
		);
		const response = await session.handle(request, body);
		if (this.#closed || id === undefined) {
			await session.close();
		}
		await this.#forget();
		return response;
	}

	/** Closes the least recently used session that has no request in flight. */
	async #forget(): Promise<void> {
		const idle = [...this.#sessions.values()].filter((session) => session.idle);
		await Promise.all(idle.slice(0, Math.max(0, this.#sessions.size - MAX_SESSIONS)).map((session) => session.close()));
	}
}
