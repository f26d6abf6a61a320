import { shorten } from '../../elicitation/display.ts';

/** How many lines are logged before only their count is, and how long each may be (characters). */
const SAMPLE = 10;
const LONGEST = 300;

/** Logs a sample of what a server gets wrong on the wire, and counts the rest: one that never stops must not fill the log (fault 14). */
export class Complaints {
	#count = 0;

	constructor(private readonly log: (line: string) => void) {}

	add(line: string): void {
		this.#count++;
		if (this.#count <= SAMPLE) {
			this.log(shorten(line.slice(0, 2 * LONGEST).replace(/\s+/g, ' '), LONGEST));
		} else if (Number.isInteger(Math.log10(this.#count))) {
			this.log(`${this.#count} lines like these so far; the others are not logged.`);
		}
	}
}
