import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import type { Json } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { isMessage } from '../wire/envelope.ts';
import { MAX_MESSAGE_LENGTH, MessageTooLongError, Reason } from '../wire/failure.ts';
import { endTree, ProcessTree } from './processTree.ts';
import type { Reaper } from './reaperClient.ts';
import { MARK } from './running.ts';

/** What is longer on stderr is broken into several lines (characters). */
const MAX_STDERR_LINE = 10_000;

/** How long the end of a process and the end of its pipes may be apart (milliseconds). */
const LINGERING = 500;

/** How many of its last lines on stderr are kept for the message about its end. */
const LAST_LINES = 5;

export interface StdioParameters {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
}

export interface StdioEvents {
	/** A line that the server wrote to stderr. */
	stderr(line: string): void;
	/** Something on stdout that is no JSON-RPC message (fault 14). */
	noise(line: string): void;
}

/** How a server's process ended. */
export interface Exit {
	readonly code: number | null;
	readonly signal: string | null;
	/** The last lines that it printed and that were no messages. */
	readonly lastLines: readonly string[];
}

/**
 * A server as a child process, one JSON-RPC message a line. Unlike the SDK's own, it leads a process group, is ended with
 * everything that it started, survives noise on stdout, and tells how it ended.
 */
export class StdioTransport implements Transport {
	onclose: (() => void) | undefined;
	onerror?: (error: Error) => void;
	onmessage?: NonNullable<Transport['onmessage']>;
	/** How it ended, when it did so by itself. */
	exit: Exit | undefined;
	/** Why it was ended, when that was the server's fault. */
	fault: Error | undefined;
	readonly #lastLines: string[] = [];
	#child: ChildProcess | undefined;
	#tree: ProcessTree | undefined;
	#closing: Promise<void> | undefined;
	/** The server no longer reads what is sent to it. */
	#broken = false;

	constructor(
		private readonly parameters: StdioParameters,
		private readonly events: StdioEvents,
		private readonly reaper: Reaper,
	) {}

	get pid(): number | undefined {
		return this.#child?.pid;
	}

	start(): Promise<void> {
		if (this.#closing) {
			return Promise.reject(new Reason(localizable('The server was stopped before it had started.')));
		}
		const { command, args, cwd, env } = this.parameters;
		const mark = randomUUID();
		const child = spawn(command, [...args], {
			stdio: 'pipe',
			detached: process.platform !== 'win32',
			windowsHide: true,
			env: { ...env, ...(process.platform === 'linux' && { [MARK]: mark }) },
			...(cwd !== undefined && { cwd }),
		});
		this.#child = child;
		const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid, mark);
		this.#tree = tree;
		return new Promise((resolve, reject) => {
			child.once('spawn', () => {
				if (tree) {
					this.reaper.watch(tree);
					void tree.look();
				}
				resolve();
			});
			child.once('error', (error) => {
				reject(error);
				this.onerror?.(error);
			});
			// A server that dies closes its input first: what was on its way to it fails, and the exit tells why.
			child.stdin?.on('error', (error) => {
				this.#broken = true;
				this.onerror?.(error);
			});
			const complaint = (line: string) => this.#hearStderr(line);
			splitLines(
				child.stdout,
				MAX_MESSAGE_LENGTH,
				(line) => this.#receive(line),
				() => this.#tooLong(),
			);
			splitLines(child.stderr, MAX_STDERR_LINE, complaint, complaint);
			child.once('close', (code, signal) => this.#onExit(code, signal));
			child.once('exit', (code, signal) => {
				// A grandchild may hold the pipes open for ever; the server itself is gone.
				setTimeout(() => this.#onExit(code, signal), LINGERING).unref();
			});
			child.stdout?.once('end', () => {
				// Mostly the process ends with it; one that lives on will never answer (fault 17).
				setTimeout(() => this.#onSilence(), LINGERING).unref();
			});
		});
	}

	send(message: JSONRPCMessage): Promise<void> {
		const stdin = this.#child?.stdin;
		if (!stdin?.writable) {
			return Promise.reject(new Reason(localizable('The server process has ended.')));
		}
		return new Promise((resolve, reject) => {
			stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
		});
	}

	close(): Promise<void> {
		this.#closing ??= this.#end();
		return this.#closing;
	}

	/** Waits a moment for the exit of a process whose pipe has just broken: the exit tells more than the pipe. */
	async exitSoon(): Promise<Exit | undefined> {
		const child = this.#child;
		if (child?.pid !== undefined && !this.exit && (this.#broken || !this.#closing)) {
			await Promise.race([once(child, 'close'), once(child, 'exit').then(() => delay(100)), delay(500)]);
		}
		return this.exit;
	}

	async #end(): Promise<void> {
		if (this.#child && this.#tree) {
			await endTree(this.#child, this.#tree);
			this.reaper.release(this.#tree.pid);
		}
		this.#announceClose();
	}

	#onExit(code: number | null, signal: NodeJS.Signals | null): void {
		// Who finds the pipe broken closes it, perhaps before the exit is known that broke it.
		if (!this.#closing || (this.#broken && code !== null)) {
			this.exit ??= { code, signal, lastLines: this.#lastLines };
			void this.close();
		}
	}

	#onSilence(): void {
		if (!this.#closing) {
			this.fault = new Reason(localizable('The server closed its output.'));
			void this.close();
		}
	}

	#announceClose(): void {
		const { onclose } = this;
		this.onclose = undefined;
		onclose?.();
	}

	#receive(line: string): void {
		if (line.trim() === '') {
			return;
		}
		let message: Json;
		try {
			message = JSON.parse(line);
		} catch {
			this.#hearNoise(line);
			return;
		}
		if (!isMessage(message)) {
			this.#hearNoise(line);
			return;
		}
		// Raw, a batch as well: what it holds is read behind the tap.
		this.onmessage?.(message as unknown as JSONRPCMessage);
	}

	#hearStderr(line: string): void {
		this.#remember(line);
		this.events.stderr(line);
	}

	/** What is no message is mostly meant for people, and printed in the wrong place. */
	#hearNoise(line: string): void {
		this.#remember(line.slice(0, MAX_STDERR_LINE));
		this.events.noise(line);
	}

	#remember(line: string): void {
		this.#lastLines.push(line);
		if (this.#lastLines.length > LAST_LINES) {
			this.#lastLines.shift();
		}
	}

	#tooLong(): void {
		this.fault = new MessageTooLongError();
		this.onerror?.(this.fault);
		this.#child?.stdout?.destroy();
		void this.close();
	}
}

/**
 * Calls `onLine` for every line of UTF-8, `onTooLong` for what is `most` characters long without being one. Bad bytes become
 * U+FFFD.
 */
function splitLines(
	stream: NodeJS.ReadableStream | null,
	most: number,
	onLine: (line: string) => void,
	onTooLong: (text: string) => void,
): void {
	const decoder = new StringDecoder('utf8');
	let parts: string[] = [];
	let length = 0;
	const take = () => {
		const text = parts.join('');
		parts = [];
		length = 0;
		return text;
	};
	stream?.on('data', (chunk: Buffer) => {
		const lines = decoder.write(chunk).split('\n');
		lines.forEach((text, index) => {
			parts.push(text);
			length += text.length;
			if (index < lines.length - 1) {
				const line = take();
				onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
			}
		});
		if (length > most) {
			onTooLong(take());
		}
	});
	stream?.on('error', () => {});
	stream?.on('end', () => {
		if (length > 0) {
			onLine(take());
		}
	});
}
