import { isObject, type Json, own, plainObject } from '../../elicitation/json.ts';
import { MAX_DEPTH } from '../../elicitation/nesting.ts';

/** Error code that replaces a response that is nested too deeply. Never sent to the server. */
export const TOO_DEEP = -32098;

/** Replaces the truncated parts. */
const MARK = '…';

/** Truncates a message at the max depth. */
export function truncateDepth(message: Json): Json {
	return prune(message, MAX_DEPTH);
}

function prune(value: Json, levels: number): Json {
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (levels === 0) {
		return MARK;
	}
	return isObject(value)
		? plainObject(Object.entries(value).map(([key, inner]) => [key, prune(inner, levels - 1)]))
		: value.map((inner) => prune(inner, levels - 1));
}

/** What to pass on of a truncated message: an error in place of a response; anything else as is. */
export function withoutTruncatedResult(message: Json): Json {
	const id = own(message, 'id');
	if (own(message, 'method') !== undefined || (typeof id !== 'string' && typeof id !== 'number')) {
		return message;
	}
	const error = { code: TOO_DEEP, message: `The answer is nested deeper than ${MAX_DEPTH} levels.` };
	return { jsonrpc: '2.0', id, error };
}
