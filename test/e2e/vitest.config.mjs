import { defineConfig } from 'vitest/config';

/** Tests of the packaged extension in a real editor. A test mostly waits: two files at a time share two cores well. */
export default defineConfig({
	test: {
		include: ['test/e2e/**/*.test.ts'],
		globalSetup: ['test/e2e/driver/setup.mjs'],
		maxWorkers: 2,
		// What hangs is caught by the patience of the driver, which says what it waited for.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		// A busy machine may keep the editor from drawing what a person would have waited for. The driver tells of every second attempt.
		retry: 1,
	},
});
