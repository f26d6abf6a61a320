import { afterAll, beforeAll } from 'vitest';
import type { Disposable } from '../../../src/elicitation/emitter.ts';
import type { Validator, Verdict } from '../../../src/elicitation/form/validate.ts';
import type { Json, JsonObject } from '../../../src/elicitation/json.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { ValidatorPool } from '../../../src/validation/validatorPool.ts';
import { bundleWorker } from './validatorBundle.ts';

/** The real validator for the tests of one file, with a bundled worker. */
export class Bench implements Validator {
	#bundle: Awaited<ReturnType<typeof bundleWorker>> | undefined;
	#validator: (Validator & Disposable) | undefined;

	constructor() {
		beforeAll(async () => {
			this.#bundle = await bundleWorker();
			this.#validator = new ValidatorPool(this.#bundle.workerFile);
		});
		afterAll(async () => {
			this.#validator?.dispose();
			await this.#bundle?.remove();
		});
	}

	get workerFile(): string {
		return this.#bundle?.workerFile ?? '';
	}

	validate(schema: JsonObject, content: Json): Promise<Verdict> {
		if (this.#validator === undefined) {
			throw new Error('The bench is set up before the tests, not while they are collected.');
		}
		return this.#validator.validate(schema, content);
	}

	/** `valid` with what was left out, the reason why it is unchecked, or one line per violation. */
	async verdict(schema: JsonObject, content: Json, by: Validator = this): Promise<string[] | string> {
		const result = await by.validate(schema, content);
		switch (result.status) {
			case 'valid':
				return ['valid', ...(result.skipped ?? []).map(({ message }) => render(message, english))].join('. ');
			case 'unchecked':
				return `unchecked: ${render(result.reason, english)}`;
			case 'invalid':
				return result.violations.map(({ path, message }) => `${path} ${render(message, english)}`);
		}
	}
}

/** A schema of an object with the property `p`. */
export function about(property: unknown, root: JsonObject = {}): JsonObject {
	return { type: 'object', properties: { p: property as Json }, ...root };
}
