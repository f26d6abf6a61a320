import { defineConfig } from 'vitest/config';

/** Not part of `npm test`: it takes as long as it is told to. */
export default defineConfig({
	test: { include: ['test/soak/*.test.ts'], globalSetup: ['test/e2e/driver/setup.mjs'], hookTimeout: 90_000 },
});
