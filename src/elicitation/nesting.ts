import type { Json } from './json.ts';

/** Max nesting depth of a message. Recursive code such as JSON.stringify overflows beyond it. */
export const MAX_DEPTH = 1_000;

/** True if a message exceeds the max depth. Iterative, because recursion would overflow. */
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
