import { isObject, type Json, plainObject } from '../../elicitation/json.ts';
import { MAX_DEPTH } from '../../elicitation/nesting.ts';

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
