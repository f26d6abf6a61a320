import type { Socket } from 'node:net';

/** How long the other end may take for its first line (ms). */
export const PATIENCE = 5_000;

/** Max length of the first line (bytes). */
const MAX_LENGTH = 64 * 1024;

/**
 * Reads the first line that comes, and pauses the socket: what follows waits until it is resumed. Undefined, and the socket is closed, if
 * the line is too long or takes too long.
 */
export function firstLine(socket: Socket): Promise<string | undefined> {
	return new Promise((resolve) => {
		let heard = Buffer.alloc(0);
		const timer = setTimeout(() => socket.destroy(), PATIENCE);
		const hear = (chunk: Buffer) => {
			heard = Buffer.concat([heard, chunk]);
			const end = heard.indexOf('\n');
			if (end >= 0) {
				socket.off('data', hear).pause();
				socket.unshift(heard.subarray(end + 1));
				finish(heard.subarray(0, end).toString());
			} else if (heard.length > MAX_LENGTH) {
				socket.destroy();
			}
		};
		const finish = (line?: string) => {
			clearTimeout(timer);
			resolve(line);
		};
		socket.on('data', hear);
		socket.once('close', () => finish());
	});
}
