import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { shorten } from '../../elicitation/display.ts';
import type { Json } from '../../elicitation/json.ts';
import { parsedJson, writeJson } from '../../elicitation/jsonText.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { truncateText } from '../../elicitation/truncate.ts';
import { isMessage } from '../wire/envelope.ts';
import { MAX_MESSAGE_LENGTH, MAX_WORDS, MessageTooLongError, Reason } from '../wire/failure.ts';
import type { Wire } from '../wire/wire.ts';
import { LineReader } from './lineReader.ts';
import { endTree, ProcessTree } from './processTree.ts';
import type { Reaper } from './reaperClient.ts';
import { MARK } from './running.ts';

/** Longer lines on stderr are cut (characters). */
const MAX_STDERR_LINE = 10_000;

/** Max time between the exit of a process and the end of its pipes (ms). */
const PIPE_TIMEOUT = 500;

/** Max time to wait for the exit of a process that may have failed (ms). */
const EXIT_TIMEOUT = 500;

/** The same for one whose pipe has broken: it exits by itself, and a busy machine may take long for that (ms). */
const BROKEN_EXIT_TIMEOUT = 5_000;

/** The header with which language servers begin each message. MCP has one message per line instead. */
const FRAMED = /^Content-Length:\s*\d+$/i;

/** Number of last lines to keep. Node writes six below the message of an error that is a failed connection. */
const LAST_LINES = 8;

/** What Node and Python write around the message of an error: blank lines, carets, frames, and the version. */
const AROUND_ERROR = /^(\s*([\^~]+|\})?|\s+at .*[){\d]|\s+File ".*", line \d.*|Node\.js v\S+)$/;

/** Lines of output on one line, shortened. */
function linesOf(lines: readonly string[]): string {
	return shorten(
		lines
			.map((line) => line.trim())
			.filter(Boolean)
			.join(' ⏎ '),
		MAX_WORDS,
	);
}

export interface StdioParameters {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string>>;
}

export interface StdioEvents {
	/** A line that the server wrote to stderr. */
	stderr(line: string): void;
	/** A line on stdout that isn't a JSON-RPC message (fault 14). */
	noise(line: string): void;
}

/** How a server's process ended. */
export interface Exit {
	readonly code: number | null;
	readonly signal: string | null;
	/** The last lines on stdout and stderr that weren't messages, without what surrounds the message of an error. */
	readonly lastLines: readonly string[];
}

/**
 * Runs a server as a child process with one JSON-RPC message per line. Unlike the SDK's transport, it starts a process
 * group, ends all descendants, tolerates other output on stdout, and reports how the process ended.
 */
export class StdioTransport implements Wire {
	readonly hasStreams = false;
	revision?: string;
	onclose: (() => void) | undefined;
	onerror?: (error: Error) => void;
	onmessage?: (message: Json) => void;
	/** Resolves when more may be read; undefined if it may be at once. */
	ready?: () => Promise<void> | undefined;
	/** How the process ended, if it exited by itself. */
	exit: Exit | undefined;
	/** Why the connection was closed, if that was the server's fault. */
	fault: Error | undefined;
	readonly #lastLines: string[] = [];
	/** The first other lines on stdout. Nothing is added after the first message. */
	readonly #otherLines: string[] = [];
	#hasSpoken = false;
	#messages: LineReader | undefined;
	#child: ChildProcess | undefined;
	#tree: ProcessTree | undefined;
	#closing: Promise<void> | undefined;
	/** Resolves when the process has exited and its last output is received. */
	#exited: Promise<void> | undefined;
	/** The server no longer reads its stdin. */
	#broken = false;

	constructor(
		private readonly parameters: StdioParameters,
		private readonly events: StdioEvents,
		private readonly reaper: Reaper,
	) {}

	get pid(): number | undefined {
		return this.#child?.pid;
	}

