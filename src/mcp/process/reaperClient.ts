import { type ChildProcess, spawn } from 'node:child_process';
import type { Disposable } from '../../elicitation/emitter.ts';
import type { ProcessTree } from './processTree.ts';

/** Manages the reaper process: starts it with the first stdio server, reports every one, and ends it with the last. */
export class Reaper {
	/** The mark of each server process, by pid. */
	readonly #trees = new Map<number, string>();
	#process: ChildProcess | undefined;

	/** True while the process outlives the last server. */
	#kept = false;

	/** @param file the bundled reaper script */
	constructor(private readonly file: string) {}

	/** Keeps the process between servers until it is disposed, for a program that starts many one after the other. */
	keep(): Disposable {
		this.#kept = true;
		return {
			dispose: () => {
				this.#kept = false;
				this.#endIfIdle();
			},
		};
	}

	watch({ pid, mark }: ProcessTree): void {
		this.#trees.set(pid, mark);
		if (this.#process) {
			this.#tell(`+${pid} ${mark}`);
			return;
		}
		this.#start();
		// Report all processes again, because an earlier reaper may have been killed.
		for (const [each, its] of this.#trees) {
			this.#tell(`+${each} ${its}`);
		}
	}

	release(pid: number): void {
		if (this.#trees.delete(pid)) {
			this.#tell(`-${pid}`);
		}
		this.#endIfIdle();
	}

	#endIfIdle(): void {
		if (this.#trees.size === 0 && !this.#kept) {
			this.#process?.stdin?.end();
			this.#process = undefined;
		}
	}

	#start(): void {
		const child = spawn(process.execPath, [this.file], {
			detached: true,
			stdio: ['pipe', 'ignore', 'ignore'],
			windowsHide: true,
			env: { ELECTRON_RUN_AS_NODE: '1' },
		});
		const gone = () => {
			if (this.#process === child) {
				this.#process = undefined;
			}
		};
		child.on('error', gone);
		child.on('exit', gone);
		child.stdin?.on('error', gone);
		child.unref();
		this.#process = child;
	}

	#tell(line: string): void {
		this.#process?.stdin?.write(`${line}\n`);
	}
}
