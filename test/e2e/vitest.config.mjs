import { defineConfig } from 'vitest/config';

/** Tests of the packaged extension in a real editor: one at a time, because two editors at once make each other slow. */
export default defineConfig({
	test: {
		include: ['test/e2e/**/*.test.ts'],
		globalSetup: ['test/e2e/driver/setup.mjs'],
		fileParallelism: false,
		testTimeout: 90_000,
		hookTimeout: 90_000,
		retry: 0,
	},
});
