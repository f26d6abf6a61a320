import { createInterface } from 'node:readline';
import { endOnWindows, ProcessTree } from './processTree.ts';

/**
 * A separate process that ends the servers if the extension host is killed. The host reports their processes on stdin;
 * when stdin closes, the remaining ones are ended. Protocol: lines `+pid mark` and `-pid`.
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
		// In parallel and only once, because pids may be reused afterwards.
		await Promise.all(all.map(({ pid }) => endOnWindows(pid)));
		return;
	}
	await Promise.all(all.map((tree) => tree.signal('SIGTERM')));
	setTimeout(() => all.forEach((tree) => void tree.signal('SIGKILL')), 1000);
}
