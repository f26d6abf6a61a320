import { defineConfig } from 'vitest/config';

/** Tests that need no editor: pure code, the connection layer against real servers, and the webviews in a simulated page. */
export default defineConfig({
	test: {
		projects: [
			{ test: { name: 'unit', include: ['test/unit/**/*.test.ts'], environment: 'node' } },
			{ test: { name: 'webview', include: ['test/webview/**/*.test.ts'], environment: 'jsdom' } },
		],
	},
});