	/** What the process has written to stdout instead of a message, one line after the other; empty once there was a message. */
	get otherOutput(): string {
		return this.#hasSpoken ? '' : linesOf([...this.#otherLines, this.#messages?.begun ?? '']);
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
				// On Windows, cross-spawn emits ENOENT in place of the exit of a cmd.exe that hasn't found the command.
				this.fault ??= error;
				this.onerror?.(error);
			});
			// A server that dies closes stdin first. Pending writes fail, and the exit explains why.
			child.stdin?.on('error', (error) => {
				this.#broken = true;
				this.onerror?.(error);
			});
			if (child.stdout && child.stderr) {
				this.#read(child, child.stdout, child.stderr);
			}
		});
	}

	#read(child: ChildProcess, stdout: Readable, stderr: Readable): void {
		const messages = new LineReader(stdout, {
			maxLength: MAX_MESSAGE_LENGTH,
			onLine: (line) => this.#receive(line),
			onTooLong: () => this.#giveUp(new MessageTooLongError()),
			ready: () => this.ready?.(),
		});
		this.#messages = messages;
		const log = new LineReader(stderr, { maxLength: MAX_STDERR_LINE, onLine: (line) => this.#hearStderr(line) });
		void messages.done.then(() => {
			// Usually the process exits as well. If it doesn't, it will never respond (fault 17).
			setTimeout(() => this.#onSilence(), PIPE_TIMEOUT).unref();
		});
		this.#exited = new Promise((resolve) => {
			// Where there is no process, there is no exit.
			child.once('error', () => resolve());
			child.once('exit', async (code, signal) => {
				messages.finish();
				log.finish();
				// A grandchild may keep the pipes open after the server has exited.
				const timeout = delay(PIPE_TIMEOUT, undefined, { ref: false });
				await Promise.race([Promise.all([messages.done, log.done]), timeout]);
				this.#onExit(code, signal);
				resolve();
			});
		});
	}

	send(message: JSONRPCMessage): Promise<void> {
		const stdin = this.#child?.stdin;
		if (!stdin?.writable) {
			return Promise.reject(new Reason(localizable('The server process has exited.')));
		}
		return new Promise((resolve, reject) => {
			stdin.write(`${writeJson(message)}\n`, (error) => {
				// Before whoever has sent it closes the transport.
				this.#broken ||= Boolean(error);
				error ? reject(error) : resolve();
			});
		});
	}

	close(): Promise<void> {
		this.#closing ??= this.#end();
		return this.#closing;
	}

	/** Waits for the exit of a process that may have failed, because the exit explains more. */
	async exitSoon(): Promise<Exit | undefined> {
		if (this.pid !== undefined && !this.exit && (this.#broken || !this.#closing)) {
			await this.#exitWithin(this.#broken ? BROKEN_EXIT_TIMEOUT : EXIT_TIMEOUT);
		}
		return this.exit;
	}

	async #exitWithin(ms: number): Promise<void> {
		await Promise.race([this.#exited, delay(ms, undefined, { ref: false })]);
	}

	async #end(): Promise<void> {
		if (this.#child && this.#tree) {
			if (this.#broken) {
				await this.#exitWithin(BROKEN_EXIT_TIMEOUT);
			}
			await endTree(this.#child, this.#tree);
			this.reaper.release(this.#tree.pid);
		}
		this.#announceClose();
	}

	#onExit(code: number | null, signal: NodeJS.Signals | null): void {
		// Whoever notices the broken pipe may close the transport before the exit is reported.
		if (!this.#closing || (this.#broken && code !== null)) {
			this.exit ??= { code, signal, lastLines: this.#lastLines };
			void this.close();
		}
	}

	#onSilence(): void {
		if (!this.#closing) {
			this.fault ??= new Reason(localizable('The server closed its output.'));
			void this.close();
		}
	}

	#announceClose(): void {
		const { onclose } = this;
		this.onclose = undefined;
		onclose?.();
	}

	#receive(line: string): void {
		// Some programs begin with a byte order mark, which counts as space.
		const text = line.trim();
		if (text === '') {
			return;
		}
		const message = parsedJson(text) ?? null;
		if (!isMessage(message)) {
			this.#hearNoise(line);
			return;
		}
		this.#hasSpoken = true;
		this.onmessage?.(message);
	}

	#hearStderr(line: string): void {
		this.#remember(line);
		this.events.stderr(line);
	}

	/** Other output on stdout is usually a log message in the wrong place. */
	#hearNoise(line: string): void {
		const kept = truncateText(line, MAX_STDERR_LINE);
		this.#remember(kept);
		this.events.noise(line);
		if (this.#hasSpoken) {
			return;
		}
		if (FRAMED.test(line.trim())) {
			this.#giveUp(
				new Reason(
					localizable('The server begins its messages with "Content-Length", as language servers do.'),
					localizable("Report it to the server's author: over stdio, MCP has one message per line, without headers."),
				),
			);
		} else if (this.#otherLines.length < LAST_LINES) {
			this.#otherLines.push(kept);
		}
	}

	#remember(line: string): void {
		if (this.#lastLines.length > 0 && AROUND_ERROR.test(line)) {
			return;
		}
		this.#lastLines.push(line);
		if (this.#lastLines.length > LAST_LINES) {
			this.#lastLines.shift();
		}
	}

	/** Ends the connection because of what the server sent. */
	#giveUp(fault: Error): void {
		this.fault = fault;
		this.onerror?.(fault);
		this.#child?.stdout?.destroy();
		void this.close();
	}
}
