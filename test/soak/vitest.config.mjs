import { defineConfig } from 'vitest/config';

/** Not part of `npm test`: it takes as long as it is told to. */
export default defineConfig({
	test: {
		include: ['test/soak/*.test.ts'],
		globalSetup: ['test/e2e/driver/setup.mjs'],
		setupFiles: ['test/e2e/driver/hooks.ts'],
		hookTimeout: 90_000,
	},
});
