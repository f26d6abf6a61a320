import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, vi } from 'vitest';
import { Bridge, type BridgeHost, type Endpoint } from '../../../src/bridge/index.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { say } from '../../../src/elicitation/sentence.ts';
import type { CallOptions, Connection } from '../../../src/mcp/index.ts';
import type { Wire } from '../mcp/world.ts';

/** A bridge to connections of a world, as the editor's room builds it. */
export function bridgeTo(...connections: Connection[]): Bridge {
	const of = (server: string) => {
		const connection = connections.find(({ name }) => name === server);
		if (!connection) throw new Error(`${server}: nobody agreed.`);
		return connection;
	};
	const host: BridgeHost = {
		connect: async (server) => {
			await of(server).start();
			return of(server);
		},
		running: (server) => (of(server).state === 'running' ? of(server) : undefined),
		call: async (server, request, options) => send(of(server), request, { ...options, via: say('called by a test') }),
		onDidChange: (listener) => {
			const subscriptions = connections.map(({ onDidChange }) => onDidChange(listener));
			return { dispose: () => subscriptions.map((each) => each.dispose()) };
		},
	};
	const bridge = new Bridge(host);
	bridges.push(bridge);
	return bridge;
}

function send(connection: Connection, request: Parameters<BridgeHost['call']>[1], options: CallOptions) {
	const { kind, name, args } = request;
	switch (kind) {
		case 'tool':
			return connection.callTool(name, args, options);
		case 'prompt':
			return connection.getPrompt(name, args, options);
		case 'resource':
			return connection.readResource(name, options);
	}
}

const bridges: Bridge[] = [];
const guests: Guest[] = [];

afterEach(async () => {
	await Promise.all(guests.splice(0).map((guest) => guest.leave()));
	await Promise.all(bridges.splice(0).map((bridge) => bridge.close()));
});

/** A client of the official SDK 1.x that comes over the bridge, and could answer questions itself. */
export class Guest {
	/** Every message that came, as it crossed the wire. */
	readonly heard: Wire[] = [];
	/** Questions that it should never get to see. */
	readonly asked: Wire[] = [];

	private constructor(
		readonly client: Client,
		readonly transport: StreamableHTTPClientTransport,
	) {
		client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
			this.asked.push(params);
			return { action: 'accept', content: {} };
		});
	}

	static async at({ url, headers }: Endpoint): Promise<Guest> {
		const client = new Client(
			{ name: 'guest', version: '1' },
			{ capabilities: { elicitation: { form: {}, url: {} } } },
		);
		const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
		const guest = new Guest(client, transport);
		guests.push(guest);
		await client.connect(transport);
		const { onmessage } = transport;
		transport.onmessage = (message) => {
			guest.heard.push(message);
			onmessage?.(message);
		};
		return guest;
	}

	call(name: string, args: JsonObject = {}, options: object = {}): Promise<Wire> {
		return this.client.callTool({ name, arguments: args }, undefined, options);
	}

	/** The last result or error that came, raw. */
	get answer(): Wire {
		const { result, error } = this.heard.findLast(({ method }) => method === undefined);
		return result ?? error;
	}

	notified(method: string): Promise<Wire> {
		return vi.waitUntil(() => this.heard.find((message) => message.method === method), { timeout: 10_000 });
	}

	leave(): Promise<void> {
		return this.client.close();
	}
}
