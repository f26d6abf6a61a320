import type { CallRequest } from '../elicitation/call.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { CallOptions, Connection } from '../mcp/index.ts';

/** What the bridge needs from the editor: access to servers by configured name, subject to the user's consent. */
export interface BridgeHost {
	/** Starts the server unless it is running. Rejects with a user-facing error, also if the user doesn't consent. */
	connect(server: string): Promise<Connection>;
	/** The connection of a running server. Never starts one. */
	running(server: string): Connection | undefined;
	/** Runs a call like any other in this window. Rejects like `Connection.call`. */
	call(server: string, request: CallRequest, options: CallOptions): Promise<JsonObject>;
	/** Fires when a server has started or stopped, or when its features have changed. */
	readonly onDidChange: (listener: () => void) => { dispose(): unknown };
}
