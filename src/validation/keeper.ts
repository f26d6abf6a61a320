import { Worker } from 'node:worker_threads';
import type { Disposable } from '../elicitation/emitter.ts';
import type { Validator, Verdict } from '../elicitation/form/validate.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { schemaLimit } from '../elicitation/limits.ts';
import { type Sentence, say } from '../elicitation/sentence.ts';
import type { Report, Task } from './messages.ts';

/** Milliseconds. A worker that misses one is killed. */
const DEADLINE = { start: 10_000, compile: 2_000, validate: 100 } as const;
const MEMORY_MB = 64;
/** An unused worker is let go after this many milliseconds. */
const IDLE = 60_000;
/** A machine under load can miss the short deadline once; a hostile schema misses it every time. */
const ATTEMPTS = 2;

const NOT_STARTED = say('The check could not be run. The server will check the answer.');

type Stage = keyof typeof DEADLINE;

/** What is known of a schema object, for as long as somebody holds it. */
interface Known {
	readonly text: string;
	/** Why it is not run (any more). */
	refused?: Sentence;
}

interface Job {
	readonly id: number;
	readonly known: Known;
	readonly content: string;
	readonly settle: (verdict: Verdict) => void;
	attempts: number;
}

/** Validates in a disposable worker thread with deadlines and a memory limit. `workerFile` is the bundled worker. */
export function createValidator(options: { readonly workerFile: string }): Validator & Disposable {
	return new Keeper(options.workerFile);
}

class Keeper implements Validator, Disposable {
	readonly #known = new WeakMap<JsonObject, Known>();
	readonly #queue: Job[] = [];
	#active: Job | undefined;
	#worker: Worker | undefined;
	#ready = false;
	/** The text of the schema that the worker holds compiled. */
	#loaded: string | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#nextId = 1;
	#disposed = false;

	constructor(private readonly workerFile: string) {}

	validate(schema: JsonObject, content: Json): Promise<Verdict> {
		const known = this.#lookUp(schema);
		let text: string;
		try {
			text = JSON.stringify(content);
		} catch {
			return Promise.resolve(
				unchecked(say('The answer is nested too deeply to be checked here. The server will check it.')),
			);
		}
		return new Promise((settle) => {
			this.#queue.push({ id: this.#nextId++, known, content: text, settle, attempts: 0 });
			this.#pump();
		});
	}

	dispose(): void {
		this.#disposed = true;
		const jobs = [...(this.#active ? [this.#active] : []), ...this.#queue.splice(0)];
		this.#active = undefined;
		this.#letGo();
		for (const job of jobs) {
			job.settle(unchecked(say('The check was stopped.')));
		}
	}

	#lookUp(schema: JsonObject): Known {
		let known = this.#known.get(schema);
		if (known === undefined) {
			const limit = schemaLimit(schema);
			known = limit === undefined ? { text: JSON.stringify(schema) } : { text: '', refused: limit };
			this.#known.set(schema, known);
		}
		return known;
	}

	/** Gives the worker its next task; one at a time, so that a kill concerns one schema only. */
	#pump(): void {
		while (this.#active === undefined) {
			const job = this.#queue.shift();
			if (job === undefined) {
				this.#rest();
				return;
			}
			if (this.#disposed) {
				job.settle(unchecked(say('The check was stopped.')));
			} else if (job.known.refused !== undefined) {
				job.settle(unchecked(job.known.refused));
			} else {
				this.#begin(job);
			}
		}
	}

	#begin(job: Job): void {
		this.#active = job;
		job.attempts++;
		try {
			this.#worker ??= this.#start();
		} catch {
			this.#fail(NOT_STARTED, false);
			return;
		}
		this.#worker.ref();
		if (this.#ready) {
			this.#send(job);
		} else {
			this.#expect('start');
		}
	}

	#start(): Worker {
		const worker = new Worker(this.workerFile, {
			name: 'schema validator',
			// Neither the host's variables nor its inspector and preload flags belong in there.
			env: {},
			execArgv: [],
			stdout: true,
			stderr: true,
			resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
		});
		worker.on('message', (report: Report) => this.#hear(report));
		worker.on('error', (error) => this.#lose(error));
		worker.on('exit', () => this.#lose());
		return worker;
	}

	#send(job: Job): void {
		const fresh = this.#loaded !== job.known.text;
		const task: Task = { id: job.id, content: job.content, ...(fresh && { schema: job.known.text }) };
		this.#loaded = job.known.text;
		this.#worker?.postMessage(task);
		this.#expect(fresh ? 'compile' : 'validate');
	}

	#hear(report: Report): void {
		if (report.type === 'ready') {
			this.#ready = true;
			if (this.#active) {
				this.#send(this.#active);
			}
		} else if (report.id === this.#active?.id) {
			if (report.type === 'compiled') {
				this.#expect('validate');
			} else {
				this.#settle(report.verdict);
			}
		}
	}

	#settle(verdict: Verdict): void {
		const job = this.#active;
		clearTimeout(this.#timer);
		this.#active = undefined;
		job?.settle(verdict);
		this.#pump();
	}

	#expect(stage: Stage): void {
		clearTimeout(this.#timer);
		const timer = setTimeout(() => {
			// A host that was busy itself finds the worker's report waiting: let it be heard first.
			setImmediate(() => {
				if (this.#timer === timer && this.#active) {
					this.#miss(stage);
				}
			});
		}, DEADLINE[stage]);
		this.#timer = timer;
	}

	#miss(stage: Stage): void {
		const job = this.#active;
		if (stage === 'validate' && job !== undefined && job.attempts < ATTEMPTS) {
			this.#active = undefined;
			this.#letGo();
			this.#queue.unshift(job);
			this.#pump();
		} else if (stage === 'start') {
			this.#fail(NOT_STARTED, false);
		} else {
			this.#fail(say('This could not be checked here in time. The server will check the answer.'), true);
		}
	}

	/** The worker died by itself. */
	#lose(error?: unknown): void {
		if ((error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
			this.#fail(say('This needs more memory than a check may take. The server will check the answer.'), true);
		} else {
			this.#fail(NOT_STARTED, this.#ready);
		}
	}

	/** Lets the worker go. A schema that is to blame is not run again. */
	#fail(reason: Sentence, schemaIsToBlame: boolean): void {
		const job = this.#active;
		this.#active = undefined;
		this.#letGo();
		if (job !== undefined) {
			if (schemaIsToBlame) {
				job.known.refused = reason;
			}
			job.settle(unchecked(reason));
		}
		this.#pump();
	}

	#rest(): void {
		clearTimeout(this.#timer);
		if (this.#worker !== undefined) {
			this.#worker.unref();
			this.#timer = setTimeout(() => this.#letGo(), IDLE);
			this.#timer.unref();
		}
	}

	#letGo(): void {
		clearTimeout(this.#timer);
		const worker = this.#worker;
		this.#worker = undefined;
		this.#ready = false;
		this.#loaded = undefined;
		if (worker !== undefined) {
			worker.removeAllListeners();
			worker.on('error', () => undefined);
			void worker.terminate();
		}
	}
}

function unchecked(reason: Sentence): Verdict {
	return { status: 'unchecked', reason };
}
