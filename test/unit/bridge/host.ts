import type { BridgeHost } from '../../../src/bridge/index.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import type { Connection } from '../../../src/mcp/index.ts';

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
			of(server).call(request, { ...options, via: localizable('called by a test') }),
		onDidChange: (listener) => {
			const subscriptions = connections.map(({ onDidChange }) => onDidChange(listener));
			return { dispose: () => subscriptions.map((each) => each.dispose()) };
		},
	};
}
