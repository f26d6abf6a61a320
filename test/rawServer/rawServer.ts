/** A JSON-RPC message as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Wire = any;

/** The revision with JSON-RPC batches. */
export const BATCHING = '2025-03-26';
export const LEGACY = '2025-11-25';
export const MODERN = '2026-07-28';
/** Revisions without URL mode; the first two have no elicitation at all. */
export const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;

export interface RawServerOptions {
	readonly revision?: typeof LEGACY | typeof MODERN | (typeof OLDER)[number];
	/** Tool names or full tool definitions. */
	readonly tools?: readonly (string | object)[];
	/** Capabilities besides tools. */
	readonly capabilities?: object;
	/** Methods that the test responds to itself. Initialization and tools/list are automatic otherwise. */
	readonly manual?: readonly string[];
	/** The results of further methods that are answered automatically. */
	readonly answers?: Readonly<Record<string, object>>;
}

/** An elicitation request of the server and its response. */
export interface PendingRequest {
	readonly id: string;
	/** The first response message. */
	readonly response: Promise<Wire>;
}

/** A test peer without an SDK: the test writes every message. There is a subclass per transport. */
export abstract class RawServer {
	/** Received messages, oldest first. */
	readonly received: Wire[] = [];
	/** The same as text. */
	readonly texts: string[] = [];
	readonly #unread: Wire[] = [];
	/** Received responses, by id. */
	readonly #responses = new Map<unknown, Wire[]>();
	/** Takes the response to a pending request, by id. */
	readonly #pending = new Map<unknown, (response: Wire) => void>();
	readonly #waiting = new Set<() => void>();
	readonly #automatic: Map<string, () => object>;
	readonly #manual: ReadonlySet<string>;
	/** Its current tools. */
	tools: readonly (string | object)[];
	#elicitations = 0;

	/** Its definition for the settings. */
	abstract readonly definition: Readonly<Record<string, unknown>>;

	constructor({
		revision = LEGACY,
		tools = ['act'],
		manual = [],
		capabilities = {},
		answers: more = {},
	}: RawServerOptions = {}) {
		this.tools = tools;
		const list = () => this.tools.map((tool) => (typeof tool === 'string' ? named(tool) : tool));
		const usual = revision === MODERN ? modernAnswers(list, capabilities) : legacyAnswers(list, revision, capabilities);
		const answers = new Map(Object.entries(usual));
		for (const [method, result] of Object.entries(more)) {
			answers.set(method, () => result);
		}
		for (const method of manual) {
			answers.delete(method);
		}
		this.#automatic = answers;
		this.#manual = new Set(manual);
	}

	/** Sends a message. With `during`, it uses the channel of that client request (HTTP: its stream). */
	send(message: object, during?: Wire): void {
		this.line(JSON.stringify({ jsonrpc: '2.0', ...message }), during ?? ('method' in message ? undefined : message));
	}

	/** Sends any text as one message. */
	abstract line(text: string, during?: Wire): void;

	/** Writes raw bytes without framing. */
	abstract raw(bytes: string | Buffer, during?: Wire): void;

	/** Terminates at once with all open connections. */
	abstract die(): Promise<void>;

	/** Accepts connections again after `die`. */
	async rise(): Promise<void> {}

	/** Closes the server. Called at the end of the test. */
	abstract close(): Promise<void>;

	/** Waits for the next unread message, by method or predicate. */
	expect(what: string | ((message: Wire) => boolean)): Promise<Wire> {
		const fits = typeof what === 'string' ? ({ method }: Wire) => method === what : what;
		return this.until(() => {
			const at = this.#unread.findIndex(fits);
			return at >= 0 && this.#unread.splice(at, 1)[0];
		});
	}

	/** Makes the test respond to a method from now on. */
	hold(method: string): void {
		this.#automatic.delete(method);
	}

	answer(request: Wire, result: object): void {
		this.send({ id: request.id, result });
	}

	fail(request: Wire, error: { code: number; message: string; data?: unknown }): void {
		this.send({ id: request.id, error });
	}

	/** Responds to a tool call with content that a test can look for. */
	finish(call: Wire, structuredContent: object = {}): void {
		const text = JSON.stringify(structuredContent);
		this.answer(call, { content: [{ type: 'text', text }], structuredContent, resultType: 'complete' });
	}

	/** Sends `elicitation/create`. */
	ask(params: unknown, during?: Wire, id = `elicitation-${++this.#elicitations}`): PendingRequest {
		const response = new Promise<Wire>((resolve) => this.#pending.set(id, resolve));
		this.send({ id, method: 'elicitation/create', ...(params !== undefined && { params }) }, during);
		return { id, response };
	}

	notify(method: string, params?: unknown, during?: Wire): void {
		this.send({ method, ...(params !== undefined && { params }) }, during);
	}

	/** All responses to one of its requests. */
	responses(id: unknown): Wire[] {
		return this.#responses.get(id) ?? [];
	}

	requests(method: string): Wire[] {
		return this.received.filter((message) => message.method === method);
	}

	/** Resolves once the client has processed everything sent before. */
	async fence(during?: Wire): Promise<void> {
		const id = `fence-${++this.#elicitations}`;
		this.send({ id, method: 'ping' }, during);
		await this.until(() => this.responses(id)[0]);
	}

	/** Waits for a condition, which is checked after every message. */
	async until<T>(condition: () => T | undefined | false): Promise<T> {
		for (;;) {
			const found = condition();
			if (found !== undefined && found !== false) {
				return found;
			}
			await new Promise<void>((resolve) => this.#waiting.add(resolve));
		}
	}

	/** Called by the transport with every message. */
	protected take(message: Wire, text: string): void {
		this.texts.push(text);
		this.received.push(message);
		if (message.method === undefined) {
			this.#responses.set(message.id, [...this.responses(message.id), message]);
			this.#pending.get(message.id)?.(message);
			this.#pending.delete(message.id);
		}
		const automatic = this.#automatic.get(message.method);
		if (automatic) {
			this.answer(message, automatic());
		} else if (PROBES.has(message.method) && !this.#manual.has(message.method) && message.id !== undefined) {
			this.fail(message, { code: -32601, message: 'Method not found' });
		} else {
			this.#unread.push(message);
		}
		this.wake();
	}

	protected wake(): void {
		const waiting = [...this.#waiting];
		this.#waiting.clear();
		for (const wake of waiting) {
			wake();
		}
	}
}

/** Methods that clients may send to any server. Unsupported unless configured. */
const PROBES = new Set(['server/discover', 'prompts/list', 'resources/list', 'resources/templates/list']);

const named = (name: string) => ({ name, inputSchema: { type: 'object' } });

function legacyAnswers(tools: () => object[], protocolVersion: string, more: object): Record<string, () => object> {
	return {
		initialize: () => ({
			protocolVersion,
			capabilities: { tools: { listChanged: true }, ...more },
			serverInfo: { name: 'raw-server', version: '1.0.0' },
		}),
		'tools/list': () => ({ tools: tools() }),
		ping: () => ({}),
	};
}

function modernAnswers(tools: () => object[], more: object): Record<string, () => object> {
	const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
	return {
		'server/discover': () => ({ ...complete, supportedVersions: [MODERN], capabilities: { tools: {}, ...more } }),
		'tools/list': () => ({ ...complete, tools: tools() }),
	};
}
