import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { ProcessTree } from '../mcp/process/processTree.ts';
import type { Reaper } from '../mcp/process/reaperClient.ts';
import type { Copy, Recorder } from './recorder.ts';

/** After its exit, a process may leave its output to another one: no longer is then waited for more (ms). */
const OUTPUT_TIMEOUT = 500;

/** What clients end servers with. Windows has no signals: it ends a process at once. */
const SIGNALS = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT', 'SIGHUP'] as const);

/** What is started, and who has started it. */
export interface StdioTap {
	readonly command: string;
	readonly args: readonly string[];
	/** What the client writes. */
	readonly input: Readable;
	/** What the client reads. */
	readonly output: Writable;
	/** True if the terminal sends its signals to the server, too. */
	readonly isTerminal: boolean;
}

/** How the server ended: one of the two is null. */
export interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/**
 * Stands in for a server: starts it, and passes on whatever it and its client write, as bytes, before anything is done with them.
 * Resolves once it has ended and all that it wrote is passed on. Rejects if it cannot be started.
 */
export async function tapStdio(tap: StdioTap, recorder: Pick<Recorder, 'open'>, reaper: Reaper): Promise<Ended> {
	const { command, args, input, output, isTerminal } = tap;
	const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
	const { stdin, stdout } = child;
	if (!stdin || !stdout) {
		throw await once(child, 'error').then(([error]) => error);
	}
	const exited = new Promise<Ended>((resolve, reject) => {
		child.on('error', reject);
		child.once('exit', (code, signal) => resolve({ code, signal }));
	});
	pass(input, stdin, recorder.open({ kind: 'stdio', direction: 'sent' }));
	pass(stdout, output, recorder.open({ kind: 'stdio', direction: 'received' }));
	const forward = (signal: NodeJS.Signals) => {
		if (signal !== 'SIGINT' || !isTerminal) {
			child.kill(signal);
		}
	};
	for (const signal of SIGNALS) {
		process.on(signal, forward);
	}
	// A client may kill this process, which must not leave the server behind.
	const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid, randomUUID());
	if (tree) {
		reaper.watch(tree);
	}
	try {
		const ended = await exited;
		await passedOn(stdout, output);
		return ended;
	} finally {
		for (const signal of SIGNALS) {
			process.off(signal, forward);
		}
		if (tree) {
			reaper.release(tree.pid);
		}
		input.destroy();
	}
}

/** Passes one direction on: its bytes, its end, and that nobody reads it any more. */
function pass(from: Readable, to: Writable, copy: Copy): void {
	from.pipe(to);
	// Called after the pipe has written the same bytes.
	from.on('data', (chunk: Buffer) => copy.write(chunk));
	from.on('error', () => to.end());
	from.once('close', () => copy.end());
	to.on('error', () => from.destroy());
}

/** Resolves when the output is complete and passed on, or when there will be no more of it. */
function passedOn(from: Readable, to: Writable): Promise<void> {
	return new Promise((resolve) => {
		let timer: NodeJS.Timeout | undefined;
		const done = () => {
			clearTimeout(timer);
			resolve();
		};
		const isIdle = () => from.readableLength === 0 && to.writableLength === 0;
		const wait = () => {
			clearTimeout(timer);
			timer = setTimeout(() => (isIdle() ? done() : wait()), OUTPUT_TIMEOUT);
		};
		// A terminal or a file does not end with what is written to it.
		const doneIfIdle = () => isIdle() && done();
		to.once('finish', done).once('close', done);
		from.on('data', wait).once('close', doneIfIdle);
		wait();
		if (from.closed || to.destroyed) {
			doneIfIdle();
		}
	});
}

/** Standard output that does not wait for the client, and that can be closed: the client sees that the server has closed its own. */
export function ownOutput(): Writable {
	const about = fstatSync(1);
	return about.isFIFO() || about.isSocket() ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
}
