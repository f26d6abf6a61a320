import type { RunnerTask, RunnerTestCase } from 'vitest';

/** After this many consecutive failures, the rest of the file is skipped, because each test would run into a long timeout. */
const MOST = 5;

let failures = 0;

/** To be told of each test file. */
export function newFile(): void {
	failures = 0;
}

/** To be told of every test that has ended: skips the rest of a file in which all fail. */
export function afterTest({ file, result }: RunnerTestCase): void {
	failures = result?.state === 'fail' ? failures + 1 : 0;
	const ahead = failures >= MOST ? waiting(file.tasks) : [];
	if (ahead.length > 0) {
		console.warn(`${failures} tests failed one after the other: the other ${ahead.length} of this file are left out.`);
	}
	for (const test of ahead) {
		test.mode = 'skip';
	}
}

/** The tests that haven't started. */
function waiting(tasks: readonly RunnerTask[]): RunnerTestCase[] {
	return tasks.flatMap((task) =>
		task.type === 'suite' ? waiting(task.tasks) : task.result === undefined && task.mode === 'run' ? [task] : [],
	);
}
