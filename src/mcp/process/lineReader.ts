import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { omitted } from '../../elicitation/truncate.ts';
import { MESSAGES_PER_TURN } from '../wire/envelope.ts';

/** What a line may be, and who is told. */
export interface Lines {
	/** Max length of a line (characters). */
	readonly maxLength: number;
	onLine(line: string): void;
	/** Called in place of a line that exceeds the length. Without it, the line ends there, and says how much was omitted. */
	onTooLong?(): void;
	/** Resolves when another line may be handled; undefined if it may be at once. */
	ready?(): Promise<void> | undefined;
}

/** Max length of the beginning of a line (characters). */
const MAX_BEGUN = 1_000;

/**
 * Reads the UTF-8 lines of a process, a bounded number in each turn of the event loop: a server that writes thousands of
 * messages at once would block it otherwise. Invalid bytes become U+FFFD.
 */
export class LineReader {
	/** Resolves when the stream has ended or failed, and its last line was handled. */
	readonly done: Promise<void>;
	readonly #decoder = new StringDecoder('utf8');
	/** The parts of the line that has no end yet, and their length. */
	#parts: string[] = [];
	#length = 0;
	/** How much of the line was left out (characters). */
	#omitted = 0;
	/** Lines that wait for their turn, from `#next` on. */
	#waiting: string[] = [];
	#next = 0;
	#handled = 0;
	#isPaused = false;
	#isFinishing = false;
	#hasEnded = false;
	#onDone = () => {};

	constructor(
		private readonly stream: Readable,
		private readonly lines: Lines,
	) {
		this.done = new Promise((resolve) => {
			this.#onDone = resolve;
		});
		stream.on('data', (chunk: Buffer) => this.#read(chunk));
		stream.on('error', () => {});
		stream.once('close', () => {
			if (this.#length > 0) {
				this.#waiting.push(this.#take());
			}
			this.#hasEnded = true;
			this.#handle();
		});
	}

	/** The beginning of the line that has no end yet: a program that asks a question may wait on the same line. */
	get begun(): string {
		return this.#parts.join('').slice(0, MAX_BEGUN);
	}

	/** Reads what is left without a pause: the process has exited, and its pipe holds little. */
	finish(): void {
		this.#isFinishing = true;
		this.#resume();
	}

	#read(chunk: Buffer): void {
		const [rest = '', ...begun] = this.#decoder.write(chunk).split('\n');
		this.#add(rest);
		for (const text of begun) {
			const line = this.#take();
			this.#waiting.push(line.endsWith('\r') ? line.slice(0, -1) : line);
			this.#add(text);
		}
		if (this.lines.onTooLong && this.#length > this.lines.maxLength) {
			this.#take();
			this.lines.onTooLong();
		}
		this.#handle();
	}

	#handle(): void {
		while (!this.#isPaused && this.#next < this.#waiting.length) {
			if (++this.#handled % MESSAGES_PER_TURN === 0 && !this.#isFinishing) {
				this.#isPaused = true;
				this.stream.pause();
				// What these lines have begun counts, too.
				setImmediate(async () => {
					await this.lines.ready?.();
					this.#resume();
				});
			}
			this.lines.onLine(this.#waiting[this.#next++] as string);
		}
		if (this.#next < this.#waiting.length) {
			return;
		}
		this.#waiting = [];
		this.#next = 0;
		if (this.#hasEnded) {
			this.#onDone();
		}
	}

	#resume(): void {
		this.#isPaused = false;
		this.stream.resume();
		this.#handle();
	}

	#add(text: string): void {
		const room = this.lines.onTooLong ? text.length : Math.max(0, this.lines.maxLength - this.#length);
		const kept = text.slice(0, room);
		if (kept !== '') {
			this.#parts.push(kept);
		}
		this.#length += kept.length;
		this.#omitted += text.length - kept.length;
	}

	#take(): string {
		const text = this.#parts.join('') + (this.#omitted > 0 ? omitted(this.#omitted) : '');
		this.#parts = [];
		this.#length = 0;
		this.#omitted = 0;
		return text;
	}
}
