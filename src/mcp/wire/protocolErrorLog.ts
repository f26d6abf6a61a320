import { shorten } from '../../elicitation/display.ts';

/** Max lines to log before only counting them, and max length of each (characters). */
const MAX_LOGGED_LINES = 10;
const MAX_LINE_LENGTH = 300;

/** Logs the first protocol errors of a server and counts the rest, so that they can't flood the log (fault 14). */
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
