import type { Verdict } from '../elicitation/form/validate.ts';

/** Pool → worker. JSON texts, because a structured clone is no bound on size and JSON keeps `__proto__` an own key. */
export interface Task {
	readonly id: number;
	/** Absent when the worker has compiled this schema last. */
	readonly schema?: string;
	readonly content: string;
}

/** Worker → pool. `ready` once, then for each task `compiled` when it brought a schema, then `verdict`. */
export type Report =
	| { readonly type: 'ready' }
	| { readonly type: 'compiled'; readonly id: number }
	| { readonly type: 'verdict'; readonly id: number; readonly verdict: Verdict };
