// @ts-check
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => vitest('e2e', 'test/e2e/vitest.config.mjs'));
