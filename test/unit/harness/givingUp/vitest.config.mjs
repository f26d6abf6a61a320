import { defineConfig } from 'vitest/config';

/** What test/unit/harness/givingUp.test.ts runs. */
export default defineConfig({ test: { include: ['test/unit/harness/givingUp/*.file.ts'] } });
