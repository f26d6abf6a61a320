// @ts-check
import { main } from './process.mjs';
import { vitest } from './vitest.mjs';

await main(() => vitest('unit', 'test/vitest.config.mjs'));
