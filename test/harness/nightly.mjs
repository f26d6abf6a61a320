// @ts-check
/**
 * `npm run nightly`: runs `npm test` in full (all property-based runs and variants, the tests marked `itByNight`, the
 * 1,000 cycles, the pictures, the in-editor suite and more surfaces in the oldest editor, the clients of others) and the
 * soak test. Fails if a test passed only on its second attempt.
 */
import { main } from './process.mjs';
import { BY_NIGHT, runSuites } from './suites.mjs';

await main(() => runSuites(BY_NIGHT, { nightly: true }));
