import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Why a file was not read. A missing one is an error of the file system (ENOENT). */
export class UnreadableFile extends Error {
	constructor(readonly why: 'folder' | 'device' | 'large') {
		super({ folder: 'it is a folder', device: 'it is not a regular file', large: 'it is too large' }[why]);
	}
}

/**
 * Reads a regular file. Devices and pipes, to which a link in a repository may lead, have no size and perhaps no end: they are
 * neither waited for nor read.
 * @param most max size, of what is read, not of what the file system says before (bytes)
 */
export function readRegularFile(file: string, most: number): Uint8Array {
	// Without the flag, opening a pipe waits for its other end. Windows has none.
	const opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const about = fstatSync(opened);
		if (!about.isFile()) {
			throw new UnreadableFile(about.isDirectory() ? 'folder' : 'device');
		}
		if (about.size > most) {
			throw new UnreadableFile('large');
		}
		const parts: Buffer[] = [];
		let size = 0;
		for (;;) {
			const part = Buffer.allocUnsafe(Math.max(PART, about.size - size + 1));
			const length = readSync(opened, part);
			if (length === 0) {
				return Buffer.concat(parts, size);
			}
			parts.push(part.subarray(0, length));
			size += length;
			if (size > most) {
				throw new UnreadableFile('large');
			}
		}
	} finally {
		closeSync(opened);
	}
}

/** Min size of what is read at once (bytes). */
const PART = 4_096;
