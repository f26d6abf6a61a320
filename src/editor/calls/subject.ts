import type { JsonObject } from '../../elicitation/json.ts';
import type { ShownCall } from '../../protocol.ts';

/** A call before it goes out: what it is about, and the schema of what has to be asked for it. Server text throughout. */
export interface Subject extends ShownCall {
	readonly description: string | undefined;
	readonly inputSchema: JsonObject;
}
