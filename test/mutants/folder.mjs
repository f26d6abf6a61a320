// @ts-check
/** The set-up of a run with a mutant: the test servers are bundled before, once for all runs side by side. */
export { provideFolder as default } from '../harness/testServers.mjs';
