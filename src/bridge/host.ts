import type { CallKind } from '../elicitation/call.ts';
import type { JsonObject } from '../elicitation/json.ts';
import type { CallOptions, Connection } from '../mcp/index.ts';

/** One call as a client of the bridge wants it. */
export interface CallRequest {
	readonly kind: CallKind;
	/** The name of the tool or the prompt, or the URI of the resource. */
	readonly name: string;
	readonly args: JsonObject;
}

/** What the bridge stands on: servers by their configured names, behind the user's consent. */
export interface BridgeHost {
	/** Starts the server, unless it runs. Rejects with an error made for people, also when they did not consent. */
	connect(server: string): Promise<Connection>;
	/** The connection of a server, if it runs; starts nothing. */
	running(server: string): Connection | undefined;
	/** Makes a call like any other of this window. Rejects as `Connection.callTool` does. */
	call(server: string, request: CallRequest, options: CallOptions): Promise<JsonObject>;
	/** Calls back when a server has started or ended, or offers something else. */
	readonly onDidChange: (listener: () => void) => { dispose(): unknown };
}
