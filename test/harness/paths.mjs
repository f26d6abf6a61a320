// @ts-check
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Build output; everything in it can be deleted. */
export const dist = join(root, 'dist');

/** True if this run has built it, for all of its suites: some use it side by side. */
export const built = process.env.MCP_ELICITATION_BUILT === '1';

/** True if this run uses the oldest supported editor rather than the newest. */
export const inOldestEditor = process.env.MCP_ELICITATION_EDITOR === 'oldest';

/** True in `npm run nightly`, which takes the time that `npm test` has not. */
export const nightly = process.env.MCP_ELICITATION_NIGHTLY === '1';

/** Logs, screenshots, and counts of the last run of each suite. */
export const results = join(root, 'test-results', ...(inOldestEditor ? ['oldest'] : []));

/** Cache of downloaded tools, shared between runs and checkouts. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mcp-elicitation');
