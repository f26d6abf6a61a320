// @ts-check
/**
 * The process of a raw stdio server. Forwards stdin to the test verbatim, writes what the test sends to stdout or
 * stderr, and exits when and how the test decides. Frames from the test: kind (1 byte), length (4 bytes), bytes.
 *
 *   node bridge.mjs PORT
 */
import { closeSync } from 'node:fs';
import { connect } from 'node:net';

const socket = connect(Number(process.argv[2]), '127.0.0.1').setNoDelay();
socket.write(`${process.pid}\n`);
process.stdin.on('data', (chunk) => socket.write(chunk));
process.stdin.on('end', () => socket.end());
socket.on('error', () => process.exit(1));
// The test is over.
socket.on('close', () => process.exit());

let rest = Buffer.alloc(0);
socket.on('data', (chunk) => {
	rest = Buffer.concat([rest, chunk]);
	while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
		const end = 5 + rest.readUInt32BE(1);
		perform(rest.toString('latin1', 0, 1), rest.subarray(5, end));
		rest = rest.subarray(end);
	}
});

/** @param {string} kind @param {Buffer} bytes */
function perform(kind, bytes) {
	switch (kind) {
		case 'o':
			process.stdout.write(bytes);
			return;
		case 'e':
			process.stderr.write(bytes);
			return;
		case 'c':
			closeSync(1);
			return;
		case 'i':
			process.stdin.pause();
			closeSync(0);
			socket.write('\0\n');
			return;
		case 'x':
			process.exit(Number(bytes.toString()));
	}
}
