import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Chunk {
	readonly type: string;
	readonly data: Buffer;
}

/** One moment of an animated picture. */
export interface Moment {
	readonly png: Buffer;
	/** How long it stays, in milliseconds. */
	readonly rests: number;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Where a picture keeps what it shows: the hash of its text. */
const KEYWORD = 'Content';

/** A picture as small as it gets without loss, which names what it shows. */
export function still(png: Buffer, content: string): Buffer {
	return written([header(png), mark(content), { type: 'IDAT', data: pixels(png) }]);
}

/** Pictures of the same size as one that moves (APNG), over and over. Where nothing moves, the first is shown. */
export function animation(moments: readonly Moment[], content: string): Buffer {
	const [first] = moments;
	if (first === undefined) {
		throw new Error('An animation needs a moment.');
	}
	const head = header(first.png);
	let sequence = 0;
	const frames = moments.flatMap(({ png, rests }, index) => {
		if (!header(png).data.equals(head.data)) {
			throw new Error('The moments of an animation differ in size.');
		}
		const control = Buffer.alloc(26);
		control.writeUInt32BE(sequence++, 0);
		head.data.copy(control, 4, 0, 8);
		control.writeUInt16BE(rests, 20);
		control.writeUInt16BE(1000, 22);
		const isFirst = index === 0;
		const data = isFirst ? pixels(png) : Buffer.concat([number(sequence++), pixels(png)]);
		return [
			{ type: 'fcTL', data: control },
			{ type: isFirst ? 'IDAT' : 'fdAT', data },
		];
	});
	const endless = 0;
	const animated = { type: 'acTL', data: Buffer.concat([number(moments.length), number(endless)]) };
	return written([head, mark(content), animated, ...frames]);
}

/** The content that a picture names, if it does. */
export function contentOf(png: Buffer): string | undefined {
	const start = `${KEYWORD}\0`;
	const found = chunksOf(png).find(({ type, data }) => type === 'tEXt' && data.toString('latin1').startsWith(start));
	return found?.data.toString('latin1').slice(start.length);
}

function header(png: Buffer): Chunk {
	const [first] = chunksOf(png);
	if (first?.type !== 'IHDR') {
		throw new Error('This is no PNG.');
	}
	return first;
}

function mark(content: string): Chunk {
	return { type: 'tEXt', data: Buffer.from(`${KEYWORD}\0${content}`, 'latin1') };
}

/** All pixels, packed more tightly than a browser in a hurry does. */
function pixels(png: Buffer): Buffer {
	const parts = chunksOf(png).flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
	return deflateSync(inflateSync(Buffer.concat(parts)), { level: 9, memLevel: 9 });
}

function chunksOf(png: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = SIGNATURE.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const data = png.subarray(at + 8, at + 8 + length);
		chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
		at += length + 12;
	}
	return chunks;
}

function written(chunks: readonly Chunk[]): Buffer {
	const all = [...chunks, { type: 'IEND', data: Buffer.alloc(0) }].flatMap(({ type, data }) => {
		const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
		return [number(data.length), body, number(crc32(body))];
	});
	return Buffer.concat([SIGNATURE, ...all]);
}

function number(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
}
