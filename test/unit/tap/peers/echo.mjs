// @ts-check
/**
 * Writes back whatever it reads, and ends with its input.
 *   node echo.mjs              exits with 7
 *   node echo.mjs die BYTES    kills itself once it has read so many bytes
 *   node echo.mjs flood BYTES  writes so many bytes at once, without reading
 *   node echo.mjs mute         closes its output at once, and tells on stderr when its input has ended
 */
import { closeSync } from 'node:fs';

const [what, bytes] = process.argv.slice(2);
let left = Number(bytes);
if (what === 'flood') {
	process.stdout.write(Buffer.alloc(left, 'flood '), () => process.exit(7));
} else if (what === 'mute') {
	closeSync(1);
	process.stdin.resume().on('end', () => process.stderr.write('ended\n'));
} else {
	process.stdin.on('data', (chunk) => {
		process.stdout.write(what === 'die' ? chunk.subarray(0, left) : chunk, () => {
			left -= chunk.length;
			if (left <= 0) {
				process.kill(process.pid, 'SIGKILL');
			}
		});
	});
	process.stdin.on('end', () => {
		process.exitCode = 7;
	});
}
