import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, vi } from 'vitest';
import { Bridge, type Endpoint } from '../../../src/bridge/index.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import type { Connection } from '../../../src/mcp/index.ts';
import type { Wire } from '../mcp/testClient.ts';
import { hostOf } from './host.ts';

/** A bridge to connections of a test client. */
export function bridgeTo(...connections: Connection[]): Bridge {
	const bridge = new Bridge(hostOf(...connections));
	bridges.push(bridge);
	return bridge;
}

/** A bridge to one connection, and a client of it. */
export async function openBridge(connection: Connection) {
	const bridge = bridgeTo(connection);
	await bridge.offer([connection.name]);
	const endpoint = (await bridge.endpoint(connection.name)) as Endpoint;
	return { bridge, endpoint, guest: await BridgeClient.at(endpoint) };
}

const bridges: Bridge[] = [];
const guests: BridgeClient[] = [];

afterEach(async () => {
	await Promise.all(guests.splice(0).map((guest) => guest.leave()));
	await Promise.all(bridges.splice(0).map((bridge) => bridge.close()));
});

/** A client on the official SDK 1.x that connects through the bridge and supports elicitation itself. */
export class BridgeClient {
	/** Received messages, raw. */
	readonly heard: Wire[] = [];
	/** Elicitations, of which it must not receive any. */
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

	static async at({ url, headers }: Endpoint): Promise<BridgeClient> {
		const client = new Client(
			{ name: 'guest', version: '1' },
			{ capabilities: { elicitation: { form: {}, url: {} } } },
		);
		const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
		const guest = new BridgeClient(client, transport);
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

	/** The last result or error, raw. */
	get answer(): Wire {
		const { result, error } = this.heard.findLast(({ method }) => method === undefined);
		return result ?? error;
	}

	notified(method: string): Promise<Wire> {
		return vi.waitUntil(() => this.heard.find((message) => message.method === method));
	}

	leave(): Promise<void> {
		return this.client.close();
	}
}
