import { shorten } from '../../elicitation/display.ts';

/** How many lines are logged before only their count is, and how long each may be (characters). */
const MAX_LOGGED_LINES = 10;
const MAX_LINE_LENGTH = 300;

/** Logs a sample of what a server gets wrong on the wire, and counts the rest: one that never stops must not fill the log (fault 14). */
export class ProtocolErrorLog {
	#count = 0;

	constructor(private readonly log: (line: string) => void) {}

	add(line: string): void {
		this.#count++;
		if (this.#count <= MAX_LOGGED_LINES) {
			this.log(shorten(line.slice(0, 2 * MAX_LINE_LENGTH).replace(/\s+/g, ' '), MAX_LINE_LENGTH));
		} else if (Number.isInteger(Math.log10(this.#count))) {
			this.log(`${this.#count} lines like these so far; the others are not logged.`);
		}
	}
}
