import type { Sentence } from '../sentence.ts';

/** Something about a request that strays from the specification or deserves attention. */
export interface Finding {
	/** JSON pointer into the params of the request. */
	readonly pointer: string;
	/** The member of what stands there that it is about, where it is about one. */
	readonly member?: string;
	/** Short and stable, for filters and tests. */
	readonly rule: string;
	readonly severity: 'info' | 'warning';
	readonly message: Sentence;
}
