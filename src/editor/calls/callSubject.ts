import { fieldsOf } from '../../elicitation/form/readFields.ts';
import { isObject, type JsonObject, own } from '../../elicitation/json.ts';
import type { ShownCall } from '../../protocol.ts';

/** A call before it is sent: what it is about, and the schema of its arguments. All server text. */
export interface CallSubject extends ShownCall {
	/** Empty if there is none. */
	readonly description: string;
	readonly inputSchema: JsonObject;
	/** Suggestions of the server for an argument, given what was entered so far. */
	suggest?(argument: string, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly string[]>;
}

/** True if there is something to enter for a schema of arguments, as fields or as JSON. What is open only by default does not count. */
export function takesArguments(schema: unknown): boolean {
	const isFilled = (key: string) => Object.keys(own(schema, key) ?? {}).length > 0;
	const isOpen = (key: string) => own(schema, key) === true || isObject(own(schema, key));
	return (
		isFilled('required') ||
		isOpen('additionalProperties') ||
		isOpen('unevaluatedProperties') ||
		(isObject(schema) && fieldsOf(schema).length > 0)
	);
}
