import type { Json } from './json.ts';

/** Max nesting depth of a message. Recursive code such as JSON.stringify overflows beyond it. */
export const MAX_DEPTH = 1_000;

/** True if a value exceeds a depth. Iterative, because recursion would overflow. */
export function isTooDeep(value: Json, max = MAX_DEPTH): boolean {
	let level: unknown[] = typeof value === 'object' && value !== null ? [value] : [];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > max) {
			return true;
		}
		const next: unknown[] = [];
		for (const node of level) {
			for (const inner of Array.isArray(node) ? node : Object.values(node as object)) {
				if (typeof inner === 'object' && inner !== null) {
					next.push(inner);
				}
			}
		}
		level = next;
	}
	return false;
}
