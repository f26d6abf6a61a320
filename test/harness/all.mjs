// @ts-check
/** `npm test`: runs every suite, in about ten minutes on two cores. `npm run nightly` runs them in full. */
import { main } from './process.mjs';
import { BY_DAY, runSuites } from './suites.mjs';

await main(() => runSuites(BY_DAY));
