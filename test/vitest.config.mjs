import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Long enough for a machine that is busy with other things: a test that hangs is caught, a slow one is not called wrong.
const testTimeout = 30_000;

/** Tests that need no editor: pure code, the connection layer against real servers, and the webviews in a simulated page. */
export default defineConfig({
	test: {
		// Half of the time is spent waiting, for servers and for clocks.
		maxWorkers: Math.max(2, availableParallelism()),
		coverage: {
			provider: 'v8',
			include: ['src/**/*.ts'],
			reporter: ['text', 'html'],
			reportsDirectory: 'test-results/coverage',
		},
		projects: [
			{ test: { name: 'unit', include: ['test/unit/**/*.test.ts'], environment: 'node', testTimeout } },
			{ test: { name: 'webview', include: ['test/webview/**/*.test.ts'], environment: 'jsdom', testTimeout } },
		],
	},
});
