// @ts-check
/** `npm test`: runs every suite, in about half an hour on two cores. Slower tests are in `npm run nightly`. */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

await main(() => runSuites([['unit'], ['conformance'], ['host'], ['e2e'], ['oldest'], ['figures']]));
