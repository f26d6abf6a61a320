import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Sink } from './transcript.ts';

/** Larger recordings cannot be opened (bytes). */
const MAX_FILE = 256 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Opens a file for the lines of a recording, each of which is written at once. What the file already has stays: the program may
 * have been started before, or several times. Throws if it cannot be written.
 */
export function appendTo(file: string): Sink {
	// Opening a pipe would wait for its other end. What is recorded is nobody else's business.
	const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
	const opened = openSync(file, flags, 0o600);
	const about = fstatSync(opened);
	if (!about.isFile()) {
		closeSync(opened);
		throw new Error('it is not a regular file');
	}
	let { size } = about;
	const last = Buffer.alloc(1);
	// The program may have been killed in the middle of a line.
	let missingEnd = size > 0 && readSync(opened, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
	return (line) => {
		const bytes = Buffer.from(missingEnd ? `\n${line}` : line);
		missingEnd = false;
		if (size + bytes.length > MAX_FILE) {
			throw new Error(`it would be larger than the ${MAX_FILE / 1024 / 1024} MB that can be opened`);
		}
		size += bytes.length;
		for (let at = 0; at < bytes.length; ) {
			at += writeSync(opened, bytes, at);
		}
	};
}
