import type { Sentence } from './sentence.ts';

/** Identifies an auto-responder. Shown wherever it responds in the user's place. */
export interface ResponderInfo {
	/** `forced`: the user deliberately bypasses validation to test the server. */
	readonly kind: 'script' | 'extension' | 'forced';
	/** Name of the script or extension; empty for `forced`. */
	readonly name: string;
	/** What it does while the elicitation waits for it, as a clause. Absent if it responds at once. */
	readonly plan?: Sentence;
}
