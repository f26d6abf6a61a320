import type { Verdict } from '../elicitation/form/validate.ts';

/**
 * Pool → worker. Uses JSON text, because structured clone does not bound the size and JSON keeps `__proto__` as an own
 * key.
 */
export interface Task {
	readonly id: number;
	/** Absent if the worker already has this schema compiled. */
	readonly schema?: string;
	readonly contents: readonly string[];
}

/** Worker → pool. `ready` once; then for each task `compiled` if it had a schema, and `verdicts`, one for each content. */
export type Report =
	| { readonly type: 'ready' }
	| { readonly type: 'compiled'; readonly id: number }
	| { readonly type: 'verdicts'; readonly id: number; readonly verdicts: readonly Verdict[] };
