// @ts-check
/**
 * `npm run nightly`: runs `npm test` in full (all property-based runs and variants, the tests marked `itByNight`, the
 * 1,000 cycles, the pictures, more of the oldest editor, the clients of others) and the soak test. Fails if a test
 * passed only on its second attempt.
 */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

/** @type {readonly (readonly import('./suites.mjs').Suite[])[]} */
const STAGES = [
	[['unit']],
	[['conformance'], ['host', 'newest', 'oldest']],
	[['e2e']],
	[['oldest']],
	[['figures']],
	[['soak', '30']],
];

await main(() => runSuites(STAGES, { nightly: true }));
