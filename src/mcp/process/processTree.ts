import { type ChildProcess, execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { type Running, running } from './running.ts';

/** Max time for a server to exit after its stdin is closed, and again after SIGTERM (ms). */
const EXIT_TIMEOUT = 700;

/**
 * A server's process and its descendants. On POSIX, these are its process group and its descendants, even those that
 * left the group; on Linux, also orphans, which are found by their mark.
 */
export class ProcessTree {
	/** Known members with their start time, because pids are reused. */
	readonly #members = new Map<number, string>();
	/** From the second scan on, even the leader's pid may have been reused. */
	#seen = false;

	/**
	 * @param pid on POSIX, the leader of its own process group
	 * @param mark the value of its `MARK` variable
	 */
	constructor(
		readonly pid: number,
		readonly mark: string,
	) {}

	/** Scans for members. Call it once the process runs and before ending it: orphans are hard to recognize. */
	async look(): Promise<void> {
		this.#find(await running());
	}

	/** Signals every member. POSIX only. */
	async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const all = await running();
		const members = this.#find(all);
		const leader = all.find(({ pid }) => pid === this.pid);
		// While the group exists, the pid of its leader isn't reused.
		if (leader === undefined || members.includes(leader)) {
			kill(-this.pid, signal);
		}
		for (const { pid } of members) {
			kill(pid, signal);
		}
	}

	#find(all: readonly Running[]): Running[] {
		const members = all.filter(
			({ pid, started, mark }) =>
				mark === this.mark || this.#members.get(pid) === started || (!this.#seen && pid === this.pid),
		);
		// Also visits members that are added during the loop.
		for (const { pid } of members) {
			members.push(...all.filter((each) => each.parent === pid && !members.includes(each)));
		}
		this.#seen = true;
		for (const { pid, started } of members) {
			this.#members.set(pid, started);
		}
		return members;
	}
}

/**
 * Ends a child process and its descendants in the order of the specification (lifecycle, shutdown): close stdin,
 * SIGTERM, SIGKILL.
 */
export async function endTree(child: ChildProcess, tree: ProcessTree): Promise<void> {
	await tree.look();
	child.stdin?.end();
	const left = await exited(child);
	if (process.platform === 'win32') {
		// After the exit, its pid may be reused, and its descendants can't be found.
		if (!left) {
			await endOnWindows(tree.pid);
		}
	} else {
		if (!left) {
			await tree.signal('SIGTERM');
			await exited(child);
		}
		// Even if the leader has exited: its descendants may still run.
		await tree.signal('SIGKILL');
	}
	await exited(child);
}

/** Ends a running process and its descendants. */
export function endOnWindows(pid: number): Promise<void> {
	const [command, args] = taskkill(pid, process.env);
	return new Promise((resolve) => execFile(command, args, { windowsHide: true }, () => resolve()));
}

/** An absolute path, because the working directory or PATH may contain another taskkill. */
export function taskkill(pid: number, { SystemRoot }: NodeJS.ProcessEnv): [command: string, args: string[]] {
	const root = SystemRoot !== undefined && win32.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows';
	return [win32.join(root, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/T', '/F']];
}

function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(pid, signal);
	} catch {
		// ESRCH: it has exited.
	}
}

/** Resolves to false if it is still running after the max time. */
function exited(child: ChildProcess): Promise<boolean> {
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
		const timer = setTimeout(() => done(false), EXIT_TIMEOUT);
		child.once('exit', onExit);
	});
}
