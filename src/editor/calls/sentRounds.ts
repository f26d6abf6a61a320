import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a round is known (ms): no window shows it for longer. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;

/**
 * The rounds whose responses have been sent, by any window: two tabs of a browser may show the same workspace, and each
 * knows its own calls only. Every round is an empty file, because the file system decides which of two processes is first.
 */
export class SentRounds {
	#prepared: Promise<void> | undefined;

	/** @param folder made when it is needed */
	constructor(private readonly folder: string) {}

	/** Adds a round. Resolves to false if it is there already. */
	async add(round: string): Promise<boolean> {
		this.#prepared ??= this.#prepare();
		await this.#prepared;
		return writeFile(join(this.folder, round), '', { flag: 'wx' }).then(
			() => true,
			(error) => {
				if (error.code === 'EEXIST') {
					return false;
				}
				throw error;
			},
		);
	}

	has(round: string): Promise<boolean> {
		return stat(join(this.folder, round)).then(
			() => true,
			() => false,
		);
	}

	/** Makes the folder, and forgets old rounds. */
	async #prepare(): Promise<void> {
		await mkdir(this.folder, { recursive: true });
		for (const round of await readdir(this.folder)) {
			const file = join(this.folder, round);
			// Another window may be forgetting it, too.
			const addedAt = await stat(file).then(
				({ mtimeMs }) => mtimeMs,
				() => Date.now(),
			);
			if (Date.now() - addedAt > MAX_AGE) {
				await rm(file, { force: true });
			}
		}
	}
}
