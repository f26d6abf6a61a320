// @ts-check
/** `npm test`: every suite, at most twenty minutes on two cores. What takes longer is in `npm run nightly`. */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

await main(() => runSuites([['unit'], ['conformance'], ['host'], ['e2e'], ['oldest'], ['figures']]));
