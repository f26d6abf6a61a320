import { Worker } from 'node:worker_threads';
import type { Verdict } from '../elicitation/form/validate.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import type { Report, Task } from './messages.ts';

/** Deadlines (ms). A thread that misses one is terminated. */
const DEADLINE = { start: 10_000, compile: 2_000, validate: 100 } as const;
const MEMORY_MB = 64;
/** An unused thread is terminated after this time (ms). */
const IDLE = 60_000;
/**
 * A machine that is busy with other things gets a deadline this many times: a thread that had less processor time than its
 * deadline is not late. What this process has used bounds what its thread had.
 */
const PATIENCE = 10;
/** A busy host may miss the short deadline once; a malicious schema always misses it. */
const ATTEMPTS = 2;

const NOT_STARTED = localizable('The check could not be run. The server will check it.');
export const STOPPED = localizable('The check was stopped.');

type Stage = keyof typeof DEADLINE;

/** State of a schema object. Kept while the object is referenced. */
export interface KnownSchema {
	readonly text: string;
	/** Why it is not run any more. */
	refused?: Sentence;
}

interface Job {
	readonly id: number;
	readonly schema: KnownSchema;
	readonly contents: readonly string[];
	readonly settle: (verdicts: readonly Verdict[] | undefined) => void;
	attempts: number;
}

/** Owns a disposable validation thread with deadlines and a memory limit. Starts it on demand. */
export class ValidatorWorker {
	#job: Job | undefined;
	#thread: Worker | undefined;
	#ready = false;
	/** The text of the schema that the thread has compiled. */
	#loaded: string | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#nextId = 1;

	constructor(private readonly workerFile: string) {}

	get busy(): boolean {
		return this.#job !== undefined;
	}

	/** True while there is a thread. */
	get running(): boolean {
		return this.#thread !== undefined;
	}

	/**
	 * Runs one schema at a time, so that a deadline concerns only one schema. Marks schemas that must not be run again.
	 * Never rejects. Resolves to undefined if one of several contents stopped the thread: nothing tells which of them.
	 */
	run(schema: KnownSchema, contents: readonly string[]): Promise<readonly Verdict[] | undefined> {
		return new Promise((settle) => {
			this.#begin({ id: this.#nextId++, schema, contents, settle, attempts: 0 });
		});
	}

	/** Terminates the thread. A running validation becomes `unchecked`. */
	dispose(): void {
		this.#fail(STOPPED, false);
	}

	#begin(job: Job): void {
		this.#job = job;
		job.attempts++;
		try {
			this.#thread ??= this.#start();
		} catch {
			this.#fail(NOT_STARTED, false);
			return;
		}
		if (this.#ready) {
			this.#send(job);
		} else {
			this.#expect('start');
		}
	}

	#start(): Worker {
		const thread = new Worker(this.workerFile, {
			name: 'schema validator',
			// The thread must not inherit environment variables, inspector or preload flags.
			env: {},
			execArgv: [],
			stdout: true,
			stderr: true,
			resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
		});
		// While it runs something, its deadline keeps the process alive.
		thread.unref();
		thread.on('message', (report: Report) => this.#onReport(report));
		thread.on('error', (error) => this.#lose(error));
		thread.on('exit', () => this.#lose());
		return thread;
	}

	#send(job: Job): void {
		const fresh = this.#loaded !== job.schema.text;
		const task: Task = { id: job.id, contents: job.contents, ...(fresh && { schema: job.schema.text }) };
		this.#loaded = job.schema.text;
		this.#thread?.postMessage(task);
		this.#expect(fresh ? 'compile' : 'validate');
	}

	#onReport(report: Report): void {
		if (report.type === 'ready') {
			this.#ready = true;
			if (this.#job) {
				this.#send(this.#job);
			}
		} else if (report.id === this.#job?.id) {
			if (report.type === 'compiled') {
				this.#expect('validate');
			} else {
				this.#rest();
				this.#settle(report.verdicts);
			}
		}
	}

	#settle(verdicts: readonly Verdict[] | undefined): void {
		const job = this.#job;
		this.#job = undefined;
		job?.settle(verdicts);
	}

	#expect(stage: Stage, before = process.cpuUsage(), deadlines = 1): void {
		clearTimeout(this.#timer);
		const timer = setTimeout(() => {
			// If the host itself was busy, the thread's report may already be queued. Process it first.
			setImmediate(() => {
				if (this.#timer !== timer || !this.#job) {
					return;
				}
				if (deadlines < PATIENCE && processorTime(before) < DEADLINE[stage]) {
					this.#expect(stage, before, deadlines + 1);
				} else {
					this.#miss(stage, this.#job);
				}
			});
		}, DEADLINE[stage]);
		this.#timer = timer;
	}

	#miss(stage: Stage, job: Job): void {
		if (stage === 'validate' && job.contents.length === 1 && job.attempts < ATTEMPTS) {
			this.#letGo();
			this.#begin(job);
		} else if (stage === 'start') {
			this.#fail(NOT_STARTED, false);
		} else {
			this.#fail(localizable('This could not be checked here in time. The server will check it.'), true);
		}
	}

	/** The thread exited unexpectedly. */
	#lose(error?: unknown): void {
		if ((error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
			this.#fail(localizable('This needs more memory than a check may take. The server will check it.'), true);
		} else {
			this.#fail(NOT_STARTED, this.#ready);
		}
	}

	/** Terminates the thread and settles the job. A schema that caused the failure with one content is not run again. */
	#fail(reason: Sentence, schemaIsToBlame: boolean): void {
		this.#letGo();
		const { schema, contents = [] } = this.#job ?? {};
		if (schemaIsToBlame && contents.length > 1) {
			this.#settle(undefined);
			return;
		}
		if (schema && schemaIsToBlame) {
			schema.refused = reason;
		}
		this.#settle(contents.map(() => unchecked(reason)));
	}

	#rest(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#letGo(), IDLE);
		this.#timer.unref();
	}

	#letGo(): void {
		clearTimeout(this.#timer);
		const thread = this.#thread;
		this.#thread = undefined;
		this.#ready = false;
		this.#loaded = undefined;
		if (thread !== undefined) {
			thread.removeAllListeners();
			thread.on('error', () => undefined);
			void thread.terminate();
		}
	}
}

/** What this process has used since then (ms). */
function processorTime(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

export function unchecked(reason: Sentence): Verdict {
	return { status: 'unchecked', reason };
}
