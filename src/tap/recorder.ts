import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Cut } from './channel.ts';
import type { About, FromWorker, Post, RecordingOptions, ToWorker } from './recording.ts';

/** How much may wait to be recorded (bytes). What exceeds it is left out of the recording. */
const MAX_WAITING = 32 * 1024 * 1024;

/** What a post takes besides its bytes. */
const POST_SIZE = 200;

/** Max memory of the thread (MB). A message of the max size is in it as bytes, as text, as JSON, and without its secrets. */
const MAX_MEMORY = 1_024;

/** Max time to record what is left when both sides have gone (ms). */
const CLOSE_TIMEOUT = 2_000;

/** Takes a copy of what passes in one direction. Never throws, and never waits. */
export interface Copy {
	write(chunk: Uint8Array): void;
	/** @param cut who has ended it before it was complete, if anybody has */
	end(cut?: Cut): void;
}

/**
 * Records in a thread of its own. Whatever becomes of that, nothing here waits for it: what it cannot take in time is missing in
 * the recording, which says so; when it has failed, nothing more is recorded.
 */
export class Recorder {
	readonly #worker: Worker;
	readonly #gone: Promise<unknown>;
	#waiting = 0;
	/** What is sent to the thread at the end of this turn of the event loop: each time that costs as much as a small message. */
	#batch: Post[] = [];
	#transfer: ArrayBuffer[] = [];
	#channels = 0;
	#hasFailed = false;

	/**
	 * @param program the bundled worker
	 * @param onFailure called once if nothing, or nothing more, can be recorded
	 */
	constructor(
		program: string,
		options: RecordingOptions,
		private readonly onFailure: (why: string) => void,
		private readonly mostWaiting = MAX_WAITING,
	) {
		this.#worker = new Worker(program, {
			workerData: options,
			// Nothing that it may write is for the client.
			...{ stdout: true, stderr: true },
			resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
		});
		this.#gone = once(this.#worker, 'exit').catch(() => {});
		this.#worker.on('message', ({ done, failed }: FromWorker) => {
			this.#waiting -= done ?? 0;
			if (failed !== undefined) {
				this.#fail(failed);
			}
		});
		this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error.message : String(error)));
		this.#worker.unref();
	}

	/** Begins to record one direction of a connection, or the body of an HTTP message. */
	open(about: About): Copy & { readonly id: number } {
		const id = ++this.#channels;
		/** What is missing before the next bytes. */
		let lost = 0;
		this.#post({ id, about }, 0);
		return {
			id,
			write: (chunk) => {
				if (this.#waiting + chunk.length > this.mostWaiting) {
					lost += chunk.length;
				} else if (!this.#hasFailed) {
					const bytes = new Uint8Array(chunk);
					this.#post({ id, bytes, lost, at: Date.now() }, bytes.length, bytes.buffer);
					lost = 0;
				}
			},
			end: (cut) => this.#post({ id, end: true, cut, lost, at: Date.now() }, 0),
		};
	}

	/** Resolves when all is recorded, or soon. */
	async close(): Promise<void> {
		this.#post({ close: true }, 0);
		this.#worker.ref();
		const isGone = new AbortController();
		const late = delay(CLOSE_TIMEOUT, undefined, { signal: isGone.signal }).catch(() => {});
		await Promise.race([this.#gone, late]);
		isGone.abort();
		await this.#worker.terminate();
	}

	#post(post: ToWorker, length: number, transfer?: ArrayBuffer): void {
		if (this.#hasFailed) {
			return;
		}
		const size = length + POST_SIZE;
		this.#waiting += size;
		// What is too large for the queue is left out, but even that is told in it.
		if (this.#waiting > 2 * this.mostWaiting) {
			this.#fail('it is too slow');
			return;
		}
		if (this.#batch.length === 0) {
			setImmediate(() => this.#send());
		}
		this.#batch.push({ ...post, size });
		if (transfer) {
			this.#transfer.push(transfer);
		}
	}

	#send(): void {
		this.#worker.postMessage(this.#batch, this.#transfer);
		this.#batch = [];
		this.#transfer = [];
	}

	#fail(why: string): void {
		if (!this.#hasFailed) {
			this.#hasFailed = true;
			this.onFailure(why);
		}
	}
}
