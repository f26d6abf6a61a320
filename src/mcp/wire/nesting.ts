import { isObject, type Json, own, plainObject } from '../../elicitation/json.ts';

/** Nothing deeper than this is let in: whatever walks a message by recursion (JSON.stringify, to begin with) overflows. */
export const MAX_DEPTH = 1_000;

/** The code of the error that stands for an answer that is nested too deeply; it never crosses the wire. */
export const TOO_DEEP = -32098;

/** Stands where a message goes on below. */
const MARK = '…';

/** True for a message nested deeper than the limit. Walks without recursion: the nesting is what is being measured. */
export function isTooDeep(message: Json): boolean {
	let level: unknown[] = typeof message === 'object' && message !== null ? [message] : [];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) {
			return true;
		}
		const next: unknown[] = [];
		for (const node of level) {
			for (const value of Array.isArray(node) ? node : Object.values(node as object)) {
				if (typeof value === 'object' && value !== null) {
					next.push(value);
				}
			}
		}
		level = next;
	}
	return false;
}

/** The message down to the limit. */
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

/** What is handed on of a message that was too deep: an answer that lacks a part is none, anything else may be judged by what is left. */
export function withoutTruncatedResult(message: Json): Json {
	const id = own(message, 'id');
	if (own(message, 'method') !== undefined || (typeof id !== 'string' && typeof id !== 'number')) {
		return message;
	}
	const error = { code: TOO_DEEP, message: `The answer is nested deeper than ${MAX_DEPTH} levels.` };
	return { jsonrpc: '2.0', id, error };
}
