import { legibleJson, visible } from '../elicitation/display.ts';
import { writeJson } from '../elicitation/jsonText.ts';

/** Returns to the start of the line and erases it. */
const ERASE = '\r\u001b[2K';

/**
 * What the program writes: results to stdout, everything else to stderr. Text of servers cannot control the terminal.
 */
export class Output {
	#progress = false;

	constructor(
		private readonly stdout: NodeJS.WriteStream,
		private readonly stderr: NodeJS.WriteStream,
	) {}

	/** Writes a result. */
	print(text: string): void {
		this.#erase();
		this.stdout.write(`${visible(text)}\n`);
	}

	/** Writes the only result: a JSON document. */
	json(value: unknown, indent = 2): void {
		this.#erase();
		this.stdout.write(`${legibleJson(writeJson(value, indent))}\n`);
	}

	/** Writes what is no result, such as why something could not be run. */
	tell(text: string): void {
		this.#erase();
		this.stderr.write(`${visible(text)}\n`);
	}

	/** Shows what is being done, on a terminal only. Overwritten by whatever is written next. */
	progress(text: string): void {
		if (this.stderr.isTTY) {
			this.#erase();
			this.stderr.write(
				visible(text)
					.replace(/\s+/g, ' ')
					.slice(0, this.stderr.columns - 1),
			);
			this.#progress = true;
		}
	}

	#erase(): void {
		if (this.#progress) {
			this.#progress = false;
			this.stderr.write(ERASE);
		}
	}
}
