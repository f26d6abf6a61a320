// @ts-check
/** `npm test`: runs every suite, in about 20 minutes on two cores. `npm run nightly` runs them in full. */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

/** Side by side, where a suite waits for more than half of its time. @type {readonly (readonly import('./suites.mjs').Suite[])[]} */
const STAGES = [[['unit']], [['conformance'], ['host', 'newest', 'oldest']], [['e2e']], [['oldest']], [['figures']]];

await main(() => runSuites(STAGES));
