/**
 * The disposable worker that runs servers' schemas (see SECURITY.md). Only this file loads the validator library.
 * Caches the last compiled schema, so that validation while typing is fast.
 */
import { parentPort } from 'node:worker_threads';
import type { Verdict } from '../elicitation/form/validate.ts';
import type { Json, JsonObject } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Compiled, compile } from './compile.ts';
import { explain } from './explain.ts';
import type { Report, Task } from './messages.ts';

/** Limits the output: a schema can have 10,000 patterns of another language. */
const MAX_SKIPPED = 100;

let current: Compiled | Sentence | undefined;

function load(schema: string): Compiled | Sentence {
	try {
		return compile(JSON.parse(schema) as JsonObject);
	} catch (error) {
		return broken(error);
	}
}

function broken(error: unknown): Sentence {
	const missing = (error as { missingRef?: unknown }).missingRef;
	return typeof missing === 'string'
		? localizable(
				'The schema refers to "{0}", which is not looked up here. The server will check the response.',
				missing.slice(0, 200),
			)
		: localizable(
				'The schema cannot be run here ({0}). The server will check the response.',
				(error instanceof Error ? error.message : String(error)).slice(0, 200),
			);
}

function check({ schema, skipped, validate }: Compiled, content: Json): Verdict {
	const incomplete = skipped.length > 0 && { skipped: skipped.slice(0, MAX_SKIPPED) };
	try {
		return validate(content) === true
			? { status: 'valid', ...incomplete }
			: { status: 'invalid', violations: explain(validate.errors ?? [], schema), ...incomplete };
	} catch (error) {
		return { status: 'unchecked', reason: broken(error) };
	}
}

function report(message: Report): void {
	parentPort?.postMessage(message);
}

parentPort?.on('message', ({ id, schema, content }: Task) => {
	if (schema !== undefined) {
		current = load(schema);
		report({ type: 'compiled', id });
	}
	const verdict: Verdict =
		current === undefined || 'text' in current
			? { status: 'unchecked', reason: current ?? localizable('No schema has been loaded.') }
			: check(current, JSON.parse(content) as Json);
	report({ type: 'verdict', id, verdict });
});
report({ type: 'ready' });
