import type { JsonObject } from '../../elicitation/json.ts';
import type { ShownCall } from '../../protocol.ts';

/** A call before it is sent: what it is about, and the schema of its arguments. All server text. */
export interface Subject extends ShownCall {
	readonly description: string | undefined;
	readonly inputSchema: JsonObject;
	/** Suggestions of the server for an argument, given what was entered so far. */
	suggest?(argument: string, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly string[]>;
}
