import type { Disposable } from '../elicitation/emitter.ts';
import type { Validator, Verdict } from '../elicitation/form/validate.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { schemaLimit } from '../elicitation/limits.ts';
import { localizable } from '../elicitation/sentence.ts';
import { type KnownSchema, STOPPED, unchecked, ValidatorWorker } from './validatorWorker.ts';

/** Max number of concurrent workers. Bounds the memory for validation. */
const MAX_WORKERS = 4;

/** Max number and length of the contents that are run together (characters). */
const MAX_TOGETHER = 100;
const MAX_TOGETHER_LENGTH = 64 * 1024;

interface Job {
	readonly schema: KnownSchema;
	readonly content: string;
	readonly settle: (verdict: Verdict) => void;
	/** True if it was run with others, one of which stopped the thread. */
	isAlone?: boolean;
}

/**
 * Validates in disposable worker threads with deadlines and memory limits. Runs the schemas of one server sequentially
 * and those of different servers concurrently, or in turns if all workers are busy. A schema that does not terminate
 * delays only its own server. What has come to wait for the same schema meanwhile is run together: to wake a thread takes
 * longer than to validate.
 */
export class ValidatorPool implements Validator, Disposable {
	readonly #known = new WeakMap<JsonObject, KnownSchema>();
	/** Waiting jobs by server. The server that has waited longest comes first. */
	readonly #waiting = new Map<string, Job[]>();
	/** Servers whose schemas are running. */
	readonly #active = new Set<string>();
	readonly #workers: readonly ValidatorWorker[];
	/** The server whose schema each worker ran last. The worker may still have it compiled. */
	readonly #last = new Map<ValidatorWorker, string>();
	#disposed = false;

	/** @param workerFile the bundled worker */
	constructor(workerFile: string) {
		this.#workers = Array.from({ length: MAX_WORKERS }, () => new ValidatorWorker(workerFile));
	}

	validate(schema: JsonObject, content: Json, server = ''): Promise<Verdict> {
		const known = this.#lookUp(schema);
		let text: string;
		try {
			text = JSON.stringify(content);
		} catch {
			return Promise.resolve(
				unchecked(localizable('This is nested too deeply to be checked here. The server will check it.')),
			);
		}
		return new Promise((settle) => {
			const jobs = this.#waiting.get(server) ?? [];
			jobs.push({ schema: known, content: text, settle });
			this.#waiting.set(server, jobs);
			this.#schedule();
		});
	}

	dispose(): void {
		this.#disposed = true;
		for (const worker of this.#workers) {
			worker.dispose();
		}
		this.#schedule();
	}

	#lookUp(schema: JsonObject): KnownSchema {
		let known = this.#known.get(schema);
		if (known === undefined) {
			const limit = schemaLimit(schema);
			known = limit === undefined ? { text: JSON.stringify(schema) } : { text: '', refused: limit };
			this.#known.set(schema, known);
		}
		return known;
	}

	/** Starts as many jobs as possible. */
	#schedule(): void {
		if (this.#disposed) {
			for (const { settle } of [...this.#waiting.values()].flat()) {
				settle(unchecked(STOPPED));
			}
			this.#waiting.clear();
		}
		for (;;) {
			const server = [...this.#waiting.keys()].find((each) => !this.#active.has(each));
			const worker = server === undefined ? undefined : this.#freeFor(server);
			if (server === undefined || !worker) {
				return;
			}
			const jobs = this.#waiting.get(server) ?? [];
			const together = jobs.splice(0, countTogether(jobs));
			this.#waiting.delete(server);
			if (jobs.length > 0) {
				// Moves the server to the end of the queue.
				this.#waiting.set(server, jobs);
			}
			void this.#run(server, worker, together);
		}
	}

	/** @param jobs with the same schema */
	async #run(server: string, worker: ValidatorWorker, jobs: readonly Job[]): Promise<void> {
		this.#active.add(server);
		this.#last.set(worker, server);
		const { schema } = jobs[0] as Job;
		const refused = schema.refused && unchecked(schema.refused);
		const contents = jobs.map(({ content }) => content);
		const verdicts = refused ? [refused] : await worker.run(schema, contents);
		if (verdicts) {
			for (const [index, { settle }] of jobs.entries()) {
				settle(verdicts[index] as Verdict);
			}
		} else {
			const alone = jobs.map((job) => ({ ...job, isAlone: true }));
			this.#waiting.set(server, [...alone, ...(this.#waiting.get(server) ?? [])]);
		}
		this.#active.delete(server);
		this.#schedule();
	}

	/** Prefers a running worker, ideally the one with the server's last schema, to keep the number of threads low. */
	#freeFor(server: string): ValidatorWorker | undefined {
		const free = this.#workers.filter(({ busy }) => !busy);
		return (
			free.find((worker) => worker.running && this.#last.get(worker) === server) ??
			free.find(({ running }) => running) ??
			free[0]
		);
	}
}

/** How many of the jobs run next: the first one, and what waits behind it for the same schema. */
function countTogether(jobs: readonly Job[]): number {
	const [first] = jobs;
	let length = 0;
	const end = jobs.findIndex(({ schema, content, isAlone }, index) => {
		length += content.length;
		const isSame = !isAlone && !schema.refused && schema.text === first?.schema.text;
		return !(isSame && index < MAX_TOGETHER && length <= MAX_TOGETHER_LENGTH);
	});
	return end < 0 ? jobs.length : Math.max(1, end);
}
