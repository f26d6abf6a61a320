import type { RunnerTask, RunnerTestCase } from 'vitest';

declare module 'vitest' {
	interface TaskMeta {
		/** It passed only at the second attempt. */
		flaky?: boolean;
	}
}

/** After this many consecutive failures, the next tests aren't retried. */
const MOST_WITH_TWO_ATTEMPTS = 2;

/** After this many, the rest of the file is skipped, because each test would run into a long timeout. */
const MOST = 5;

const failed = new Set<string>();

/** To be told of each test file. */
export function newFile(): void {
	failed.clear();
}

/** To be told of every attempt at a test that has ended: marks what is flaky, and skips the rest of a file in which all fail. */
export function afterAttempt({ id, file, meta, result }: RunnerTestCase): void {
	meta.flaky = result?.state === 'pass' && (result.retryCount ?? 0) > 0;
	if (result?.state !== 'fail') {
		failed.clear();
		return;
	}
	failed.add(id);
	const ahead = waiting(file.tasks);
	if (failed.size >= MOST && ahead.length > 0) {
		console.warn(
			`${failed.size} tests failed one after the other: the other ${ahead.length} of this file are left out.`,
		);
		for (const test of ahead) {
			test.mode = 'skip';
		}
	} else if (failed.size >= MOST_WITH_TWO_ATTEMPTS) {
		for (const test of ahead) {
			test.retry = 0;
		}
	}
}

/** The tests that haven't started. */
function waiting(tasks: readonly RunnerTask[]): RunnerTestCase[] {
	return tasks.flatMap((task) =>
		task.type === 'suite' ? waiting(task.tasks) : task.result === undefined && task.mode === 'run' ? [task] : [],
	);
}
