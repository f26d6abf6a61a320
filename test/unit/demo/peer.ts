import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	type CallToolResult,
	Client,
	InMemoryTransport,
	type InputRequiredResult,
	type JSONRPCMessage,
	type Transport,
} from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { bundlePrograms, sourcesOf } from '../../../scripts/build.mjs';
import { createDemo } from '../../../src/demo/demo.ts';

export type Era = '2025-11-25' | '2026-07-28';

/** A JSON-RPC message as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Wire = { readonly [key: string]: any };

/** What a user would answer to an elicitation; `undefined` leaves it open. */
export type Person = (params: Wire) => Promise<Wire> | Wire;

const both = { form: {}, url: {} };

/** Bundles the demo as it is shipped, into a folder that `remove` deletes. */
export async function bundleDemo(): Promise<{
	readonly file: string;
	/** The sources that went into it. */
	readonly sources: readonly string[];
	remove(): Promise<void>;
}> {
	const folder = await mkdtemp(join(tmpdir(), 'elicitation-demo-'));
	const sources = sourcesOf(await bundlePrograms({ demo: 'src/demo/server.ts' }, folder));
	return { file: join(folder, 'demo.mjs'), sources, remove: () => rm(folder, { recursive: true }) };
}

/** A client of the official SDK with a user behind it, and everything that went over the wire. */
export class Peer {
	readonly wire: Array<{ readonly from: 'client' | 'server'; readonly message: Wire }> = [];
	readonly #waiting = new Set<() => void>();
	readonly #client: Client;
	/** The elicitations that reached the user, as they came but for `_meta`. */
	readonly elicitations: Wire[] = [];
	person: Person = () => ({ action: 'cancel' });

	private constructor(
		readonly era: Era,
		readonly transport: Transport,
		elicitation: Wire,
	) {
		this.#client = new Client(
			{ name: 'test', version: '1.0.0' },
			{
				capabilities: { elicitation },
				versionNegotiation: { mode: era === '2025-11-25' ? 'legacy' : { pin: era } },
				inputRequired: { autoFulfill: false },
			},
		);
		// Not a typed handler: the SDK would strip what it does not know from the schema.
		this.#client.fallbackRequestHandler = async ({ params }) => this.#answer(params as Wire);
	}

	/** Connects as a client that declares this elicitation capability. */
	static async connect(era: Era, transport: Transport, elicitation: Wire = both): Promise<Peer> {
		const peer = new Peer(era, transport, elicitation);
		peer.#tap();
		await peer.#client.connect(transport);
		return peer;
	}

	get client(): Client {
		return this.#client;
	}

	/** Calls a tool and answers what it asks, in whichever way the era asks. */
	async call(name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<CallToolResult> {
		let retry: Record<string, unknown> = {};
		for (;;) {
			const result = await this.#client.callTool(
				{ name, arguments: args, ...retry },
				{ allowInputRequired: true, timeout: 30_000, ...(signal === undefined ? {} : { signal }) },
			);
			const { resultType, inputRequests, requestState } = result as CallToolResult & Partial<InputRequiredResult>;
			if (resultType !== 'input_required') return result;
			const asked = Object.entries(inputRequests ?? {}).map(
				async ([key, request]) => [key, await this.#answer(request.params as Wire)] as const,
			);
			const inputResponses = Object.fromEntries(await Promise.all(asked));
			retry = { ...(inputRequests && { inputResponses }), ...(requestState !== undefined && { requestState }) };
		}
	}

	/** The messages of the server, or of the client, that fit. */
	sent(from: 'client' | 'server', fits: (message: Wire) => boolean): Wire[] {
		return this.wire.filter((entry) => entry.from === from && fits(entry.message)).map(({ message }) => message);
	}

	/** Waits until the server has sent a message that fits. */
	async until(fits: (message: Wire) => boolean): Promise<Wire> {
		for (;;) {
			const found = this.sent('server', fits)[0];
			if (found !== undefined) return found;
			await new Promise<void>((resolve) => this.#waiting.add(resolve));
		}
	}

	close(): Promise<void> {
		return this.#client.close();
	}

	#answer({ _meta, ...params }: Wire): Promise<Wire> | Wire {
		this.elicitations.push(params);
		return this.person(params);
	}

	#tap(): void {
		const { transport } = this;
		const send = transport.send.bind(transport);
		transport.send = (message, options) => {
			this.#note('client', message);
			return send(message, options);
		};
		let receive: Transport['onmessage'];
		Object.defineProperty(transport, 'onmessage', {
			get: () =>
				receive &&
				((message: JSONRPCMessage, extra: never) => {
					this.#note('server', message);
					receive?.(message, extra);
				}),
			set: (value) => {
				receive = value;
			},
		});
	}

	#note(from: 'client' | 'server', message: unknown): void {
		this.wire.push({ from, message: message as Wire });
		for (const wake of this.#waiting) wake();
		this.#waiting.clear();
	}
}

/**
 * A client of the demo, which runs in this process.
 * @param patience how long a request waits for a page to be finished (ms); without any, the demo asks for the page again
 */
export function demoPeer(era: Era, patience?: number, elicitation?: Wire): Promise<Peer> {
	const [ours, theirs] = InMemoryTransport.createLinkedPair();
	serveStdio(createDemo(patience), { transport: theirs });
	return Peer.connect(era, ours, elicitation);
}

/** Gives the answers one after another. */
export function inTurn(...answers: readonly Wire[]): Person {
	const left = [...answers];
	return () => left.shift() ?? { action: 'cancel' };
}

/** The text of a tool result. */
export function textOf(result: CallToolResult): string {
	return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
