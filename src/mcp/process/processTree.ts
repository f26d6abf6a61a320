import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

/** How long a server may take to leave after its input was closed, and again after it was told to (milliseconds). */
const PATIENCE = 700;

/**
 * Ends a child with everything that it has started. The protocol's order (lifecycle, shutdown): close its input, ask it to
 * leave, make it leave. The child must be the leader of a process group of its own on POSIX.
 */
export async function endTree(child: ChildProcess): Promise<void> {
	const { pid } = child;
	if (pid === undefined) {
		return;
	}
	child.stdin?.end();
	if (!(await exited(child, PATIENCE))) {
		signalTree(pid, 'SIGTERM');
		await exited(child, PATIENCE);
	}
	// Also when the leader has left by itself: what it started may still be there.
	signalTree(pid, 'SIGKILL');
	await exited(child, PATIENCE);
}

/** Signals the whole group; on Windows, where there are none, the tree is ended at once. */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' }).on('error', () => {});
		return;
	}
	try {
		process.kill(-pid, signal);
	} catch {
		// ESRCH: nobody of the group is left.
	}
}

function exited(child: ChildProcess, patience: number): Promise<boolean> {
	if (child.exitCode !== null || child.signalCode !== null) {
		return Promise.resolve(true);
	}
	return new Promise((resolve) => {
		const done = (left: boolean) => {
			clearTimeout(timer);
			child.off('exit', onExit);
			resolve(left);
		};
		const onExit = () => done(true);
		const timer = setTimeout(() => done(false), patience);
		child.once('exit', onExit);
	});
}
