import type { Disposable } from '../elicitation/emitter.ts';
import type { Validator, Verdict } from '../elicitation/form/validate.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';

/** A validator that loads the worker pool for the first schema. */
export class ValidatorOnDemand implements Validator, Disposable {
	#pool: Promise<Validator & Disposable> | undefined;

	/** @param workerFile the bundled worker */
	constructor(private readonly workerFile: string) {}

	async validate(schema: JsonObject, content: Json, server?: string): Promise<Verdict> {
		this.#pool ??= import('./validatorPool.ts').then(({ ValidatorPool }) => new ValidatorPool(this.workerFile));
		return (await this.#pool).validate(schema, content, server);
	}

	dispose(): void {
		void this.#pool?.then((pool) => pool.dispose());
	}
}
