import * as vscode from 'vscode';
import type { BridgeHost } from '../../../bridge/index.ts';
import type { CallRequest } from '../../../elicitation/call.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import type { Sentence } from '../../../elicitation/sentence.ts';
import type { CallOptions } from '../../../mcp/index.ts';
import { localize } from '../../common/localize.ts';
import { notAgreed, ServerError } from '../../servers/serverError.ts';
import type { Servers } from '../../servers/servers.ts';

/** Makes a call that the user sees like any other. Rejects with an error that can be shown to the user. */
export type MakeCall = (server: string, request: CallRequest, options: CallOptions) => Promise<JsonObject>;

/**
 * What a client outside of this extension may use: the servers of this window.
 * @param via names the client in a line about its calls
 */
export function bridgeHost(servers: Servers, call: MakeCall, via: Sentence): BridgeHost {
	return {
		connect: async (name) => {
			const connection = await servers.start(name);
			if (!connection) {
				throw notAgreed(name);
			}
			return connection;
		},
		running: (name) => {
			const { state, connection } = servers.get(name) ?? {};
			return state === 'running' ? connection : undefined;
		},
		call: async (server, request, options) => {
			try {
				return await call(server, request, { ...options, via });
			} catch (error) {
				// Agents have to know that it was the user who cancelled the call.
				throw error instanceof vscode.CancellationError
					? new ServerError(
							server,
							localize('The user cancelled "{0}".', request.name),
							localize('Ask them before you call it again.'),
						)
					: error;
			}
		},
		onDidChange: servers.onDidChange,
	};
}
