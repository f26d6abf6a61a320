import { createInterface } from 'node:readline';
import { endOnWindows, ProcessTree } from './processTree.ts';

/**
 * A process of its own that outlives the extension host by a moment: it is told the processes of the servers, and when its
 * input ends without their having been ended first (the host was killed), it ends them. Protocol: lines `+pid mark`, `-pid`.
 */
const trees = new Map<number, ProcessTree>();

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const [number = '', mark = ''] = line.slice(1).split(' ');
		const pid = Number(number);
		if (!Number.isSafeInteger(pid) || pid <= 1) {
			return;
		}
		if (line.startsWith('+')) {
			const tree = new ProcessTree(pid, mark);
			trees.set(pid, tree);
			void tree.look();
		} else {
			trees.delete(pid);
		}
	})
	.on('close', () => void end());

async function end(): Promise<void> {
	const all = [...trees.values()];
	if (process.platform === 'win32') {
		// At once and only once: a moment later their numbers may be others'.
		await Promise.all(all.map(({ pid }) => endOnWindows(pid)));
		return;
	}
	await Promise.all(all.map((tree) => tree.signal('SIGTERM')));
	setTimeout(() => all.forEach((tree) => void tree.signal('SIGKILL')), 1000);
}
