import { readFile, stat, writeFile } from 'node:fs/promises';
import { CannotRun, messageOf } from './errors.ts';

/** Larger files are not read (bytes). */
const MAX_SIZE = 64 * 1024 * 1024;

/** Reads a file. Rejects with a CannotRun. */
export async function readText(file: string): Promise<string> {
	const text = await readTextIfThere(file);
	if (text === undefined) {
		throw new CannotRun(`There is no file "${file}".`, 'Check its path.');
	}
	return text;
}

/** Reads a file, or resolves to undefined if there is none. Rejects with a CannotRun if it cannot be read. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
	try {
		const { size } = await stat(file);
		if (size > MAX_SIZE) {
			throw new CannotRun(`"${file}" is larger than ${MAX_SIZE / 1024 / 1024} MB.`, 'Check its path.');
		}
		return await readFile(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error instanceof CannotRun
			? error
			: new CannotRun(`"${file}" could not be read: ${messageOf(error)}.`, 'Check its path and its permissions.');
	}
}

/**
 * Writes a file. Rejects with a CannotRun.
 * @param what what is written, to begin a sentence with
 */
export async function writeText(file: string, text: string, what: string, fix: string): Promise<void> {
	try {
		await writeFile(file, text);
	} catch (error) {
		throw new CannotRun(`${what} could not be written: ${messageOf(error)}.`, fix);
	}
}
