import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '../elicitation/errorCodes.ts';
import { idKey, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { parsedJson, textOf, writeJson } from '../elicitation/jsonText.ts';
import { CAPABILITIES, listedBy } from '../elicitation/lists.ts';
import { REVISIONS, STATELESS } from '../elicitation/revisions.ts';

/** How long a request waits for a window, before it is answered without one (ms): some clients start only then. */
const GRACE = 3_000;

/**
 * How long it waits for a session with a window that is there (ms): it may have to ask its user, or to start the server. Codex never
 * lists again what was empty at first, but clients give up on servers that start more slowly (Claude Code and Codex after 30 s).
 */
const PATIENCE = 25_000;

/** The revisions that have sessions. */
const SESSIONS: readonly string[] = REVISIONS.filter((revision) => revision < STATELESS);

/** A request that waits for a session. */
interface Held {
	readonly id: Json;
	readonly line: string;
	timer: NodeJS.Timeout;
}

/**
 * Passes lines of JSON-RPC between a client and a window, which may come late, go, and come again: the client begins one session, and
 * each window gets the same beginning. Without a window, requests get an answer that says why.
 */
export class Relay {
	/** The client's `initialize` request, which each window gets. */
	#initialize: { readonly id: Json; readonly line: string } | undefined;
	/** True once the client has an answer to it. */
	#hasBegun = false;
	/** Undefined without a window. */
	#send: ((line: string) => void) | undefined;
	/** True once the window has accepted the session. */
	#isOpen = false;
	/** Requests that the window has, by `idKey`. */
	readonly #sent = new Map<string | undefined, Json>();
	/** Requests that wait for a session, by `idKey`. */
	readonly #held = new Map<string | undefined, Held>();

	/**
	 * @param server its name
	 * @param why says why there is no session at the moment, as a sentence for the client's user
	 * @param toClient sends a line to the client
	 * @param refused called with the reason why the window accepts no session
	 */
	constructor(
		private readonly server: string,
		private readonly why: () => string,
		private readonly toClient: (line: string) => void,
		private readonly refused: (reason: string) => void,
	) {}

	/** A window is there. */
	opened(send: (line: string) => void): void {
		this.#send = send;
		if (this.#initialize) {
			send(this.#initialize.line);
		}
	}

	/** The window is gone. What it was asked is answered here. */
	closed(): void {
		this.#send = undefined;
		this.#isOpen = false;
		for (const id of this.#sent.values()) {
			this.#fail(id, `The editor's window with "${this.server}" was closed or reloaded during this call. Call again.`);
		}
		this.#sent.clear();
	}

	/** The client is gone. */
	dispose(): void {
		for (const { timer } of this.#held.values()) {
			clearTimeout(timer);
		}
	}

	/** Takes a line of the client. */
	fromClient(line: string): void {
		const message = parsedJson(line);
		const [id, method] = [own(message, 'id') as Json | undefined, own(message, 'method')];
		if (method === 'notifications/cancelled') {
			this.#cancelled(own(own(message, 'params'), 'requestId') as Json);
		}
		if (id === undefined || typeof method !== 'string') {
			if (this.#isOpen) {
				this.#send?.(line);
			}
			return;
		}
		if (method === 'initialize') {
			this.#initialize = { id, line };
			this.#send?.(line);
		} else if (this.#isOpen) {
			this.#sent.set(idKey(id), id);
			this.#send?.(line);
			return;
		} else if (method === 'ping') {
			// It asks whether the program lives.
			this.#reply(id, { result: {} });
			return;
		} else if (!this.#initialize) {
			// Clients of later revisions ask for what an older server does not know, and then begin a session.
			this.#reply(id, { error: { code: METHOD_NOT_FOUND, message: 'A session begins with "initialize".' } });
			return;
		}
		this.#hold(id, line, () => this.#answer(id, method, message as JsonObject));
	}

	/** Keeps a request for a session, but not for too long. */
	#hold(id: Json, line: string, answer: () => void): void {
		const timer = setTimeout(() => {
			if (this.#send) {
				held.timer = setTimeout(answer, PATIENCE - GRACE);
			} else {
				answer();
			}
		}, GRACE);
		const held = { id, line, timer };
		this.#held.set(idKey(id), held);
	}

	/** Takes a line of the window. */
	fromWindow(line: string): void {
		const message = parsedJson(line);
		const id = isObject(message) && own(message, 'method') === undefined ? (own(message, 'id') as Json) : undefined;
		if (!this.#isOpen && id !== undefined && this.#initialize && idKey(id) === idKey(this.#initialize.id)) {
			this.#begin(line, message as JsonObject);
			return;
		}
		this.#sent.delete(idKey(id));
		this.toClient(line);
	}

	/** @param response the window's to `initialize` */
	#begin(line: string, response: JsonObject): void {
		const error = own(response, 'error');
		const isFirst = !this.#hasBegun;
		if (isFirst) {
			this.#release(this.#initialize?.id);
			this.#hasBegun = true;
			this.toClient(line);
		}
		if (error !== undefined) {
			this.refused(textOf(own(error, 'message')));
			return;
		}
		this.#isOpen = true;
		if (!isFirst) {
			// The client has sent its own to nobody, and has seen empty lists.
			this.#send?.(writeJson({ jsonrpc: '2.0', method: 'notifications/initialized' }));
			for (const capability of CAPABILITIES) {
				this.toClient(writeJson({ jsonrpc: '2.0', method: `notifications/${capability}/list_changed` }));
			}
		}
		for (const { id, line: held } of this.#held.values()) {
			this.#release(id);
			this.#sent.set(idKey(id), id);
			this.#send?.(held);
		}
	}

	/** Answers a request for which no session came in time. */
	#answer(id: Json, method: string, message: JsonObject): void {
		this.#release(id);
		const list = listedBy(method);
		if (method === 'initialize') {
			this.#hasBegun = true;
			const wanted = own(own(message, 'params'), 'protocolVersion');
			this.#reply(id, {
				result: {
					protocolVersion: SESSIONS.find((revision) => revision === wanted) ?? (SESSIONS.at(-1) as string),
					capabilities: Object.fromEntries(CAPABILITIES.map((capability) => [capability, { listChanged: true }])),
					serverInfo: { name: this.server, version: '' },
					// Clients show it to the model for as long as the session lasts.
					instructions: `As long as "${this.server}" lists nothing: ${this.why()}`,
				},
			});
		} else if (list) {
			this.#reply(id, { result: { [list]: [] } });
		} else {
			this.#fail(id, this.why());
		}
	}

	#cancelled(id: Json): void {
		this.#release(id);
		this.#sent.delete(idKey(id));
	}

	#release(id: Json | undefined): void {
		clearTimeout(this.#held.get(idKey(id))?.timer);
		this.#held.delete(idKey(id));
	}

	#fail(id: Json, message: string): void {
		this.#reply(id, { error: { code: INTERNAL_ERROR, message } });
	}

	#reply(id: Json, response: JsonObject): void {
		this.toClient(writeJson({ jsonrpc: '2.0', id, ...response }));
	}
}
