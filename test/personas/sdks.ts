import { readFile } from 'node:fs/promises';
import { Client as Client2, InMemoryTransport as InMemoryTransport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { vi } from 'vitest';
import type { JsonObject } from '../../src/elicitation/json.ts';
import type { Persona } from '../../src/elicitation/personas/persona.ts';
import { ELICITATION_REVISIONS, type ElicitationRevision } from '../../src/elicitation/revisions.ts';

interface Message {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: { readonly capabilities: JsonObject };
	readonly result?: JsonObject;
	readonly error?: { readonly code: number };
}

/** The server's end of the connection. */
interface Wire {
	onmessage?: ((message: never) => void) | undefined;
	send(message: never): Promise<void>;
	start(): Promise<void>;
}

/** What both SDKs' clients have in common. */
interface AnyClient {
	connect(transport: never): Promise<void>;
	callTool(params: { name: string }): Promise<unknown>;
	close(): Promise<void>;
}

/** An SDK line. `handled`: declares elicitation, and its handler accepts with no content. */
interface Sdk {
	readonly name: string;
	connect(handled: boolean): { readonly client: AnyClient; readonly theirs: unknown; readonly ours: Wire };
}

const info = { name: 'c', version: '1' };
const capabilities = { elicitation: { form: {} } };

export const SDKS: Readonly<Record<'typescript-sdk-1' | 'typescript-sdk-2', Sdk>> = {
	'typescript-sdk-1': {
		name: '@modelcontextprotocol/sdk',
		connect: (handled) => {
			const [ours, theirs] = InMemoryTransport.createLinkedPair();
			const client = handled ? new Client(info, { capabilities }) : new Client(info);
			if (handled) {
				client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
			}
			return { client: client as unknown as AnyClient, theirs, ours: ours as Wire };
		},
	},
	'typescript-sdk-2': {
		name: '@modelcontextprotocol/client',
		connect: (handled) => {
			const [ours, theirs] = InMemoryTransport2.createLinkedPair();
			const client = handled ? new Client2(info, { capabilities }) : new Client2(info);
			if (handled) {
				client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
			}
			return { client: client as unknown as AnyClient, theirs, ours: ours as Wire };
		},
	},
};

const FORM = { message: 'm', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
/** Both SDKs refuse several types. */
const REFUSED = {
	message: 'm',
	requestedSchema: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
};

/** The facts of a client on an SDK whose application has set no handlers, from a server that sends raw messages. */
export async function measureSdk(sdk: Sdk): Promise<Partial<Persona>> {
	const { version } = JSON.parse(await readFile(`node_modules/${sdk.name}/package.json`, 'utf8')) as {
		version: string;
	};
	const declared: [ElicitationRevision, JsonObject | null][] = [];
	for (const revision of ELICITATION_REVISIONS) {
		const seen = await ask(sdk, false, FORM, revision).catch(() => undefined);
		if (seen) {
			declared.push([revision, seen.elicitation]);
		}
	}
	const { response } = await ask(sdk, false, FORM, '2025-11-25');
	const refused = await ask(sdk, true, REFUSED, '2025-11-25');
	return {
		version,
		declares: Object.fromEntries(declared),
		automatic: response.error ? { action: 'error', code: response.error.code } : { action: 'decline' },
		...(refused.response.error && { refusal: refused.response.error.code }),
		waits: await timeoutOf(sdk),
	};
}

/** Sends an elicitation after the handshake. Rejects if the client does not negotiate the revision. */
async function ask(
	sdk: Sdk,
	handled: boolean,
	params: JsonObject,
	revision: ElicitationRevision,
): Promise<{ readonly elicitation: JsonObject | null; readonly response: Message }> {
	const { client, theirs, ours } = sdk.connect(handled);
	let elicitation: JsonObject | null = null;
	const answered = new Promise<Message>((resolve) => {
		serve(ours, revision, (message) => {
			if (message.method === 'initialize') {
				elicitation = (message.params?.capabilities.elicitation ?? null) as JsonObject | null;
			} else if (message.method === 'notifications/initialized') {
				void ours.send({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params } as never);
			} else if (message.id === 'ask') {
				resolve(message);
			}
		});
	});
	await ours.start();
	try {
		await client.connect(theirs as never);
		return { response: await answered, elicitation };
	} finally {
		await client.close();
	}
}

/** How long a call waits for a server that never responds (s). */
async function timeoutOf(sdk: Sdk): Promise<number> {
	const { client, theirs, ours } = sdk.connect(false);
	serve(ours, '2025-11-25', () => {});
	await ours.start();
	await client.connect(theirs as never);
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	try {
		let seconds = 0;
		let isOver = false;
		const call = client.callTool({ name: 'never' }).then(
			() => {
				isOver = true;
			},
			() => {
				isOver = true;
			},
		);
		while (!isOver && seconds < 3_600) {
			seconds += 1;
			await vi.advanceTimersByTimeAsync(1_000);
		}
		await call;
		return seconds;
	} finally {
		vi.useRealTimers();
		await client.close();
	}
}

/** Completes the handshake and hands over every message. */
function serve(ours: Wire, revision: ElicitationRevision, receive: (message: Message) => void): void {
	ours.onmessage = ((message: Message) => {
		if (message.method === 'initialize') {
			const result = {
				protocolVersion: revision,
				capabilities: { tools: {} },
				serverInfo: { name: 's', version: '1' },
			};
			void ours.send({ jsonrpc: '2.0', id: message.id, result } as never);
		}
		receive(message);
	}) as never;
}
