// @ts-check
/** The same zip file in fewer bytes: compressed as far as the format allows. */
import { readFile, writeFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';

const LOCAL_HEADER = 0x04034b50;
const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;
/** More of them take their time and gain next to nothing. */
const numiterations = 5;

/**
 * Compresses every file in the zip anew. It must be a plain one, as a packager writes it: without extra fields or comments.
 * @param {string} path
 */
export async function squeeze(path) {
	const zip = await readFile(path);
	const end = zip.subarray(zip.lastIndexOf(bytes(END_OF_DIRECTORY)));
	/** @type {Buffer[]} */
	const files = [];
	/** @type {Buffer[]} */
	const directory = [];
	let offset = 0;
	for (const entry of entriesOf(zip, end)) {
		const data = Buffer.from(await deflateAsync(contentOf(zip, entry), { numiterations }));
		// Their size is known beforehand, so it does not follow the data.
		entry.writeUInt16LE(entry.readUInt16LE(8) & ~8, 8);
		entry.writeUInt16LE(DEFLATED, 10);
		entry.writeUInt32LE(data.length, 20);
		entry.writeUInt32LE(offset, 42);
		directory.push(entry);
		const file = Buffer.concat([bytes(LOCAL_HEADER), entry.subarray(6, 32), entry.subarray(46), data]);
		files.push(file);
		offset += file.length;
	}
	end.writeUInt32LE(offset, 16);
	await writeFile(path, Buffer.concat([...files, ...directory, end]));
}

/**
 * The entries of the directory, copied: a header of 46 bytes and the name.
 * @param {Buffer} zip
 * @param {Buffer} end
 */
function* entriesOf(zip, end) {
	let at = end.readUInt32LE(16);
	for (let left = end.readUInt16LE(10); left > 0; left--) {
		const length = 46 + zip.readUInt16LE(at + 28);
		if (zip.readUInt32LE(at + 30) !== 0) {
			throw new Error('An entry of the zip file has an extra field or a comment.');
		}
		yield Buffer.from(zip.subarray(at, at + length));
		at += length;
	}
}

/**
 * @param {Buffer} zip
 * @param {Buffer} entry
 */
function contentOf(zip, entry) {
	const header = entry.readUInt32LE(42);
	const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
	const data = zip.subarray(start, start + entry.readUInt32LE(20));
	return entry.readUInt16LE(10) === DEFLATED ? inflateRawSync(data) : data;
}

/** @param {number} value */
function bytes(value) {
	const four = Buffer.alloc(4);
	four.writeUInt32LE(value);
	return four;
}
