import type { Sentence } from './sentence.ts';

/** Who answers in the user's place; shown wherever that happens. */
export interface ResponderInfo {
	/** `forced`: the user, past everything that keeps an answer right, to see what the server makes of it. */
	readonly kind: 'script' | 'extension' | 'forced';
	/** The script's or the extension's name; empty for `forced`. */
	readonly name: string;
	/** What it does with a question for as long as that waits for it: a whole clause. Absent where it just answers. */
	readonly plan?: Sentence;
}
