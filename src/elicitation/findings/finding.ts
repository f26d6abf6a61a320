import type { Sentence } from '../sentence.ts';
import type { Rule } from './handling.ts';

/** A spec violation of a request, or something that deserves attention. */
export interface Finding {
	/** JSON pointer into the params of the request. */
	readonly pointer: string;
	/** Name of the member that it is about, if it is about one. */
	readonly member?: string;
	readonly rule: Rule;
	readonly severity: 'info' | 'warning';
	readonly message: Sentence;
}
