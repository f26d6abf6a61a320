/**
 * The disposable worker that runs servers' schemas (see SECURITY.md). Only this file loads the validator library.
 * Caches the last compiled schema, so that validation while typing is fast.
 */
import { parentPort } from 'node:worker_threads';
import type { Verdict } from '../elicitation/form/validate.ts';
import type { JsonObject } from '../elicitation/json.ts';
import { hasExact } from '../elicitation/jsonText.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Compiled, compile } from './compile.ts';
import { exactValue } from './exact.ts';
import { explain } from './explain.ts';
import type { Report, Task } from './messages.ts';

/** Limits the output: a schema can have 10,000 patterns of another language. */
const MAX_SKIPPED = 100;

/** The schema that was sent last, as text and as it was compiled. */
let text = 'true';
let current: Compiled | Sentence | undefined;
let isExact = false;

function load(): Compiled | Sentence {
	try {
		return compile(JSON.parse(text) as JsonObject, isExact);
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

function check({ schema, skipped, validate }: Compiled, content: unknown): Verdict {
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

function verdictOn(content: string): Verdict {
	if (!isExact && hasExact(content)) {
		isExact = true;
		current = load();
	}
	return current === undefined || 'text' in current
		? { status: 'unchecked', reason: current ?? localizable('No schema has been loaded.') }
		: check(current, isExact ? exactValue(JSON.parse(content)) : JSON.parse(content));
}

parentPort?.on('message', ({ id, schema, contents }: Task) => {
	if (schema !== undefined) {
		text = schema;
		isExact = hasExact(schema);
		current = load();
		report({ type: 'compiled', id });
	}
	report({ type: 'verdicts', id, verdicts: contents.map(verdictOn) });
});
report({ type: 'ready' });
