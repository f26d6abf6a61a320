import { createInterface } from 'node:readline';
import { signalTree } from './processTree.ts';

/**
 * A process of its own that outlives the extension host by a moment: it is told the process groups of the servers, and when
 * its input ends without their having been ended first (the host was killed), it ends them. Protocol: lines `+pid`, `-pid`.
 */
const groups = new Set<number>();

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const pid = Number(line.slice(1));
		if (Number.isSafeInteger(pid) && pid > 1) {
			line.startsWith('+') ? groups.add(pid) : groups.delete(pid);
		}
	})
	.on('close', () => {
		for (const pid of groups) {
			signalTree(pid, 'SIGTERM');
		}
		setTimeout(() => {
			for (const pid of groups) {
				signalTree(pid, 'SIGKILL');
			}
		}, 1000);
	});
