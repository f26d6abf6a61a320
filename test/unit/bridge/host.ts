import type { BridgeHost } from '../../../src/bridge/index.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import type { CallOptions, Connection } from '../../../src/mcp/index.ts';

/** A bridge host for these connections without an editor. */
export function hostOf(...connections: Connection[]): BridgeHost {
	const of = (server: string) => {
		const connection = connections.find(({ name }) => name === server);
		if (!connection) throw new Error(`${server}: nobody agreed.`);
		return connection;
	};
	return {
		connect: async (server) => {
			await of(server).start();
			return of(server);
		},
		running: (server) => (of(server).state === 'running' ? of(server) : undefined),
		call: async (server, request, options) =>
			send(of(server), request, { ...options, via: localizable('called by a test') }),
		onDidChange: (listener) => {
			const subscriptions = connections.map(({ onDidChange }) => onDidChange(listener));
			return { dispose: () => subscriptions.map((each) => each.dispose()) };
		},
	};
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
