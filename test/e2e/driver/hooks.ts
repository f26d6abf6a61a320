/** Runs before each test file, as one of vitest's `setupFiles`: the other modules of the driver stay from file to file. */
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { closeProxies } from './proxy.ts';
import { closeRawServers } from './rawServers.ts';
import { endServers } from './servers.ts';
import { endOfFile } from './session.ts';
import { afterTest, newFile } from './skipAfterFailures.ts';
import { closeWindows, inTest, showWindows, takeFaults } from './windows.ts';

declare module 'vitest' {
	interface TaskMeta {
		/** What the windows showed when it failed, for the summary of all suites. */
		shown?: string;
	}
}

let tested = false;
newFile();

beforeEach(() => {
	inTest(true);
	tested = true;
});

afterEach(async ({ task }) => {
	inTest(false);
	if (task.result?.state === 'fail') {
		task.meta.shown = await showWindows(task.name, task.result.errors?.at(-1)?.message);
	}
	afterTest(task);
	const faults = takeFaults();
	await closeWindows('of the test');
	expect(faults, 'errors that the extension left behind').toEqual([]);
});

afterAll(async () => {
	if (!tested) {
		await showWindows('to begin');
	}
	await closeWindows('all').finally(async () => {
		endServers();
		closeProxies();
		await Promise.all([endOfFile(), closeRawServers()]);
	});
});
