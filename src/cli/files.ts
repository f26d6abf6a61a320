import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseText } from '../config/text.ts';
import { notJson } from '../elicitation/jsonFault.ts';
import { english, render } from '../elicitation/sentence.ts';
import { readRegularFile, UnreadableFile } from '../mcp/process/regularFile.ts';
import { CannotRun, messageOf } from './errors.ts';

/** Larger files are not read (bytes). */
const MAX_SIZE = 64 * 1024 * 1024;

/** A part of the package, beside the program. */
export const packaged = (name: string) => join(import.meta.dirname, name);

/** Reads a file. Rejects with a CannotRun. */
export async function readText(file: string): Promise<string> {
	return decoded(await readBytes(file));
}

/** Reads a file, or resolves to undefined if there is none. Rejects with a CannotRun if it cannot be read. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
	const bytes = readBytesIfThere(file);
	return bytes && decoded(bytes);
}

/** Reads a file. Rejects with a CannotRun if there is none, or if it cannot be read. */
export async function readBytes(file: string): Promise<Uint8Array> {
	const bytes = readBytesIfThere(file);
	if (bytes === undefined) {
		throw new CannotRun(`There is no file "${file}".`, 'Check its path.');
	}
	return bytes;
}

/** Without the byte order mark, which editors do not count. */
function decoded(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function readBytesIfThere(file: string): Uint8Array | undefined {
	try {
		return readRegularFile(file, MAX_SIZE);
	} catch (error) {
		if (error instanceof UnreadableFile && error.why === 'large') {
			throw new CannotRun(`"${file}" is larger than ${MAX_SIZE / 1024 / 1024} MB.`, 'Check its path.');
		}
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw new CannotRun(`"${file}" could not be read: ${messageOf(error)}.`, 'Check its path and its permissions.');
	}
}

/**
 * The value of a text that is JSON, which may have comments. Throws a CannotRun.
 * @param what where it stands, to begin a sentence with
 */
export function jsonIn(text: string, what: string): unknown {
	const { value, fault } = parseText(text);
	if (fault) {
		throw new CannotRun(`${what} cannot be read: ${render(notJson(text, fault), english)}`, 'Correct the file.');
	}
	return value;
}

/** A file that will be written. */
export interface Target {
	readonly path: string;
	/** What is written, to begin a sentence with. */
	readonly what: string;
	/** What to do if it cannot be. */
	readonly fix: string;
}

/** Rejects with a CannotRun if a file cannot be written, before anything is done that would be lost. */
export async function checkWritable({ path, what, fix }: Target): Promise<void> {
	try {
		const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'ENOENT') {
				throw error;
			}
		});
		if (there?.isDirectory()) {
			throw new Error('it is a folder');
		}
		await access(there ? path : dirname(path), constants.W_OK);
	} catch (error) {
		throw unwritten(what, error, fix);
	}
}

/** Writes a file. Rejects with a CannotRun. */
export async function writeText({ path, what, fix }: Target, text: string): Promise<void> {
	try {
		await writeFile(path, text);
	} catch (error) {
		throw unwritten(what, error, fix);
	}
}

function unwritten(what: string, error: unknown, fix: string): CannotRun {
	return new CannotRun(`${what} could not be written: ${messageOf(error)}.`, fix);
}
