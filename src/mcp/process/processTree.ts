import { type ChildProcess, execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { type Running, running } from './running.ts';

/** How long a server may take to leave after its input was closed, and again after it was told to (milliseconds). */
const PATIENCE = 700;

/**
 * A server's process with what it has started, as far as the system tells: on POSIX its process group and its descendants,
 * also those that left the group; on Linux, by their mark, also those that have lost their parent.
 */
export class ProcessTree {
	/** Whoever was seen to belong to it, with the time of its start: the number alone may be another's by now. */
	readonly #members = new Map<number, string>();
	/** From the second look on, its own number may be another's as well. */
	#seen = false;

	/**
	 * @param pid the leader of a process group of its own on POSIX
	 * @param mark what its variable `MARK` holds
	 */
	constructor(
		readonly pid: number,
		readonly mark: string,
	) {}

	/** Looks who belongs to it. To be called once it has begun, and before it is told to end: orphans are hard to recognise. */
	async look(): Promise<void> {
		this.#find(await running());
	}

	/** Signals all of it. POSIX only. */
	async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const all = await running();
		const members = this.#find(all);
		const leader = all.find(({ pid }) => pid === this.pid);
		// A group outlives its leader, whose number goes to nobody else for so long.
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
		// What is added while this goes on is gone through as well.
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
 * Ends a child with what it has started. The protocol's order (lifecycle, shutdown): close its input, ask it to leave, make it
 * leave.
 */
export async function endTree(child: ChildProcess, tree: ProcessTree): Promise<void> {
	await tree.look();
	child.stdin?.end();
	const left = await exited(child, PATIENCE);
	if (process.platform === 'win32') {
		// Once it has left, its number may be another's, and nothing tells what it has started.
		if (!left) {
			await endOnWindows(tree.pid);
		}
	} else {
		if (!left) {
			await tree.signal('SIGTERM');
			await exited(child, PATIENCE);
		}
		// Also when the leader has left by itself: what it started may still be there.
		await tree.signal('SIGKILL');
	}
	await exited(child, PATIENCE);
}

/** Ends a process that is still there, with what it has started. */
export function endOnWindows(pid: number): Promise<void> {
	const [command, args] = taskkill(pid, process.env);
	return new Promise((resolve) => execFile(command, args, { windowsHide: true }, () => resolve()));
}

/** Whole, because a program of that name may lie in the working directory or on the PATH. */
export function taskkill(pid: number, { SystemRoot }: NodeJS.ProcessEnv): [command: string, args: string[]] {
	const root = SystemRoot !== undefined && win32.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows';
	return [win32.join(root, 'System32', 'taskkill.exe'), ['/pid', String(pid), '/T', '/F']];
}

function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
	try {
		process.kill(pid, signal);
	} catch {
		// ESRCH: it has left.
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
