// @ts-check
/** `npm test`: runs every suite, in about 20 minutes on two cores. `npm run nightly` runs them in full. */
import { main } from './process.mjs';
import { ALL, runSuites } from './suites.mjs';

await main(() => runSuites(ALL));
