import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from '../harness/longestFirst.mjs';
import { nightly } from '../harness/paths.mjs';

/** Tests of the packaged extension in a real editor. A test waits for a third of its time. */
export default defineConfig({
	test: {
		// Clients of others are run by night, and by `npm run personas`.
		include: ['test/e2e/**/*.test.ts', ...(nightly ? ['test/personas/*.test.ts'] : [])],
		globalSetup: ['test/e2e/driver/setup.mjs'],
		setupFiles: ['test/e2e/driver/hooks.ts'],
		// A worker keeps its browser and its editor server from file to file.
		isolate: false,
		sequence: {
			sequencer: longestFirst('e2e', ['cycles', 'trust', 'scripts', 'definitions', 'keys', 'timeline']),
		},
		maxWorkers: availableParallelism() + 1,
		// What hangs is caught by the patience of the driver, which says what it waited for.
		testTimeout: 300_000,
		hookTimeout: 300_000,
		// Where nothing works, a run ends, and says so.
		bail: 25,
	},
});
