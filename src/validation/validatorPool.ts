import type { Disposable } from '../elicitation/emitter.ts';
import type { Validator, Verdict } from '../elicitation/form/validate.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { schemaLimit } from '../elicitation/limits.ts';
import { localizable } from '../elicitation/sentence.ts';
import { type KnownSchema, STOPPED, unchecked, ValidatorWorker } from './validatorWorker.ts';

/** Max number of concurrent workers. Bounds the memory for validation. */
const MAX_WORKERS = 4;

interface Job {
	readonly schema: KnownSchema;
	readonly content: string;
	readonly settle: (verdict: Verdict) => void;
}

/**
 * Validates in disposable worker threads with deadlines and memory limits. Runs the schemas of one server sequentially
 * and those of different servers concurrently, or in turns if all workers are busy. A schema that does not terminate
 * delays only its own server.
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
		if (this.#disposed) {
			return Promise.resolve(unchecked(STOPPED));
		}
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
		const waiting = [...this.#waiting.values()].flat();
		this.#waiting.clear();
		for (const worker of this.#workers) {
			worker.dispose();
		}
		for (const job of waiting) {
			job.settle(unchecked(STOPPED));
		}
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
		for (;;) {
			const server = [...this.#waiting.keys()].find((each) => !this.#active.has(each));
			const worker = server === undefined ? undefined : this.#freeFor(server);
			if (server === undefined || !worker) {
				return;
			}
			const [job, ...others] = this.#waiting.get(server) ?? [];
			this.#waiting.delete(server);
			if (others.length > 0) {
				// Moves the server to the end of the queue.
				this.#waiting.set(server, others);
			}
			if (job) {
				void this.#run(server, worker, job);
			}
		}
	}

	async #run(server: string, worker: ValidatorWorker, { schema, content, settle }: Job): Promise<void> {
		this.#active.add(server);
		this.#last.set(worker, server);
		settle(await (schema.refused ? unchecked(schema.refused) : worker.run(schema, content)));
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
